// One request of a stateless host made to look like a session, for the parts of the relay that know nothing else.
import { McpxError } from '../../errors.ts';
import type { HostFacts, HostSession, StatelessRequest } from '../../host/types.ts';
import type { JsonText } from '../../protocol/types.ts';

/** The request's log level as `logging/setLevel` would have told it. */
export function levelOf({ logLevel }: StatelessRequest): JsonText | undefined {
  return logLevel === undefined ? undefined : JSON.stringify({ level: logLevel });
}

/** A session for one request: nobody can be asked through it. */
export function sessionOf(facts: HostFacts, ended: AbortSignal): HostSession {
  return {
    id: 'stateless',
    facts,
    ended,
    request: () => Promise.reject(new McpxError('unreachable', 'this request cannot be interrupted')),
    reachable: () => false,
    notify: () => {},
  };
}
