// A folder with a configuration file in it, and the settings that come of it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type LoadInput, loadSettings } from '../../src/config/load.ts';
import type { Loaded } from '../../src/config/types.ts';
import { McpxError } from '../../src/errors.ts';
import type { Scope } from '../support/create-scope.ts';

export interface Folder {
  readonly path: string;
  write(name: string, content: unknown): string;
  load(input?: Partial<LoadInput>): Loaded;
  /** What `load` throws, with the folder's path taken out. */
  failure(input?: Partial<LoadInput>): { code: string; message: string; hint: string };
}

/** `content` is written as mcpx.json: a text as it is, anything else as JSON. */
export function folder(scope: Scope, content?: unknown): Folder {
  const path = scope.dir();
  const made: Folder = {
    path,
    write(name, text) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof text === 'string' ? text : JSON.stringify(text, null, 2));
      return file;
    },
    load: (input = {}) => loadSettings({ flags: {}, env: {}, cwd: path, home: join(path, 'home'), ...input }),
    failure(input) {
      try {
        made.load(input);
      } catch (error) {
        if (!(error instanceof McpxError)) throw error;
        const plain = (text: string) => text.replaceAll(path, '').replaceAll('\\', '/');
        return { code: error.code, message: plain(error.message), hint: plain(error.hint ?? '') };
      }
      throw new Error('the settings were loaded');
    },
  };
  if (content !== undefined) made.write('mcpx.json', content);
  return made;
}

/** The smallest file that works. */
export const SERVERS = { one: { command: 'some-server' } };
