// What one entry of `mcpServers` may hold, and which keys go together.

import { z } from 'zod';
import { readUrl } from '../url/read-url.ts';

const noNul = (text: string) => !text.includes('\0');

const text = (words: string) => z.string({ error: words }).refine(noNul, { error: `${words} without a NUL` });

const filled = (words: string) => text(words).refine((value) => value.trim() !== '', { error: words });

const URL_WORDS = 'a URL that begins with http:// or https://';

/** Credentials in a URL end up in logs; both are texts that HTTP clients refuse or drop. */
const url = z.string({ error: URL_WORDS }).superRefine((value, context) => {
  const parsed = readUrl(value);
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    context.addIssue({ code: 'custom', message: URL_WORDS });
  } else if (parsed.username !== '' || parsed.password !== '') {
    context.addIssue({
      code: 'custom',
      message: 'holds a user name or password; put them in "headers" as "authorization"',
      params: { clause: true },
    });
  }
});

export const serverShape = {
  command: filled('the name or path of a program').optional(),
  args: z.array(text('a text'), { error: 'a list of strings' }).optional(),
  env: z.record(z.string(), text('a text'), { error: 'an object with string values' }).optional(),
  cwd: filled('the path of a folder').optional(),
  url: url.optional(),
  headers: z.record(z.string(), text('a text'), { error: 'an object with string values' }).optional(),
};

type Shape = { readonly [key in keyof typeof serverShape]?: z.output<(typeof serverShape)[key]> | undefined };

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The pairs that cannot be, and names that the system would refuse. */
export function checkServer(
  server: Shape & { readonly type?: string | undefined },
  context: z.core.$RefinementCtx,
): void {
  const say = (path: string[], clause: string, yields = false) => {
    context.addIssue({ code: 'custom', path, message: clause, params: { clause: true, yields } });
  };
  const { command, type } = server;
  if (command !== undefined && server.url !== undefined) {
    say(
      [],
      'has both "command" and "url"; keep "command" for a program, or "url" for a server on the network',
    );
    return;
  }
  if (command === undefined && server.url === undefined) {
    say([], 'needs "command" for a program to start, or "url" for a server on the network', true);
    return;
  }
  const strangers = command === undefined ? (['args', 'env', 'cwd'] as const) : (['headers'] as const);
  for (const key of strangers) {
    if (server[key] !== undefined) {
      say(
        [key],
        `goes with "${command === undefined ? 'command' : 'url'}", which this server lacks; remove it`,
      );
    }
  }
  if (type !== undefined && (type === 'stdio') !== (command !== undefined)) {
    const has = command === undefined ? 'url' : 'command';
    say(['type'], `is "${type}", but the server has "${has}"; remove "type"`);
  }
  for (const name of Object.keys(server.env ?? {})) {
    if (name === '' || /[=\0]/.test(name)) say(['env', name], 'is not the name of a variable; rename it');
  }
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(server.headers ?? {})) {
    if (!TOKEN.test(name)) say(['headers', name], 'is not the name of a header; rename it');
    // Anything else would split the request, or be refused by the HTTP client.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      say(['headers', name], 'holds a line break or a character that no header can carry; remove it');
    }
    if (seen.has(name.toLowerCase())) say(['headers', name], 'appears twice; remove one');
    seen.add(name.toLowerCase());
  }
}
