#!/usr/bin/env node
// The yardstick: a proxy that copies bytes, node:http in, undici out, and knows nothing of MCP.
//   node test/bench/proxy.mjs URL    prints its own URL; ends with its stdin
import { createServer } from 'node:http';
import { Agent, request } from 'undici';

const target = new URL(process.argv[2]);
const agent = new Agent({ connections: 64, bodyTimeout: 0, headersTimeout: 0 });
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host']);
const passed = (headers) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));

const server = createServer(async (req, res) => {
  try {
    const { statusCode, headers, body } = await request(target.origin + req.url, {
      method: req.method,
      headers: passed(req.headers),
      body: req.method === 'POST' ? req : null,
      dispatcher: agent,
    });
    res.writeHead(statusCode, passed(headers));
    body.pipe(res);
  } catch {
    res.destroy();
  }
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${server.address().port}${target.pathname}\n`),
);
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
