// Signals reach the command as an abort, and the exit code says which one it was.
import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { SignalName } from '../../src/cli/edge.ts';
import { main } from '../../src/cli/main.ts';
import { fakeEdge } from '../support/fake-edge.ts';

/** A command that cannot end yet, since nobody takes its output. */
function stuck() {
  let release = () => {};
  const stdout = new Writable({
    write(_chunk, _encoding, done) {
      release = () => done();
    },
  });
  const edge = fakeEdge({ stdout });
  const ended = main(['help', 'environment'], edge);
  return { edge, ended, release: () => release() };
}

test.each<[SignalName, number]>([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('%s ends with %i and says nothing', async (name, code) => {
  const { edge, ended, release } = stuck();
  edge.raise(name);
  release();
  expect(await ended).toBe(code);
  expect(edge.err()).toBe('');
  expect(edge.exits).toEqual([]);
});

test('the second signal does not wait', () => {
  const { edge } = stuck();
  edge.raise('SIGINT');
  edge.raise('SIGINT');
  expect(edge.exits).toEqual([130]);
});

test('a reader that goes away ends the command with 0', async () => {
  const stdout = new PassThrough();
  stdout.destroy(Object.assign(new Error('gone'), { code: 'EPIPE' }));
  const edge = fakeEdge({ stdout });
  stdout.on('error', () => {});
  expect(await main(['help', 'environment'], edge)).toBe(0);
  expect(edge.err()).toBe('');
});
