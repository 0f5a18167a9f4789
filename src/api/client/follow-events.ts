// The changes that a gateway far away tells of, gone on with after a connection that was lost.
import type { AnsweredBy, Change, Row } from '../../broker/types.ts';
import type { Clock } from '../../clock.ts';
import { isMcpxError } from '../../errors.ts';
import { member, trustedJson } from '../../protocol/json-text.ts';
import type { JsonText } from '../../protocol/types.ts';
import { SseReader } from '../../upstream/http/sse-reader.ts';
import { defined, row } from '../schemas.ts';
import type { GatewayHttp } from './gateway-http.ts';

/** Milliseconds before each further attempt to connect again; then the gateway counts as gone. */
const PAUSES = [100, 300, 600, 1_000, 2_000];
/** Characters of one event; the largest row has a schema, an answer and a message. */
const LARGEST = 16_777_216;
const EVENTS: ReadonlySet<string> = new Set<Change['event']>([
  'opened',
  'answered',
  'delivered',
  'undelivered',
  'completed',
  'expired',
  'withdrawn',
  'lost',
]);

export interface FollowEventsOptions {
  readonly http: GatewayHttp;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The stream that is being opened already. */
  readonly first: Promise<AsyncIterable<Buffer>>;
}

/**
 * Yields changes until `signal` aborts, which ends it quietly. A reader that is slow makes the gateway wait.
 * McpxError of the first attempt, or `unreachable` once the gateway stays away.
 */
export async function* followEvents(options: FollowEventsOptions): AsyncGenerator<Change, void, undefined> {
  const { http, clock, signal } = options;
  let last: string | undefined;
  let opening = options.first;
  let failures = 0;
  for (;;) {
    let failure: unknown;
    try {
      const stream = await opening;
      for await (const { id, event, data } of eventsOf(stream)) {
        failures = 0;
        last = id ?? last;
        const change = changeOf(last, event, data);
        if (change !== undefined) yield change;
      }
    } catch (error) {
      failure = error;
    }
    if (signal.aborted) return;
    // Nothing was ever heard, or the gateway said no: trying again would not help.
    if (isMcpxError(failure) && (last === undefined || failure.code !== 'unreachable')) throw failure;
    const pause = PAUSES[failures];
    if (pause === undefined) throw isMcpxError(failure) ? failure : http.unreachable(failure);
    failures += 1;
    await paused(clock, pause, signal);
    if (signal.aborted) return;
    opening = http.events(last, signal);
  }
}

interface Message {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly data: string;
}

async function* eventsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Message, void, undefined> {
  const found: Message[] = [];
  const reader = new SseReader(LARGEST, {
    onEvent: (event) => found.push(event),
    onLong: () => {},
    onRetry: () => {},
  });
  for await (const chunk of stream) {
    if (!reader.push(chunk)) return;
    yield* found.splice(0);
  }
}

function changeOf(id: string | undefined, event: string | undefined, data: string): Change | undefined {
  const name = event?.replace(/^elicit\./, '');
  // A newer gateway may tell of more than this mcpx knows.
  if (name === undefined || !EVENTS.has(name)) return undefined;
  return { seq: Number(id), event: name as Change['event'], row: rowOf(trustedJson(data)) };
}

function paused(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // The timer does not keep the process alive, and no connection does now.
    const keepRunning = setInterval(() => {}, 2_147_483_647);
    const done = (): void => {
      clearInterval(keepRunning);
      timer.cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = clock.after(ms, done);
    signal.addEventListener('abort', done);
  });
}

/**
 * The row of one object of `/v1`. `params` is that very object: it holds the upstream's spelling of message and URL,
 * which is what `rowJson` takes from there.
 *
 * @throws where the text is no row
 */
export function rowOf(text: JsonText): Row {
  const { answer, requestedSchema: _, ...facts } = row.parse(JSON.parse(text));
  const answerText = member(text, 'answer');
  return {
    ...defined(facts),
    params: text,
    ...defined({ requestedSchema: member(text, 'requestedSchema') }),
    ...(answer !== undefined &&
      answerText !== undefined && {
        answer: {
          action: answer.action,
          by: answer.by as AnsweredBy,
          at: answer.at,
          ...defined({ content: member(answerText, 'content') }),
        },
      }),
  };
}
