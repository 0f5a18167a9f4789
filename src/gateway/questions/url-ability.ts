// Which hosts know url mode at the revision that has ids, notices and -32042 for it (2025-11-25 client/elicitation).
import type { HostFacts } from '../../host/types.ts';
import { elicitationModes } from '../../protocol/capabilities.ts';

/** Whether -32042 and `notifications/elicitation/complete` mean something to this host: 2025-11-25, with url declared. */
export function knowsUrlErrors({ revision, capabilities }: HostFacts): boolean {
  return revision === '2025-11-25' && elicitationModes(revision, capabilities).url;
}
