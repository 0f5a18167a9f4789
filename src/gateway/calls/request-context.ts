// One request as it goes through the relay: who made it, and how whoever made it hears of it meanwhile.
import type { Exchange } from '../../host/types.ts';
import type { BlockedUrls } from '../questions/blocked-urls.ts';
import type { Requester } from '../requesters.ts';
import type { ProgressSink } from './progress.ts';

export interface RequestContext {
  readonly host: Requester;
  /** What is asked for; what it is told reaches every request of the host that waits for the same. */
  readonly exchange: Exchange;
  readonly progress: ProgressSink | undefined;
  /** The request of the host that is open now, on whose stream it can be asked; undefined while none is. */
  readonly open: () => Exchange | undefined;
  /** Takes url questions that cannot be put to the host inline; absent where the host knows no -32042. */
  readonly blocked?: BlockedUrls;
  /** The only server that it may go to, since what it carries was given by that one. */
  readonly pinned?: string;
}
