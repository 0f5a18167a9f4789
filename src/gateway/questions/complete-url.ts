// `notifications/elicitation/complete` of an upstream: rows are marked, and the host that was given the URL is told.
import type { Broker } from '../../broker/types.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { member, quote, stringOf } from '../../protocol/json-text.ts';
import type { UpstreamNotification } from '../../upstream/types.ts';
import type { Line } from '../channels/channel.ts';
import type { UrlEffects } from './asked-urls.ts';

export const COMPLETE = 'notifications/elicitation/complete';

/** Milliseconds that the notice is kept for a host without an open stream (design/2-relay.md, "URL mode"). */
const HOLD = 600_000;

/** What follows from a completion: the row's `completedAt`, and the same notice under the id that the host knows. */
export function urlEffects(broker: Broker, log: Log): UrlEffects {
  return {
    completed(row) {
      broker.completed(row).then(
        () => log.info({ row }, 'question completed'),
        (error) => log.warn({ row, error: messageOf(error) }, 'a completion could not be recorded'),
      );
    },
    forward: ({ host, id }) =>
      host.session.notify(COMPLETE, `{"elicitationId":${quote(id)}}`, { holdFor: HOLD }),
  };
}

/** Takes the notice for the channel it came on; one without a known id is ignored, as the specification asks. */
export function completeUrl(line: Line, { params }: UpstreamNotification): void {
  const id = params === undefined ? undefined : stringOf(member(params, 'elicitationId'));
  if (id !== undefined) line.urls.complete(id);
}
