// The raw host of 2026-07-28 over the pipes of a process.
import type { Readable, Writable } from 'node:stream';
import { slice } from '../../fixtures/upstream/json-slice.mjs';
import { createModernHost, type ModernHost, type ModernHostOptions } from './modern-host.ts';

/** Lines that are no JSON fail: mcpx's stdout is for messages only. */
export function modernStdioHost(
  pipes: { readonly stdin: Writable; readonly stdout: Readable },
  options: ModernHostOptions = {},
): ModernHost {
  const open = new Map<string, (text: string) => void>();
  const ends = new Set<(error: Error) => void>();
  let rest = '';
  pipes.stdout.setEncoding('utf8');
  pipes.stdout.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const id = slice(line, 'id') ?? slice(slice(line, 'params') ?? '{}', 'progressToken');
      const [only] = open.values();
      const receive = (id === undefined ? undefined : open.get(id)) ?? only;
      receive?.(line);
    }
  });
  pipes.stdout.on('close', () => {
    for (const end of ends) end(new Error('the gateway closed the pipe'));
  });
  const write = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      pipes.stdin.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
    });

  return createModernHost(options, {
    async send({ id, text }, receive) {
      const done = new Promise<void>((resolve, reject) => {
        ends.add(reject);
        open.set(id, (line) => {
          receive(line);
          if (slice(line, 'id') !== id) return;
          open.delete(id);
          ends.delete(reject);
          resolve();
        });
      });
      await write(text);
      await done;
    },
    giveUp: (_outgoing, cancelled) => void write(cancelled).catch(() => {}),
    close: () => new Promise((resolve) => pipes.stdin.end(() => resolve())),
  });
}
