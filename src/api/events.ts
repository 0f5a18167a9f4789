// /v1/events: every change of a row as a server-sent event, from now on or from where a reader broke off.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { LOCAL } from '../broker/principals.ts';
import { rowJson } from '../broker/row-json.ts';
import type { Broker } from '../broker/types.ts';
import type { Clock } from '../clock.ts';
import { McpxError, messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { SSE_COMMENT, SSE_HEADERS, sseText } from '../text/sse.ts';
import { type Route, route } from './route.ts';

export interface EventsDeps {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborts when the gateway stops; streams end then. */
  readonly closing: AbortSignal;
}

/** Milliseconds between comments, which keep idle timers on the way from cutting the stream. */
const BEAT = 15_000;

export function eventsRoute(deps: EventsDeps): Route {
  return route({
    method: 'GET',
    path: '/v1/events',
    summary:
      'Events elicit.opened, .answered, .delivered, .undelivered (answered, and the gateway that held the call was gone before the server had the answer), .completed, .expired, .withdrawn and .lost, each with its row as data. Resumes after Last-Event-ID. Every reader counts as watching.',
    answers: { 200: { description: 'server-sent events', type: 'text/event-stream' } },
    handle: async ({ principal, headers, response }) => {
      await stream(deps, principal, headers['last-event-id'], response);
      return undefined;
    },
  });
}

async function stream(
  { broker, clock, log, closing }: EventsDeps,
  principal: string,
  lastEventId: string | string[] | undefined,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const ended = AbortSignal.any([gone.signal, closing]);
  const since = await startOf(broker, lastEventId);
  if (ended.aborted) return void response.end();
  // Reading changes no row, and neither does its end (C39).
  broker.watching('events', ended);
  response.writeHead(200, SSE_HEADERS);
  // An id without an event: a reader that is cut off before the first one has where to resume, too.
  response.write(sseText({ id: since, data: '' }));
  let beat = clock.after(BEAT, tick);
  function tick(): void {
    if (!response.writableNeedDrain) response.write(SSE_COMMENT);
    beat = clock.after(BEAT, tick);
  }
  try {
    for await (const { seq, event, row } of broker.changes({ since, signal: ended })) {
      if (principal !== LOCAL && row.principal !== principal) continue;
      // What a slow reader has not read stays in the store.
      if (!response.write(sseText({ id: seq, event: `elicit.${event}`, data: rowJson(row) })))
        await once(response, 'drain', { signal: ended });
    }
  } catch (error) {
    if (!ended.aborted) log.warn({ error: messageOf(error) }, 'an event stream broke');
  } finally {
    beat.cancel();
    gone.abort();
    response.end();
  }
}

async function startOf(broker: Broker, lastEventId: string | string[] | undefined): Promise<number> {
  const newest = await broker.lastSeq();
  if (lastEventId === undefined) return newest;
  if (typeof lastEventId !== 'string' || !/^\d{1,15}$/.test(lastEventId))
    throw new McpxError(
      'usage',
      'Last-Event-ID is not an id of this stream.',
      'Leave it out to follow from now on.',
    );
  // An id of another store may lie ahead of everything here.
  return Math.min(Number(lastEventId), newest);
}
