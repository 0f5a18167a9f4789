// The demo's host: an MCP client that cannot show questions, as many hosts cannot.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Calls one tool through the gateway at `url` and gives the text of its result. The call may wait for a person. */
export async function callTool(url: string, name: string): Promise<string> {
  const client = new Client({ name: 'demo-host', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    const result = await client.callTool({ name, arguments: {} }, { timeout: 3_600_000 });
    const [first] = result.content;
    return first?.type === 'text' ? first.text : JSON.stringify(result.content);
  } finally {
    await client.close();
  }
}
