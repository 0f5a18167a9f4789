// One `subscriptions/listen`: what was asked for, the acknowledgement, and notices with its id (basic/patterns/subscriptions).
import {
  elements,
  isArray,
  isObject,
  json,
  jsonOf,
  member,
  objectText,
  quote,
  stringOf,
  withAt,
} from '../../protocol/json-text.ts';
import { notificationText, replyText } from '../../protocol/message.ts';
import { META } from '../../protocol/meta.ts';
import type { JsonText } from '../../protocol/types.ts';
import { LateNotices } from '../late-notices.ts';
import type { ListenFilter } from '../types.ts';
import { StatelessExchange } from './stateless-exchange.ts';

const LISTS = [
  ['tools', 'toolsListChanged'],
  ['prompts', 'promptsListChanged'],
  ['resources', 'resourcesListChanged'],
] as const;

/** Reads `params.notifications`; a sentence where it is none. */
export function readFilter(params: JsonText | undefined): ListenFilter | string {
  const text = params === undefined ? undefined : member(params, 'notifications');
  if (text === undefined || !isObject(text)) return 'notifications is not an object';
  const flags = { tools: false, prompts: false, resources: false };
  for (const [kind, key] of LISTS) {
    const value = member(text, key);
    if (value !== undefined && value !== 'true' && value !== 'false')
      return `notifications.${key} is not a boolean`;
    flags[kind] = value === 'true';
  }
  const list = member(text, 'resourceSubscriptions');
  const uris = list === undefined ? [] : isArray(list) ? elements(list).map(stringOf) : undefined;
  if (uris === undefined || !uris.every((uri) => uri !== undefined))
    return 'notifications.resourceSubscriptions is not an array of strings';
  return { ...flags, uris };
}

export class HostSubscription extends StatelessExchange {
  readonly #late = new LateNotices();
  #honoured: ListenFilter | undefined;
  #early: [method: string, params: JsonText | undefined][] = [];

  /** Tells the host what it will hear of; from now on it does. */
  acknowledge(honoured: ListenFilter): void {
    if (this.finished) return;
    const kept = LISTS.filter(([kind]) => honoured[kind]).map(([, key]) => [key, 'true'] as const);
    const { uris } = honoured;
    const list = uris.length === 0 ? [] : [['resourceSubscriptions', jsonOf(uris)] as const];
    const agreed = json`{"notifications":${objectText([...kept, ...list])}}`;
    const method = 'notifications/subscriptions/acknowledged';
    this.stream.send(notificationText(method, this.#stamped(agreed)), true);
    this.#honoured = honoured;
    for (const [method, params] of this.#early.splice(0)) this.notify(method, params);
  }

  /** Passes on what was asked for and acknowledged, and nothing else. */
  override notify(method: string, params: JsonText | undefined): void {
    if (this.finished) return;
    if (this.#honoured === undefined) this.#early.push([method, params]);
    else if (covers(this.#honoured, method, params)) this.#send(method, params ?? '{}');
  }

  /** Ends it on mcpx's own initiative, which the host is told by the result ("Graceful Closure"). */
  end(reason: string, serverInfo: JsonText): void {
    if (this.finished) return;
    const meta = json`{${quote(META.subscriptionId)}:${this.id},${quote(META.serverInfo)}:${serverInfo}}`;
    this.stream.send(replyText(this.id, { result: json`{"resultType":"complete","_meta":${meta}}` }), true);
    this.abort(reason);
  }

  #send(method: string, params: JsonText): void {
    this.#late.send(this.stream, method, params, notificationText(method, this.#stamped(params)));
  }

  #stamped(params: JsonText): JsonText {
    return withAt(params, ['_meta', META.subscriptionId], this.id);
  }
}

function covers(filter: ListenFilter, method: string, params: JsonText | undefined): boolean {
  switch (method) {
    case 'notifications/tools/list_changed':
      return filter.tools;
    case 'notifications/prompts/list_changed':
      return filter.prompts;
    case 'notifications/resources/list_changed':
      return filter.resources;
    case 'notifications/resources/updated':
      return filter.uris.includes(stringOf(params === undefined ? undefined : member(params, 'uri')) ?? '');
    default:
      return false;
  }
}
