// What an Accept header says about the form of a response.
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { acceptsOf } from '../../src/host/http-headers.ts';

test.each([
  [undefined, 'json stream'],
  ['', 'json stream'],
  ['*/*', 'json stream'],
  ['text/html', 'json stream'],
  ['application/json', 'json'],
  ['application/*', 'json'],
  ['text/event-stream', 'stream'],
  ['text/*', 'stream'],
  ['application/json, text/event-stream', 'json stream'],
  ['Application/JSON , TEXT/Event-Stream', 'json stream'],
  ['text/event-stream, application/json', 'json stream streamFirst'],
  ['text/event-stream, */*', 'json stream'],
  ['text/event-stream, */*;q=0.5', 'json stream streamFirst'],
  ['application/json;q=0.9, text/event-stream', 'json stream streamFirst'],
  ['text/event-stream;q=0.9, application/json', 'json stream'],
  ['application/json;q=0, */*', 'stream'],
  ['application/json;charset=utf-8', 'json'],
])('Accept: %s is %s', (accept, expected) => {
  const accepts = acceptsOf({ headers: { accept } } as IncomingMessage);
  const taken = Object.entries(accepts).filter(([, taken]) => taken);
  expect(taken.map(([name]) => name).join(' ')).toBe(expected);
});
