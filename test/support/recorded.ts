// What a program has written so far, and waiting for a line of it.
import type { Readable } from 'node:stream';
import { within } from './until.ts';

export interface Recorded {
  text(): string;
  /** The first whole line that `match` accepts, also one already written; fails when the program ends before it. */
  line(what: string, match: (line: string) => boolean, ended: Promise<unknown>, ms: number): Promise<string>;
}

/** Reads a stream to its end and keeps what came. */
export function recorded(stream: Readable): Recorded {
  let text = '';
  const listeners = new Set<() => void>();
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    for (const listener of listeners) listener();
  });
  return {
    text: () => text,
    line(what, match, ended, ms) {
      const found = new Promise<string>((resolve, reject) => {
        const look = (): void => {
          const line = text.split('\n').slice(0, -1).find(match);
          if (line === undefined) return;
          listeners.delete(look);
          resolve(line);
        };
        listeners.add(look);
        look();
        ended.then((code) => reject(new Error(`${what} ended with ${code}: ${text}`)), reject);
      });
      return within(`a line of ${what}`, found, ms);
    },
  };
}
