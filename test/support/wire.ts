// Holds what mcpx sent against the official schema of the receiver's revision, strictly, where the schemas are at hand.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WireEntry } from './host.ts';
import { ROOT } from './processes.ts';

type Lint = (revision: string, type: string, message: unknown) => string[];
type Json = Record<string, unknown>;

const REQUESTS: Readonly<Record<string, { request: string; result: string }>> = {
  'server/discover': { request: 'DiscoverRequest', result: 'DiscoverResult' },
  'subscriptions/listen': { request: 'SubscriptionsListenRequest', result: 'SubscriptionsListenResult' },
  initialize: { request: 'InitializeRequest', result: 'InitializeResult' },
  ping: { request: 'PingRequest', result: 'EmptyResult' },
  'tools/list': { request: 'ListToolsRequest', result: 'ListToolsResult' },
  'tools/call': { request: 'CallToolRequest', result: 'CallToolResult' },
  'resources/list': { request: 'ListResourcesRequest', result: 'ListResourcesResult' },
  'resources/templates/list': {
    request: 'ListResourceTemplatesRequest',
    result: 'ListResourceTemplatesResult',
  },
  'resources/read': { request: 'ReadResourceRequest', result: 'ReadResourceResult' },
  'resources/subscribe': { request: 'SubscribeRequest', result: 'EmptyResult' },
  'resources/unsubscribe': { request: 'UnsubscribeRequest', result: 'EmptyResult' },
  'prompts/list': { request: 'ListPromptsRequest', result: 'ListPromptsResult' },
  'prompts/get': { request: 'GetPromptRequest', result: 'GetPromptResult' },
  'completion/complete': { request: 'CompleteRequest', result: 'CompleteResult' },
  'logging/setLevel': { request: 'SetLevelRequest', result: 'EmptyResult' },
  'elicitation/create': { request: 'ElicitRequest', result: 'ElicitResult' },
  'sampling/createMessage': { request: 'CreateMessageRequest', result: 'CreateMessageResult' },
  'roots/list': { request: 'ListRootsRequest', result: 'ListRootsResult' },
};

const NOTIFICATIONS: Readonly<Record<string, string>> = {
  'notifications/subscriptions/acknowledged': 'SubscriptionsAcknowledgedNotification',
  'notifications/initialized': 'InitializedNotification',
  'notifications/cancelled': 'CancelledNotification',
  'notifications/progress': 'ProgressNotification',
  'notifications/message': 'LoggingMessageNotification',
  'notifications/tools/list_changed': 'ToolListChangedNotification',
  'notifications/resources/list_changed': 'ResourceListChangedNotification',
  'notifications/resources/updated': 'ResourceUpdatedNotification',
  'notifications/prompts/list_changed': 'PromptListChangedNotification',
  'notifications/roots/list_changed': 'RootsListChangedNotification',
  'notifications/elicitation/complete': 'ElicitationCompleteNotification',
};

const SHARED = [process.env['MCPX_SHARED'], join(ROOT, '..', 'shared'), join(ROOT, '..', '..', 'shared')];

/** The lint of ../shared, or undefined where it is not there. */
export async function loadLint(): Promise<Lint | undefined> {
  const folder = SHARED.find((path) => path && existsSync(join(path, 'tools', 'wire-lint.mjs')));
  if (folder === undefined) return undefined;
  const url = pathToFileURL(join(folder, 'tools', 'wire-lint.mjs')).href;
  return ((await import(url)) as { lint: Lint }).lint;
}

export interface WireCheck {
  readonly revision: string;
  /**
   * Values the upstream wrote and mcpx passes on unchanged, by JSON pointer into the message (`/params/requestedSchema`,
   * `/result`); each is left out of the check.
   */
  readonly exempt?: readonly string[];
}

/** What stands in for an exempt value: the least of its kind that every schema takes. */
function standIn(key: string, value: unknown): unknown {
  if (key === 'requestedSchema') return { type: 'object', properties: {} };
  return Array.isArray(value) ? [] : {};
}

function without(message: Json, exempt: readonly string[]): Json {
  const copy = structuredClone(message);
  for (const pointer of exempt) {
    const parts = pointer.split('/').slice(1);
    const last = parts.pop() ?? '';
    const parent = parts.reduce<unknown>((node, part) => (node as Json | undefined)?.[part], copy) as
      | Json
      | undefined;
    if (parent === undefined || parent === null || !(last in parent)) continue;
    parent[last] = standIn(last, parent[last]);
  }
  return copy;
}

/** A lint of a message as the type of its kind; the envelope is checked where the revision's type does not include it. */
function lintMessage(lint: Lint, revision: string, type: string, message: Json): string[] {
  const whole = lint(revision, type, message);
  const { jsonrpc, id: _id, ...bare } = message;
  if (!whole.some((line) => line.includes("'jsonrpc'"))) return whole;
  return jsonrpc === '2.0' ? lint(revision, type, bare) : ['/jsonrpc is not "2.0"'];
}

/**
 * The violations in the messages that mcpx sent, one line each; empty where there are none. `entries` is the wire of a
 * peer in order; `sent` says which of them mcpx wrote.
 */
export function violations(lint: Lint, entries: readonly WireEntry[], check: WireCheck): string[] {
  const { revision, exempt = [] } = check;
  const methods = new Map<string, string>();
  const found: string[] = [];
  const key = (mine: boolean, id: unknown): string => `${mine} ${JSON.stringify(id)}`;
  for (const { dir, text } of entries) {
    const message = JSON.parse(text) as Json;
    const mine = dir === 'in';
    const method = message['method'] as string | undefined;
    if (method !== undefined && 'id' in message) methods.set(key(mine, message['id']), method);
    if (!mine) continue;
    let type: string | undefined;
    let subject = message;
    if (method !== undefined) {
      type = 'id' in message ? REQUESTS[method]?.request : NOTIFICATIONS[method];
    } else if ('error' in message) {
      type = revision >= '2025-11-25' ? 'JSONRPCErrorResponse' : 'JSONRPCError';
      if ((message['error'] as Json)['code'] === -32042)
        type = revision === '2025-11-25' ? 'URLElicitationRequiredError' : undefined;
    } else {
      type = REQUESTS[methods.get(key(false, message['id'])) ?? '']?.result;
      subject = without(message, exempt)['result'] as Json;
      if (subject?.['resultType'] === 'input_required') type = 'InputRequiredResult';
    }
    if (type === undefined) found.push(`a message of no known kind: ${text.slice(0, 200)}`);
    else if (subject !== undefined) {
      const lines = lintMessage(
        lint,
        revision,
        type,
        subject === message ? without(message, exempt) : subject,
      );
      for (const line of lines) found.push(`${type} ${line} in ${text.slice(0, 300)}`);
    }
  }
  return found;
}

/** Throws with the violations of a host's wire, or of an upstream's journal; does nothing where the schemas are not there. */
export async function checkWire(entries: readonly WireEntry[], check: WireCheck): Promise<void> {
  const lint = await loadLint();
  if (lint === undefined) return;
  const found = violations(lint, entries, check);
  if (found.length > 0)
    throw new Error(`mcpx sent what ${check.revision} does not define:\n${found.join('\n')}`);
}
