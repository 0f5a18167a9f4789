// Requests of stateless hosts (2026-07-28): each stands alone, and what must survive until the next is sealed into it.
import { createHash } from 'node:crypto';
import type { ServerConfig } from '../../config/types.ts';
import { isMcpxError, messageOf } from '../../errors.ts';
import type { StatelessRequest } from '../../host/types.ts';
import { errorReply, RPC } from '../../protocol/message.ts';
import type { Reply } from '../../protocol/types.ts';
import { progressOf } from '../calls/progress.ts';
import { LoneRequester, levelOf, silentSession } from '../requesters.ts';
import { failureReply, serveRequest } from '../routing/serve-request.ts';
import { INTERRUPTIBLE } from './round.ts';
import { type LiveCalls, StatelessCall, type StatelessDeps } from './stateless-call.ts';

/** Serves the requests of all stateless hosts. */
export class Stateless {
  readonly #deps: StatelessDeps;
  readonly #live: LiveCalls = new WeakMap();

  constructor(deps: StatelessDeps) {
    this.#deps = deps;
  }

  /** Resolves with a final result or an `input_required` one; every failure is an error reply. */
  async serve(request: StatelessRequest): Promise<Reply> {
    try {
      if (!INTERRUPTIBLE.has(request.method)) return await this.#plain(request);
      return await new StatelessCall(this.#deps, this.#live, request).reply();
    } catch (error) {
      if (isMcpxError(error)) return failureReply(request.facts, error);
      if (!request.signal.aborted)
        this.#deps.log.error(
          { method: request.method, error: messageOf(error) },
          'a request failed inside mcpx',
        );
      return errorReply(RPC.internal, 'Something went wrong inside mcpx.');
    }
  }

  /** A request that no upstream may interrupt: the session it seems to have lasts as long as it does. */
  async #plain(request: StatelessRequest): Promise<Reply> {
    const over = new AbortController();
    const host = new LoneRequester(silentSession(request.facts, over.signal), { logLevel: levelOf(request) });
    try {
      const progress = progressOf(request.facts, request);
      return (await serveRequest(this.#deps, { host, exchange: request, progress, open: () => request }))
        .reply;
    } finally {
      over.abort('the request has ended');
      await this.#deps.lines.release(host, 'the request has ended');
    }
  }
}

/** A digest of all that makes a server the server it is; its name stands in the state beside it. */
export function configDigest(config: ServerConfig | undefined): string | undefined {
  if (!config) return undefined;
  return createHash('sha256').update(JSON.stringify(config)).digest('hex');
}
