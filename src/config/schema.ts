// The one description of mcpx.json. Its messages say what a value must be; problem.ts makes sentences of them.

import { z } from 'zod';
import { parseDuration } from '../text/duration.ts';
import { similar } from '../text/similar.ts';
import { readUrl } from '../url/read-url.ts';
import { filled, oneOf, section } from './parts.ts';
import { rules } from './rule-schema.ts';
import { checkServer, serverShape } from './server-schema.ts';

/** The local operator goes by this name, and sees everything. */
const OPERATOR = 'local';

const SHA256 = 'the SHA-256 of a token as 64 hex digits';

const token = section({
  name: filled('a name for the owner of the token').refine((name) => name !== OPERATOR, {
    error: `a name other than "${OPERATOR}", which is the operator's own`,
  }),
  sha256: z
    .string({ error: SHA256 })
    .regex(/^[0-9a-f]{64}$/i, { error: SHA256 })
    .toLowerCase(),
});

export const auth = section({
  tokens: z
    .array(token, { error: 'a list of tokens' })
    .superRefine((all, context) => {
      const seen = new Set<string>();
      for (const [index, { sha256 }] of all.entries()) {
        if (seen.has(sha256)) {
          context.addIssue({
            code: 'custom',
            path: [index, 'sha256'],
            message: 'is also the token of another entry; give each its own',
            params: { clause: true },
          });
        }
        seen.add(sha256);
      }
    })
    .default([]),
});

const DURATION = 'a duration such as "90s", "10m", "1h" or "30d"';

export const duration = z.string({ error: DURATION }).transform((text, context) => {
  const ms = parseDuration(text);
  // Nothing can be done in no time.
  if (ms !== undefined && ms > 0) return ms;
  context.issues.push({ code: 'custom', message: DURATION, input: text });
  return z.NEVER;
});

/** Whole numbers in a range, and the words for it. */
function whole(least: number, most: number, words: string) {
  return z
    .number({ error: words })
    .refine((value) => Number.isInteger(value) && value >= least && value <= most, { error: words });
}

const count = whole(1, 1_000_000_000, 'a whole number from 1 to 1000000000');

const host = z
  .string({ error: 'a host name or an address' })
  .regex(/^[^\s/]+$/, { error: 'a host name or an address' });

const ORIGIN = 'an origin such as "https://app.example.com"';
const origin = z
  .string({ error: ORIGIN })
  .refine((text) => readUrl(text)?.origin === text, { error: ORIGIN });

const elicit = section({
  ttl: duration,
  urlWait: duration,
  unattended: oneOf(['wait', 'cancel']),
  audience: oneOf(['all', 'host']),
  sensitive: oneOf(['seal', 'decline']),
  keep: duration,
  rules,
}).superRefine(({ audience, rules: all }, context) => {
  if (audience !== 'host') return;
  for (const [index, { action }] of all.entries()) {
    if (action.do !== 'ask' || action.audience === 'host') continue;
    context.addIssue({
      code: 'custom',
      path: ['rules', index, 'audience'],
      message: `cannot be "${action.audience}" while "elicit.audience" is "host"; change one of them`,
      params: { clause: true },
    });
  }
});

const serve = section({
  port: whole(0, 65_535, 'a whole number from 0 to 65535'),
  host,
  naming: oneOf(['auto', 'plain', 'prefix']),
  callTimeout: duration,
  callCeiling: duration,
  allowedHosts: z.array(host, { error: 'a list of host names' }),
  allowedOrigins: z.array(origin, { error: 'a list of origins' }),
  auth,
}).superRefine(({ callTimeout, callCeiling }, context) => {
  if (callTimeout <= callCeiling) return;
  context.addIssue({
    code: 'custom',
    path: ['callTimeout'],
    message: 'is longer than "serve.callCeiling", the limit for the whole call; change one of them',
    params: { clause: true },
  });
});

const limits = section({
  messageBytes: count,
  schemaBytes: count,
  properties: count,
  options: count,
  answerBytes: count,
  frameBytes: count,
  openPerServer: count,
  newPerMinute: count,
  questionsPerRound: count,
  parkedCalls: count,
  channels: count,
  sessions: count,
});

const server = section({
  ...serverShape,
  era: oneOf(['follow', 'legacy', 'modern']).optional(),
  isolation: oneOf(['session', 'shared']).optional(),
  type: oneOf(['stdio', 'http', 'streamable-http', 'sse']).optional(),
  callTimeout: duration.optional(),
  disabled: z.boolean({ error: 'true or false' }).optional(),
}).superRefine(checkServer);

/** The whole file, with every default filled in before it is parsed. */
export const file = section({
  $schema: z.string({ error: 'a text' }).optional(),
  mcpServers: z.record(z.string(), server, { error: 'an object of servers by name' }),
  elicit,
  serve,
  limits,
}).superRefine(({ mcpServers, elicit: { rules: all } }, context) => {
  // A rule for a mistyped server would be silent, and its questions answered as if it were not there.
  for (const [index, { match }] of all.entries()) {
    if (match.server === undefined || Object.hasOwn(mcpServers, match.server)) continue;
    const meant = similar(match.server, Object.keys(mcpServers));
    context.addIssue({
      code: 'custom',
      path: ['elicit', 'rules', index, 'match', 'server'],
      message: `is not a server of "mcpServers"; ${meant === undefined ? 'correct it, or remove the rule' : `did you mean ${JSON.stringify(meant)}?`}`,
      params: { clause: true },
    });
  }
});

export type RawServer = z.output<typeof server>;
