// What one host of a shared channel may do to the others: nothing (docs/relay.md, "Calls, channels and attribution").
//
// | what a host says            | what the upstream of a shared channel is told                                             |
// | --------------------------- | -------------------------------------------------------------------------------------- |
// | capabilities                | hosts that declared something else have another channel (`channels.ts`)                      |
// | resources/subscribe         | once for each URI; a later host is answered here                                       |
// | resources/unsubscribe       | when the last host that had subscribed leaves it, or is gone                           |
// | logging/setLevel            | the lowest level that any host asked for; each host hears from its own level on        |
// | the same, in a request      | (2026-07-28) a modern upstream gets it with that request, a legacy one as above        |
// | notifications/cancelled     | under the id that the connection itself gave to that one call (`upstream/engine.ts`)       |
// | progressToken               | the id of the call instead, so that two hosts may choose one token (`send-call.ts`)     |
// | roots/list_changed          | as it came; a roots/list is answered by the host of the only call that runs, or nobody   |
// | completion, lists, reads    | as they came: each is a call of its own, and leaves nothing behind                     |
//
// What the upstream says to all (list changes, log lines of no known call) goes to all; an update of a resource to those
// who subscribed to it.
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { json, quote } from '../../protocol/json-text.ts';
import { isSevere, levelIn, lowestOf } from '../../protocol/log-level.ts';
import { isLegacy } from '../../protocol/revisions.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import type { Connection } from '../../upstream/types.ts';
import type { Requester } from '../requesters.ts';
import type { Channel } from './channel.ts';

/** From which level on a host hears that named none, while another host of its channel did: neither flooded nor cut off. */
const USUAL = 'info';
const LEVEL = 'logging/setLevel';

/** The level at which the upstream has to speak for all hosts of a channel; undefined while none has asked for any. */
export function lowestLevel(channel: Channel): string | undefined {
  return lowestOf([...channel.hosts].flatMap(({ logLevel }) => levelIn(logLevel) ?? []));
}

/** Whether a host of this channel wants a log message of this level. */
export function wantsLog(channel: Channel, host: Requester, level: string): boolean {
  const own = levelIn(host.logLevel);
  if (own !== undefined) return isSevere(level, own);
  if (!host.hearsLogsUnasked) return false;
  return lowestLevel(channel) === undefined || isSevere(level, USUAL);
}

/**
 * Tells the upstream of a shared channel the level that all its hosts together need, where that is another than it was told
 * last. `send` takes the params of `logging/setLevel`; `own` are the params of the host that has just asked.
 */
export function settleLevel(
  channel: Channel,
  send: (params: JsonText) => Promise<Reply | undefined>,
  own?: JsonText,
): Promise<Reply | undefined> {
  return channel.inTurn(LEVEL, async () => {
    const level = lowestLevel(channel);
    if (level === undefined || level === channel.toldLevel) return { result: '{}' };
    channel.toldLevel = level;
    const reply = await send(
      own !== undefined && levelIn(own) === level ? own : json`{"level":${quote(level)}}`,
    );
    if (reply !== undefined && 'error' in reply) channel.toldLevel = undefined;
    return reply;
  });
}

/** The URIs that hosts of this channel are subscribed to, each once. */
export function subscribedOn(channel: Channel): ReadonlySet<string> {
  const uris = [...channel.hosts].flatMap(({ subscriptions }) =>
    [...subscriptions].flatMap(([uri, server]) => (server === channel.server ? [uri] : [])),
  );
  return new Set(uris);
}

/**
 * Begins or ends one host's subscription. The upstream is told, by `send`, of the first host of a URI and of the last one;
 * a URI that no host is subscribed to is always the upstream's to judge.
 */
export function changeSubscription(
  channel: Channel,
  host: Requester,
  uri: string,
  change: { readonly wanted: boolean; readonly send: () => Promise<Reply | undefined> },
): Promise<Reply | undefined> {
  return channel.inTurn(`subscription ${uri}`, async () => {
    const others = [...channel.hosts].some(
      (other) => other !== host && other.subscriptions.get(uri) === channel.server,
    );
    const reply: Reply | undefined = others ? { result: '{}' } : await change.send();
    if (reply === undefined || 'error' in reply) return reply;
    if (change.wanted) host.subscriptions.set(uri, channel.server);
    else host.subscriptions.delete(uri);
    return reply;
  });
}

/** Listens to a modern upstream for one URI, or no longer: it has no request for that. */
export function listenTo(channel: Channel, connection: Connection, uri: string, wanted: boolean): void {
  channel.listening.get(uri)?.abort();
  channel.listening.delete(uri);
  if (!wanted) return;
  const ended = new AbortController();
  channel.listening.set(uri, ended);
  const signal = AbortSignal.any([ended.signal, channel.ending]);
  connection.subscribe?.({ tools: false, prompts: false, resources: false, uris: [uri] }, signal);
}

/** Takes a host off a shared channel that others go on using: what only it had asked of the upstream ends. */
export function leaveShared(channel: Channel, host: Requester, log: Log): void {
  channel.hosts.delete(host);
  const { connection, server } = channel;
  if (connection === undefined || connection.closed) return;
  const modern = !isLegacy(connection.info.revision);
  const tell = (method: string, params: JsonText): Promise<Reply> =>
    connection.request(method, params, { signal: channel.ending });
  const failed = (error: unknown): void =>
    log.debug({ server, error: messageOf(error) }, 'an upstream was not told that a host is gone');
  if (channel.hosts.size > 0 && !modern && connection.info.capabilities['logging'] !== undefined)
    settleLevel(channel, (params) => tell(LEVEL, params)).catch(failed);
  for (const [uri, owner] of host.subscriptions) {
    if (owner !== server) continue;
    channel
      .inTurn(`subscription ${uri}`, async () => {
        if (subscribedOn(channel).has(uri)) return;
        if (modern) listenTo(channel, connection, uri, false);
        else await tell('resources/unsubscribe', json`{"uri":${quote(uri)}}`);
      })
      .catch(failed);
  }
}
