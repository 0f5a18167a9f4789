// Notifications of upstreams, each to the host or hosts it concerns and in the words of their revision.
import { at, member, read } from '../../protocol/json-text.ts';
import { levelIn } from '../../protocol/log-level.ts';
import { spellNotification } from '../../protocol/spell-message.ts';
import type { JsonText } from '../../protocol/types.ts';
import type { UpstreamNotification } from '../../upstream/types.ts';
import type { Requester } from '../requesters.ts';
import { attribute, type Channel } from './channel.ts';
import { wantsLog } from './shared-channel.ts';

/** Passes a notification on; what mcpx does not know is dropped, since no host declared to understand it. */
export function passNotification(channel: Channel, note: UpstreamNotification): void {
  switch (note.method) {
    case 'notifications/progress':
      passProgress(channel, note.params);
      return;
    case 'notifications/message':
      passLog(channel, note);
      return;
    case 'notifications/resources/updated':
      passUpdate(channel, note);
      return;
    case 'notifications/tools/list_changed':
    case 'notifications/prompts/list_changed':
    case 'notifications/resources/list_changed':
      for (const host of channel.hosts) tell(host, note.method, note.params);
  }
}

/** Sends a session-wide notification to a host, if its revision knows it. */
export function tell(host: Requester, method: string, params: JsonText | undefined): void {
  const spelled = spellNotification(host.session.facts.revision, method, params ?? '{}');
  if (spelled !== undefined) host.session.notify(method, params === undefined ? undefined : spelled);
}

function passProgress(channel: Channel, params: JsonText | undefined): void {
  const token = params === undefined ? undefined : member(params, 'progressToken');
  // Towards upstreams the token is the id of the call.
  const call = token === undefined ? undefined : channel.calls.get(String(read(token)));
  if (params !== undefined) call?.context.progress?.relay(params);
}

function passLog(channel: Channel, note: UpstreamNotification): void {
  const { call, host } = attribute(channel, note.origin);
  const level = levelIn(note.params);
  // What names no level of the protocol is no log message.
  if (note.params === undefined || level === undefined || (host && !wantsLog(channel, host, level))) return;
  const spelled = host && spellNotification(host.session.facts.revision, note.method, note.params);
  if (call?.context.open()?.streams && spelled !== undefined) {
    call.context.exchange.notify(note.method, spelled);
    return;
  }
  // A log line is no secret of one host: on a shared channel whose call is not known it concerns all.
  for (const one of host ? [host] : channel.hosts)
    if (wantsLog(channel, one, level)) tell(one, note.method, note.params);
}

function passUpdate(channel: Channel, note: UpstreamNotification): void {
  const uri = note.params === undefined ? undefined : at(note.params, ['uri']);
  if (uri === undefined) return;
  const updated = String(read(uri));
  for (const host of channel.hosts) {
    const wanted = [...host.subscriptions].some(
      ([subscribed, server]) => server === channel.server && covers(subscribed, updated),
    );
    if (wanted) tell(host, note.method, note.params);
  }
}

/**
 * Whether an update of `updated` is one of the resource `subscribed`, or of what lies below it
 * (server/resources, "Subscriptions"): `file:///a/b` is below `file:///a`, and `file:///ab` is not.
 */
export function covers(subscribed: string, updated: string): boolean {
  if (!updated.startsWith(subscribed)) return false;
  return (
    updated.length === subscribed.length ||
    /[/?#]$/.test(subscribed) ||
    /^[/?#]/.test(updated.slice(subscribed.length))
  );
}
