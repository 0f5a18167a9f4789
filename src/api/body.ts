// The body of a request: JSON of bounded size, or nothing.

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { McpxError } from '../errors.ts';
import { readBytes } from '../host/http-body.ts';
import { trustedJson } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import { Refused } from './refused.ts';
import type { Route } from './route.ts';

/**
 * The text of the body, `{}` where there is none. Another type than JSON is refused (415): a web page can post
 * `text/plain` across sites without asking (C27).
 *
 * @throws Refused 400, 413, 415
 */
export async function readJson(
  request: IncomingMessage,
  most: NonNullable<Route['most']>,
): Promise<JsonText> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== undefined && type !== 'application/json') throw notJson();
  const bytes = await readBytes(request, most.bytes);
  if (bytes === undefined) throw tooLarge(most.limit);
  if (bytes.length === 0) return '{}';
  if (type === undefined) throw notJson();
  const text = isUtf8(bytes) ? bytes.toString('utf8').trim() : '';
  try {
    JSON.parse(text);
    return trustedJson(text);
  } catch (error) {
    throw new Refused(
      400,
      new McpxError('usage', 'The body is not JSON in UTF-8.', undefined, { cause: error }),
    );
  }
}

/** A body, or the answer in it, that is over a limit. */
export function tooLarge(limit: string): Refused {
  return new Refused(
    413,
    new McpxError('limit', `The request is larger than ${limit} allows.`, `Raise ${limit} in mcpx.json.`),
  );
}

function notJson(): Refused {
  return new Refused(
    415,
    new McpxError(
      'usage',
      'The body of a request must be JSON.',
      'Send it with "Content-Type: application/json".',
    ),
  );
}
