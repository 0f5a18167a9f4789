// To whom a question belongs: the five rules of design/2-relay.md, in their order (ELI-19).
import type { Call } from '../calls/call.ts';
import type { Requester } from '../requesters.ts';
import type { Line } from './channel.ts';

/** Who asked on whose behalf; both absent when nobody can be named, and mcpx never guesses. */
export interface Attribution {
  readonly host: Requester | undefined;
  readonly call: Call | undefined;
}

/**
 * Attributes something that came on `line`: to the call on whose stream it came; else to the only host of the line,
 * and to its only call; else, on a shared line, to the only call that runs; else to nobody.
 */
export function attribute(line: Line, origin: string | undefined): Attribution {
  const exact = origin === undefined ? undefined : line.calls.get(origin);
  if (exact) return { host: exact.host, call: exact };
  // A stream of a call that has ended says that it was none of those that run now.
  const only = origin === undefined && line.calls.size === 1 ? [...line.calls.values()][0] : undefined;
  if (!line.shared) return { host: [...line.hosts][0], call: only };
  if (only) return { host: only.host, call: only };
  return { host: undefined, call: undefined };
}
