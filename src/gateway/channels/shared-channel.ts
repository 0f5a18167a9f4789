// What one host of a shared line may do to the others: nothing (design/2-relay.md, "Calls, channels and attribution").
//
// | what a host says            | what the upstream of a shared line is told                                             |
// | --------------------------- | -------------------------------------------------------------------------------------- |
// | capabilities                | hosts that declared something else have another line (`lines.ts`)                      |
// | resources/subscribe         | once for each URI; a later host is answered here                                       |
// | resources/unsubscribe       | when the last host that had subscribed leaves it, or is gone                           |
// | logging/setLevel            | the lowest level that any host asked for; each host hears from its own level on        |
// | the same, in a request      | (2026-07-28) a modern upstream gets it with that request, a legacy one as above        |
// | notifications/cancelled     | under the id that the channel itself gave to that one call (`upstream/engine.ts`)       |
// | progressToken               | the id of the call instead, so that two hosts may choose one token (`send-call.ts`)     |
// | roots/list_changed          | as it came; a roots/list is answered by the host of the only call that runs, or nobody   |
// | completion, lists, reads    | as they came: each is a call of its own, and leaves nothing behind                     |
//
// What the upstream says to all (list changes, log lines of no known call) goes to all; an update of a resource to those
// who subscribed to it.
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { quote } from '../../protocol/json-text.ts';
import { isSevere, levelIn, lowestOf } from '../../protocol/log-level.ts';
import { isLegacy } from '../../protocol/revisions.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import type { Channel } from '../../upstream/types.ts';
import type { Requester } from '../requesters.ts';
import type { Line } from './channel.ts';

/** From which level on a host hears that named none, while another host of its line did: neither flooded nor cut off. */
const USUAL = 'info';
const LEVEL = 'logging/setLevel';

/** The level at which the upstream has to speak for all hosts of a line; undefined while none has asked for any. */
export function lowestLevel(line: Line): string | undefined {
  return lowestOf([...line.hosts].flatMap(({ logLevel }) => levelIn(logLevel) ?? []));
}

/** Whether a host of this line wants a log message of this level. */
export function wantsLog(line: Line, host: Requester, level: string): boolean {
  const own = levelIn(host.logLevel);
  if (own !== undefined) return isSevere(level, own);
  if (!host.hearsLogsUnasked) return false;
  return lowestLevel(line) === undefined || isSevere(level, USUAL);
}

/**
 * Tells the upstream of a shared line the level that all its hosts together need, where that is another than it was told
 * last. `send` takes the params of `logging/setLevel`; `own` are the params of the host that has just asked.
 */
export function settleLevel(
  line: Line,
  send: (params: JsonText) => Promise<Reply | undefined>,
  own?: JsonText,
): Promise<Reply | undefined> {
  return line.inTurn(LEVEL, async () => {
    const level = lowestLevel(line);
    if (level === undefined || level === line.toldLevel) return { result: '{}' };
    line.toldLevel = level;
    const reply = await send(own !== undefined && levelIn(own) === level ? own : `{"level":${quote(level)}}`);
    if (reply !== undefined && 'error' in reply) line.toldLevel = undefined;
    return reply;
  });
}

/** The URIs that hosts of this line are subscribed to, each once. */
export function subscribedOn(line: Line): ReadonlySet<string> {
  const uris = [...line.hosts].flatMap(({ subscriptions }) =>
    [...subscriptions].flatMap(([uri, server]) => (server === line.server ? [uri] : [])),
  );
  return new Set(uris);
}

/**
 * Begins or ends one host's subscription. The upstream is told, by `send`, of the first host of a URI and of the last one;
 * a URI that no host is subscribed to is always the upstream's to judge.
 */
export function changeSubscription(
  line: Line,
  host: Requester,
  uri: string,
  change: { readonly wanted: boolean; readonly send: () => Promise<Reply | undefined> },
): Promise<Reply | undefined> {
  return line.inTurn(`subscription ${uri}`, async () => {
    const others = [...line.hosts].some(
      (other) => other !== host && other.subscriptions.get(uri) === line.server,
    );
    const reply: Reply | undefined = others ? { result: '{}' } : await change.send();
    if (reply === undefined || 'error' in reply) return reply;
    if (change.wanted) host.subscriptions.set(uri, line.server);
    else host.subscriptions.delete(uri);
    return reply;
  });
}

/** Listens to a modern upstream for one URI, or no longer: it has no request for that. */
export function listenTo(line: Line, channel: Channel, uri: string, wanted: boolean): void {
  line.listening.get(uri)?.abort();
  line.listening.delete(uri);
  if (!wanted) return;
  const ended = new AbortController();
  line.listening.set(uri, ended);
  const signal = AbortSignal.any([ended.signal, line.ending]);
  channel.subscribe?.({ tools: false, prompts: false, resources: false, uris: [uri] }, signal);
}

/** Takes a host off a shared line that others go on using: what only it had asked of the upstream ends. */
export function leaveShared(line: Line, host: Requester, log: Log): void {
  line.hosts.delete(host);
  const { channel, server } = line;
  if (channel === undefined || channel.closed) return;
  const modern = !isLegacy(channel.info.revision);
  const tell = (method: string, params: JsonText): Promise<Reply> =>
    channel.request(method, params, { signal: line.ending });
  const failed = (error: unknown): void =>
    log.debug({ server, error: messageOf(error) }, 'an upstream was not told that a host is gone');
  if (line.hosts.size > 0 && !modern && channel.info.capabilities['logging'] !== undefined)
    settleLevel(line, (params) => tell(LEVEL, params)).catch(failed);
  for (const [uri, owner] of host.subscriptions) {
    if (owner !== server) continue;
    line
      .inTurn(`subscription ${uri}`, async () => {
        if (subscribedOn(line).has(uri)) return;
        if (modern) listenTo(line, channel, uri, false);
        else await tell('resources/unsubscribe', `{"uri":${quote(uri)}}`);
      })
      .catch(failed);
  }
}
