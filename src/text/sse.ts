// Server-sent events as mcpx writes them: towards hosts, and to who follows the rows (https://html.spec.whatwg.org).

/** What keeps caches and proxies from holding a stream back. */
export const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** A line that no reader takes for data: it keeps idle timers on the way from cutting the stream (C14). */
export const SSE_COMMENT = ': \n\n';

export interface SseEvent {
  readonly id?: string | number;
  /** Where it is left out, readers take it for `message`. */
  readonly event?: string;
  /** Milliseconds after which a reader should come back that has lost the stream. */
  readonly retry?: number;
  /** On one line. */
  readonly data: string;
}

export function sseText({ id, event, retry, data }: SseEvent): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  const eventLine = event === undefined ? '' : `event: ${event}\n`;
  const retryLine = retry === undefined ? '' : `retry: ${retry}\n`;
  return `${idLine}${eventLine}${retryLine}data: ${data}\n\n`;
}
