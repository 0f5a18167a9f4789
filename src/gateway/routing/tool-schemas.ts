// The inputSchemas of tools whose arguments hosts mirror into headers: as lists had them, or asked for when a call needs one.
import type { Clock } from '../../clock.ts';
import { isMcpxError, McpxError, messageOf } from '../../errors.ts';
import type { HostFacts, StatelessRequest } from '../../host/types.ts';
import { elements, isObject, json, member, quote, stringOf } from '../../protocol/json-text.ts';
import type { JsonText } from '../../protocol/types.ts';
import { inert } from '../../text/inert.ts';
import { orAborted } from '../../waiting.ts';
import type { Channels } from '../channels/channels.ts';
import { LoneRequester, silentSession } from '../requesters.ts';
import type { Catalog } from './catalog.ts';
import { expose, LISTS } from './lists.ts';

/** A server that never stops paging is left after this many pages, and one that does not answer a page after this many ms. */
const MOST_PAGES = 100;
const PAGE_MS = 10_000;
/** So many names are remembered at once; a server that makes up ever new ones costs time, not memory. */
const MOST_NAMES = 10_000;
const TOOLS = LISTS.get('tools/list');

export interface ToolSchemasOptions {
  /** The servers in use, in config order. */
  readonly servers: readonly string[];
  readonly catalog: Catalog;
  readonly channels: Channels;
  readonly clock: Clock;
}

/**
 * A host may know a tool from another process, or from this one before it was started again: what it has to say in headers
 * is looked up before its call is judged (2026-07-28 basic/transports/streamable-http, "Server Validation").
 */
export class ToolSchemas {
  readonly #options: ToolSchemasOptions;
  /** By the name that hosts see; undefined where a tool has no annotations. */
  readonly #known = new Map<string, JsonText | undefined>();
  /** The servers whose whole list is known. */
  readonly #listed = new Set<string>();
  /** The lists that are being asked for, by server. */
  readonly #asking = new Map<string, Promise<void>>();

  constructor(options: ToolSchemasOptions) {
    this.#options = options;
  }

  /** Takes note of a tools/list result in the words of hosts. */
  learn(result: JsonText): void {
    for (const tool of elements(member(result, 'tools') ?? '[]')) this.#note(tool);
  }

  /** The tools of a server may have changed. */
  forget(server: string): void {
    // Whose a name is need not be known: each that was forgotten in vain is asked for again.
    if (this.#listed.delete(server)) this.#known.clear();
  }

  /**
   * The inputSchema of a tool with annotations; undefined where it has none, or no server lists it. `fresh` asks the server
   * again, whatever is known. Concurrent calls ask once. Rejects with the reason of the request's signal, or with a McpxError
   * that names the server whose list could not be had.
   */
  async of(name: string, { facts, signal }: StatelessRequest, fresh = false): Promise<JsonText | undefined> {
    if (fresh) this.#known.delete(name);
    if (this.#known.has(name)) return this.#known.get(name);
    const { servers, catalog } = this.#options;
    const target = catalog.target('tools', name);
    const asked = target === undefined ? servers : [target.server];
    const lists = asked.map((server) => this.#list(server, facts, fresh));
    const failed = (await orAborted(Promise.allSettled(lists), signal)).find(
      (list) => list.status === 'rejected',
    );
    if (failed !== undefined && !this.#known.has(name)) throw failed.reason;
    return this.#known.get(name);
  }

  #list(server: string, facts: HostFacts, fresh: boolean): Promise<void> {
    const running = this.#asking.get(server);
    if (running !== undefined) return running;
    if (!fresh && this.#listed.has(server)) return Promise.resolve();
    this.#listed.add(server);
    const asking = this.#ask(server, facts)
      .catch((error: unknown) => {
        this.#listed.delete(server);
        throw error;
      })
      .finally(() => this.#asking.delete(server));
    this.#asking.set(server, asking);
    return asking;
  }

  /** Reads a server's whole list on a channel of its own; the host that waits for it may go away without ending it. */
  async #ask(server: string, facts: HostFacts): Promise<void> {
    const { channels, catalog, clock } = this.#options;
    const ending = new AbortController();
    const host = new LoneRequester(silentSession(facts, ending.signal));
    try {
      const channel = await channels.get(host, server, ending.signal);
      const connection = await channel.ready(ending.signal);
      if (connection.info.capabilities['tools'] === undefined) return;
      let params: JsonText | undefined;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const late = new AbortController();
        const timer = clock.after(PAGE_MS, () => late.abort(new McpxError('timeout', 'no answer in time')));
        const asked = connection.request('tools/list', params, { signal: late.signal });
        const reply = await asked.finally(() => timer.cancel());
        if ('error' in reply)
          throw new McpxError('upstream', stringOf(member(reply.error, 'message')) ?? 'no reason given');
        for (const tool of elements(member(reply.result, 'tools') ?? '[]'))
          this.#note(TOOLS === undefined ? tool : expose(TOOLS, server, tool, catalog));
        const cursor = stringOf(member(reply.result, 'nextCursor'));
        if (cursor === undefined) return;
        params = json`{"cursor":${quote(cursor)}}`;
      }
    } catch (error) {
      const why = inert(messageOf(error), { oneLine: true, max: 300 });
      throw new McpxError(
        isMcpxError(error) ? error.code : 'upstream',
        `${server} did not list its tools, so that the headers of this call cannot be checked: ${why}`,
        `Try again, or see what \`mcpx servers\` says of ${server}.`,
        { cause: error },
      );
    } finally {
      ending.abort('the list has been read');
      await channels.release(host, 'the list has been read');
    }
  }

  #note(tool: JsonText): void {
    const name = isObject(tool) ? stringOf(member(tool, 'name')) : undefined;
    if (name === undefined) return;
    // Nearly no tool has annotations, and looking for them in each schema would be slow.
    const schema = tool.includes('x-mcp-header') ? member(tool, 'inputSchema') : undefined;
    if (this.#known.size >= MOST_NAMES && !this.#known.has(name)) {
      this.#known.clear();
      this.#listed.clear();
    }
    this.#known.set(name, schema);
  }
}
