// The demo's upstream: an MCP server that cannot order a cake without asking what kind. Run as a process of its own.
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const server = new McpServer({ name: 'bakery', version: '1.0.0' });

server.registerTool(
  'order_cake',
  { description: 'Orders a cake; asks for what it needs to know.' },
  async () => {
    const answer = await server.server.elicitInput({
      mode: 'form',
      message: 'What kind of cake would you like?',
      requestedSchema: {
        type: 'object',
        properties: {
          flavour: {
            type: 'string',
            title: 'Flavour',
            oneOf: [
              { const: 'choc', title: 'Chocolate' },
              { const: 'lemon', title: 'Lemon' },
              { const: 'carrot', title: 'Carrot' },
            ],
          },
          people: { type: 'integer', title: 'For how many people', minimum: 1, maximum: 40, default: 8 },
          toppings: {
            type: 'array',
            title: 'Toppings',
            items: { type: 'string', enum: ['nuts', 'berries', 'cream'] },
            maxItems: 2,
          },
          candles: { type: 'boolean', title: 'With candles', default: true },
          note: { type: 'string', title: 'Text on the cake', maxLength: 40 },
        },
        required: ['flavour', 'people'],
      },
    });
    const text =
      answer.action === 'accept'
        ? `ordered ${JSON.stringify(answer.content)}`
        : `no cake: the answer was ${answer.action}`;
    return { content: [{ type: 'text', text }] };
  },
);

await server.connect(new StdioServerTransport());
