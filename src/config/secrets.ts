// The values of one server's configuration that must not come back out of mcpx (docs/security.md, "Configured secrets").
import { looksSecret } from '../form/secret.ts';
import type { Secret } from '../text/redact.ts';
import type { Env } from './paths.ts';

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}/g;

/** Headers that carry credentials, whatever is in them. */
const CREDENTIAL_HEADER = /^(?:(?:proxy-)?authorization|cookie|x-.*(?:key|token|secret|auth).*|api-?key)$/i;

/**
 * What the environment filled into `headers` and `env` of a server, under the variable's name, and what is written there
 * under a name that says it is a secret.
 *
 * @param written the server's entry as it stands in the file
 */
export function serverSecrets(written: unknown, env: Env): Secret[] {
  const secrets: Secret[] = [];
  for (const part of ['headers', 'env'] as const) {
    for (const [key, text] of Object.entries(objectAt(written, part))) {
      if (typeof text !== 'string') continue;
      const named = part === 'headers' ? CREDENTIAL_HEADER.test(key) : looksSecret({ name: key });
      const taken = [...text.matchAll(REFERENCE)].flatMap(([, name = '']) => {
        const value = env[name];
        return value ? [{ name, value, certain: named || looksSecret({ name }) }] : [];
      });
      secrets.push(...taken.flatMap(withCredentials));
      if (named && taken.length === 0)
        secrets.push(...withCredentials({ name: key, value: text, certain: true }));
    }
  }
  return secrets;
}

/** `Bearer …` and `Basic …` also without the scheme, and what Basic holds. */
function withCredentials(secret: Secret): Secret[] {
  const { value } = secret;
  const [, scheme = '', rest = ''] = /^(\w+) +(\S.*)$/.exec(value) ?? [];
  const token = rest === '' ? value : rest;
  const all = rest === '' ? [secret] : [secret, { ...secret, value: rest }];
  if (scheme !== '' && scheme.toLowerCase() !== 'basic') return all;
  const decoded = Buffer.from(token, 'base64');
  const text = decoded.toString('utf8');
  const isPair =
    decoded.toString('base64').replace(/=+$/, '') === token.replace(/=+$/, '') && text.includes(':');
  if (!isPair || /[^\x20-\x7e]/.test(text)) return all;
  return [...all, { ...secret, value: text }, { ...secret, value: text.slice(text.indexOf(':') + 1) }];
}

function objectAt(value: unknown, key: string): Record<string, unknown> {
  const found = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {};
}
