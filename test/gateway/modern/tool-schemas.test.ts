// Mcp-Param-* headers of hosts, held against the tools as those hosts were shown them.
import { expect, test } from 'vitest';
import { ToolSchemas } from '../../../src/gateway/modern/tool-schemas.ts';

const tool = (name: string, annotated: boolean) => ({
  name,
  inputSchema: {
    type: 'object',
    properties: { r: { type: 'string', ...(annotated && { 'x-mcp-header': 'R' }) } },
  },
});
const list = (...tools: object[]) => JSON.stringify({ tools });

test('knows the tools that were shown with annotations, as they were shown last', () => {
  const schemas = new ToolSchemas();
  schemas.learn('{}');
  schemas.learn(list(tool('a', true), tool('b', false), { inputSchema: 1 }));
  expect([schemas.of('a'), schemas.of('b')]).toEqual([
    JSON.stringify(tool('a', true).inputSchema),
    undefined,
  ]);
  schemas.learn(list(tool('c', true)));
  expect(schemas.of('a')).toBeDefined();
  schemas.learn(list(tool('a', false)));
  expect([schemas.of('a'), schemas.of('c')]).toEqual([undefined, expect.any(String)]);
});
