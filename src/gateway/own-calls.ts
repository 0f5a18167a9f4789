// Tool calls that no host makes, but whoever uses the API: nobody can be shown a question, so each waits in the broker.
import { McpxError } from '../errors.ts';
import type { Exchange } from '../host/types.ts';
import { quote } from '../protocol/json-text.ts';
import { spellResult } from '../protocol/spell-result.ts';
import type { JsonText, Reply, Revision } from '../protocol/types.ts';
import { HostState } from './host-state.ts';
import { sessionOf } from './modern/stateless-host.ts';
import type { RequestDeps } from './requests.ts';
import { sendCall } from './send-call.ts';

export interface OwnCall {
  /** `cal-` and 16 hex digits; the rows of its questions name it. */
  readonly id: string;
  readonly server: string;
  /** As the upstream names it. */
  readonly tool: string;
  /** The text of an object. */
  readonly arguments: JsonText;
  readonly principal: string;
  /** Aborting it gives the call up. */
  readonly signal: AbortSignal;
}

/** Whom rows name as the host of such a call. */
const NAME = 'HTTP API';
/** In whose words results are; the newest in which a result is whole, whatever the upstream speaks. */
const REVISION: Revision = '2025-11-25';

export class OwnCalls {
  readonly #deps: RequestDeps;
  readonly #running = new Set<AbortController>();

  constructor(deps: RequestDeps) {
    this.#deps = deps;
  }

  /** Leases a line for the time of the call, and goes through a modern upstream's rounds on its behalf. */
  async run(own: OwnCall): Promise<Reply> {
    const { lines, servers } = this.#deps;
    if (!servers.includes(own.server))
      throw new McpxError(
        'not_found',
        `There is no server ${quote(own.server)} behind this gateway.`,
        `It has ${servers.map(quote).join(', ')}.`,
      );
    const stop = new AbortController();
    const over = new AbortController();
    this.#running.add(stop);
    const facts = {
      revision: REVISION,
      capabilities: {},
      clientName: NAME,
      principal: own.principal,
      transport: 'http',
    } as const;
    const host = new HostState(sessionOf(facts, over.signal), true, false);
    try {
      const reply = await this.#send(own, host, AbortSignal.any([own.signal, stop.signal]));
      return 'error' in reply ? reply : { result: spellResult(REVISION, 'tools/call', reply.result) };
    } finally {
      this.#running.delete(stop);
      over.abort('the call has ended');
      await lines.release(host, 'the call has ended');
    }
  }

  /** Gives every such call up. */
  close(reason: string): void {
    for (const stop of this.#running) stop.abort(new McpxError('failure', reason));
  }

  async #send(own: OwnCall, host: HostState, signal: AbortSignal): Promise<Reply> {
    const { id, server, tool } = own;
    const line = await this.#deps.lines.get(host, server, signal);
    await line.ready(signal);
    const method = 'tools/call';
    const params = `{"name":${quote(tool)},"arguments":${own.arguments}}`;
    const exchange: Exchange = { method, params, signal, streams: false, notify() {} };
    return sendCall(this.#deps, line, {
      id,
      host,
      exchange,
      method,
      params,
      target: tool,
      progress: undefined,
    });
  }
}
