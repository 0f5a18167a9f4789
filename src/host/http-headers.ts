// What the headers of an MCP request say (basic/transports, "Streamable HTTP").
import type { IncomingMessage } from 'node:http';
import { RPC } from '../protocol/message.ts';
import { isLegacy, isRevision } from '../protocol/revisions.ts';
import { REVISIONS } from '../protocol/types.ts';
import { Refusal } from './http-answers.ts';

/** The forms of a response that the host takes. One that names neither form is taken to take both. */
export function acceptsOf(request: IncomingMessage): { json: boolean; stream: boolean } {
  const accept = request.headers.accept?.toLowerCase();
  if (accept === undefined || accept.includes('*/*')) return { json: true, stream: true };
  const json = accept.includes('application/json') || accept.includes('application/*');
  const stream = accept.includes('text/event-stream') || accept.includes('text/*');
  return json || stream ? { json, stream } : { json: true, stream: true };
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
    { data: JSON.stringify({ supported, requested: revision }) },
  );
}

/** A header that is sent once. */
export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
