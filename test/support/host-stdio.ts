// The raw host over the pipes of a process.
import type { Readable, Writable } from 'node:stream';
import { createHostCore, type Host, type HostOptions } from './host.ts';

/** Initializes over the given pipes. Lines that are no JSON fail the host: mcpx's stdout is for messages only. */
export function connectStdioHost(
  pipes: { readonly stdin: Writable; readonly stdout: Readable },
  options: HostOptions = {},
): Promise<Host> {
  const core = createHostCore(options, {
    send: (text) =>
      new Promise((resolve, reject) => {
        pipes.stdin.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
      }),
    close: () => new Promise((resolve) => pipes.stdin.end(() => resolve())),
  });
  let rest = '';
  pipes.stdout.setEncoding('utf8');
  pipes.stdout.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) core.receive(line);
  });
  pipes.stdout.on('close', () => core.fail(new Error('the gateway closed the pipe')));
  return core.initialize();
}
