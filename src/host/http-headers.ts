// What the headers of an MCP request say (basic/transports, "Streamable HTTP").

import type { IncomingMessage } from 'node:http';
import { jsonOf } from '../protocol/json-text.ts';
import { RPC } from '../protocol/message.ts';
import { isLegacy, isRevision } from '../protocol/revisions.ts';
import { REVISIONS } from '../protocol/types.ts';
import { Refusal } from './http-answers.ts';

/** The two forms of a response, as far as the host takes them. */
export interface Accepts {
  readonly json: boolean;
  readonly stream: boolean;
  /** Takes both, and would rather have a stream: by weight, or named first at the same weight. */
  readonly streamFirst: boolean;
}

/** The forms of a response that the host takes (RFC 9110 12.5.1). One that names neither form is taken to take both. */
export function acceptsOf(request: IncomingMessage): Accepts {
  const ranges = (request.headers.accept ?? '*/*').toLowerCase().split(',').map(rangeOf);
  const json = weightOf('application/json', ranges);
  const stream = weightOf('text/event-stream', ranges);
  if (json === 0 && stream === 0) return { json: true, stream: true, streamFirst: false };
  const place = (type: string): number => ranges.findIndex((range) => range.type === type);
  const named = place('text/event-stream') !== -1 && place('application/json') !== -1;
  const earlier = named && place('text/event-stream') < place('application/json');
  return {
    json: json > 0,
    stream: stream > 0,
    streamFirst: json > 0 && (stream > json || (stream === json && earlier)),
  };
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

/** What the most specific range that covers the type says of it; 0 where none does. */
function weightOf(type: string, ranges: readonly Range[]): number {
  for (const covering of [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const range = ranges.find((one) => one.type === covering);
    if (range !== undefined) return range.quality;
  }
  return 0;
}

/** One range of an Accept header and its weight. */
function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { type, quality: quality === undefined ? 1 : Number(quality) || 0 };
}

/** Refuses a body of another type: a web page can post `text/plain` across sites without asking (C27). */
export function expectJson(request: IncomingMessage): void {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/json') return;
  throw new Refusal(415, RPC.invalidRequest, 'The Content-Type of a message must be application/json.');
}

/** Refuses a revision that mcpx does not speak (2025-06-18 basic/transports, "Protocol Version Header"). */
export function expectRevision(request: IncomingMessage): void {
  const revision = headerOf(request, 'mcp-protocol-version');
  if (revision === undefined || (isRevision(revision) && isLegacy(revision))) return;
  const supported = REVISIONS.filter(isLegacy);
  throw new Refusal(
    400,
    RPC.invalidRequest,
    `The MCP-Protocol-Version of this request is not supported; send one of ${supported.join(', ')}.`,
    { data: jsonOf({ supported, requested: revision }) },
  );
}

/** A header that is sent once. */
export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
