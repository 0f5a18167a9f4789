// A text changed in the person's own editor.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpxError } from '../errors.ts';
import type { Env } from '../terminal/facts.ts';

/**
 * Runs $VISUAL or $EDITOR on a private temporary file and gives what it holds afterwards, less the line end that
 * editors add. The terminal must be the editor's meanwhile.
 *
 * @throws McpxError `failure` when there is no editor, or it ends with an error
 */
export async function editText(text: string, kind: 'txt' | 'json', env: Env): Promise<string> {
  const [command, ...args] = (env['VISUAL'] || env['EDITOR'] || 'vi')
    .split(/\s+/)
    .filter((word) => word !== '');
  if (command === undefined) throw noEditor('is empty');
  const dir = await mkdtemp(join(tmpdir(), 'mcpx-'));
  try {
    const file = join(dir, `answer.${kind}`);
    await writeFile(file, text, { mode: 0o600 });
    await run(command, [...args, file]);
    const changed = await readFile(file, 'utf8');
    return text.endsWith('\n') ? changed : changed.replace(/\r?\n$/, '');
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function run(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    child.once('error', () => reject(noEditor(`is "${command}", which cannot be started`)));
    child.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(new McpxError('failure', `The editor ended with ${code}; the text is unchanged.`)),
    );
  });
}

function noEditor(why: string): McpxError {
  return new McpxError('failure', `The editor ${why}.`, 'Set EDITOR to the editor you use.');
}
