// `sampling/createMessage` and `roots/list`: inline only, to a host that declared them; nobody else can answer.
import { messageOf } from '../../errors.ts';
import { declares, undeclared } from '../../protocol/capabilities.ts';
import { isToken } from '../../protocol/ids.ts';
import { at, withAt } from '../../protocol/json-text.ts';
import { errorReply, RPC } from '../../protocol/message.ts';
import { spellRequest } from '../../protocol/spell-message.ts';
import type { JsonText } from '../../protocol/types.ts';
import { attribute, type Channel } from '../channels/channel.ts';
import type { Asking, QuestionDeps } from './question.ts';

const NEEDS = new Map<string, 'sampling' | 'roots'>([
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

/** Passes a request of an upstream to the host it belongs to, or answers -32601 (docs/relay.md, "The rest of MCP"). */
export async function passRequest(
  { quota }: Pick<QuestionDeps, 'quota'>,
  channel: Channel,
  request: Asking & { readonly method: string },
): Promise<void> {
  const { host, call } = attribute(channel, request.origin);
  const need = NEEDS.get(request.method);
  const session = host?.session;
  const able =
    session && need && declares(session.facts.capabilities, need) && session.reachable(call?.context.open());
  if (!able) {
    await request.reply(errorReply(RPC.methodNotFound, `no host can answer ${request.method}`));
    return;
  }
  const beyond = undeclared(request.method, request.params, channel.capabilities);
  if (beyond !== undefined) {
    await request.reply(
      errorReply(RPC.invalidParams, `${request.method} with ${beyond}: ${need}.tools was not declared`),
    );
    return;
  }
  const place = quota.takeInline(call ?? host);
  if (typeof place === 'string') {
    await request.reply(errorReply(RPC.invalidParams, place));
    return;
  }
  const release = channel.pauseTimeouts(call);
  try {
    const ends = [request.signal, session.ended, ...(call ? [call.ended] : [])];
    const params = request.params && withSoundToken(request.params);
    const spelled = params && spellRequest(session.facts.revision, request.method, params);
    const via = call?.context.open();
    const reply = await session.request(request.method, spelled, {
      signal: AbortSignal.any(ends),
      ...(via && { via }),
    });
    await request.reply(reply);
  } catch (error) {
    await request.reply(errorReply(RPC.internal, messageOf(error)));
  } finally {
    release();
    place();
  }
}

/** A `progressToken` that is none is not passed on. */
function withSoundToken(params: JsonText): JsonText {
  const path = ['_meta', 'progressToken'];
  const token = at(params, path);
  return token === undefined || isToken(token) ? params : withAt(params, path, undefined);
}
