// Who may use the gateway over HTTP: `serve.auth` (docs/broker.md, "Ownership").
import { z } from 'zod';
import { filled, section } from './parts.ts';

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
