// What requests may hold and what answers look like: these schemas check the one and document both.
import { z } from 'zod';
import { REVISIONS } from '../protocol/types.ts';

export const STATES = [
  'pending',
  'accepted',
  'declined',
  'cancelled',
  'expired',
  'withdrawn',
  'lost',
] as const;
const AUDIENCES = ['host', 'human', 'script', 'agent', 'policy'] as const;
const ACTIONS = ['accept', 'decline', 'cancel'] as const;

const json = z.record(z.string(), z.unknown());
const time = z.string().meta({ format: 'date-time' });

/** A row as `rowJson` prints it. */
export const row = z.object({
  id: z.string().meta({ description: '`elc-` and 16 hex digits' }),
  state: z.enum(STATES),
  server: z.string(),
  mode: z.enum(['form', 'url']),
  message: z.string(),
  requestedSchema: json.optional(),
  url: z.string().optional(),
  elicitationId: z.string().optional(),
  method: z.string().optional(),
  tool: z.string().optional(),
  call: z.string().optional(),
  host: z.object({ name: z.string(), revision: z.enum(REVISIONS), inline: z.boolean() }).optional(),
  principal: z.string(),
  audience: z.enum(AUDIENCES),
  sensitive: z.boolean(),
  createdAt: time,
  expiresAt: time,
  answer: z
    .object({
      action: z.enum(ACTIONS),
      content: json.optional(),
      redacted: z.literal(true).optional(),
      by: z.string(),
      at: time,
    })
    .optional(),
  deliveredAt: time.optional(),
  completedAt: time.optional(),
  undelivered: z.literal(true).optional().meta({
    description:
      'answered, but the gateway that held the call was gone before the server had the answer: nobody gets it any more; `reason` says why',
  }),
  reason: z.string().optional(),
});

export const rows = z.object({
  rows: z.array(row),
  next: z.string().optional().meta({ description: 'the `after` of the next page; absent on the last one' }),
});

export const listQuery = z.strictObject({
  state: z.enum([...STATES, 'all']).default('pending'),
  server: z.string().optional(),
  audience: z.enum(AUDIENCES).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  after: z.string().optional().meta({ description: '`next` of the page before' }),
});

const by = z
  .enum(['rest', 'cli', 'tui'])
  .default('rest')
  .meta({ description: 'the surface that a person answered on' });

export const acceptBody = z.strictObject({
  content: json.optional().meta({
    description:
      'the answer to a form, as its requestedSchema has it; fields that are left out get their default',
  }),
  defaults: z.boolean().default(true).meta({ description: 'false: fields that are left out stay out' }),
  consent: z
    .literal(true)
    .optional()
    .meta({ description: 'a url question: a person consents to open its URL' }),
  by,
});

export const refuseBody = z.strictObject({ by });

export const doneBody = z.strictObject({});

export const callBody = z.strictObject({
  server: z.string().meta({ description: 'the key of the server in the configuration' }),
  tool: z.string().meta({ description: 'the name of the tool, as the server has it' }),
  arguments: json.optional(),
});

/** What `tools/call` gives, in the words of 2025-11-25. */
export const toolResult = z.looseObject({
  content: z.array(z.unknown()),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});

export const unfinished = z.object({ call: z.string(), questions: z.array(row) });

export const servers = z.object({
  servers: z.array(
    z.object({
      name: z.string(),
      transport: z.enum(['stdio', 'http']),
      state: z.enum(['ready', 'failed', 'idle', 'disabled']),
      era: z.enum(['legacy', 'modern']).optional(),
      revision: z.enum(REVISIONS).optional(),
      eraReason: z.string().optional(),
      error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }).optional(),
    }),
  ),
});

export const health = z.object({
  status: z.enum(['ok', 'degraded']).describe('degraded: questions cannot be kept now'),
  version: z.string(),
  store: z
    .object({
      state: z.enum(['unavailable', 'reopened']),
      reason: z.string().describe('which file of the store was removed or replaced'),
      since: z.iso.datetime(),
      error: z.string().optional().describe('why it could not be opened anew yet'),
    })
    .optional()
    .describe('there once files of the store were taken away while the gateway ran'),
});

const fieldProblem = z.object({
  path: z.string().meta({ description: 'a JSON pointer, empty for the whole' }),
  message: z.string(),
});

export const failure = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    hint: z.string().optional(),
    errors: z.array(fieldProblem).optional(),
  }),
});

export const lostRace = z.object({ ...failure.shape, row });

/** The members whose value is not undefined. */
export function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const there = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(there) as { [K in keyof T]: Exclude<T[K], undefined> };
}
