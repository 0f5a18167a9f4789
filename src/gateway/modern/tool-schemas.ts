// The inputSchemas of tools whose arguments hosts mirror into headers, as the lists that went out to hosts had them.
import { elements, isObject, member, stringOf } from '../../protocol/json-text.ts';
import type { JsonText } from '../../protocol/types.ts';

/**
 * Learns from lists alone: a host that has seen none cannot know of the headers, and a list that mcpx fetched for the
 * check's sake would be one more request before every first call.
 */
export class ToolSchemas {
  /** By the name that hosts see. */
  readonly #annotated = new Map<string, JsonText>();

  /** Takes note of a tools/list result in the words of hosts. */
  learn(result: JsonText): void {
    // Nearly no tool has such annotations, and the walk over a long list is dear.
    if (this.#annotated.size === 0 && !result.includes('x-mcp-header')) return;
    for (const tool of elements(member(result, 'tools') ?? '[]')) {
      const name = isObject(tool) ? stringOf(member(tool, 'name')) : undefined;
      if (name === undefined) continue;
      const schema = tool.includes('x-mcp-header') ? member(tool, 'inputSchema') : undefined;
      if (schema === undefined) this.#annotated.delete(name);
      else this.#annotated.set(name, schema);
    }
  }

  /** The inputSchema of a tool, where hosts were told that it is annotated. */
  of(name: string): JsonText | undefined {
    return this.#annotated.get(name);
  }
}
