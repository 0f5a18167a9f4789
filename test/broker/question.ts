// A question for the broker, as the relay would bring it.
import type { NewRow } from '../../src/broker/types.ts';

export const SCHEMA = '{"type":"object","properties":{"repo":{"type":"string"}},"required":["repo"]}';

/** A form question; `facts` replace parts of it. */
export function question(facts: Partial<NewRow> = {}): NewRow {
  return {
    server: 'github',
    mode: 'form',
    message: 'Which repository should this go in?',
    params: `{"message":"Which repository should this go in?","requestedSchema":${SCHEMA}}`,
    requestedSchema: SCHEMA,
    principal: 'local',
    audience: 'human',
    sensitive: false,
    ttl: 600_000,
    ...facts,
  };
}
