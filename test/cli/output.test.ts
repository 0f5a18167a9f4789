// Output that is complete however slow the reader, and quiet when the reader has gone.
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { makeOutput } from '../../src/cli/output.ts';

function failing(code: string): Writable {
  return new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })),
  });
}

test('a write is over when the reader has it, not before', async () => {
  const taken: string[] = [];
  const gates: (() => void)[] = [];
  const slow = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      gates.push(() => {
        taken.push(String(chunk));
        done();
      });
    },
  });
  const output = makeOutput(slow, () => {});
  let isOver = false;
  void output.write('a');
  const last = output.write('b').then(() => {
    isOver = true;
  });
  const drained = output.drained();
  gates.shift()?.();
  await new Promise((resolve) => setImmediate(resolve));
  expect({ taken, isOver }).toEqual({ taken: ['a'], isOver: false });
  gates.shift()?.();
  await Promise.all([last, drained]);
  expect({ taken, isOver }).toEqual({ taken: ['a', 'b'], isOver: true });
});

test.each(['EPIPE', 'ECONNRESET'])('%s is told once and is not an error', async (code) => {
  let gone = 0;
  const output = makeOutput(failing(code), () => {
    gone += 1;
  });
  await output.write('a');
  await output.write('b');
  await output.drained();
  expect(gone).toBe(1);
});

test('a full disk is an error with a sentence', async () => {
  const output = makeOutput(failing('ENOSPC'), () => {});
  await expect(output.write('a')).rejects.toMatchObject({
    code: 'failure',
    message: 'The output could not be written: write ENOSPC.',
  });
  await expect(output.drained()).rejects.toMatchObject({ code: 'failure' });
});
