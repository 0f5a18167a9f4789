// Which Host and Origin may speak to the server (C27).
import { expect, test } from 'vitest';
import { guard } from '../../src/host/http-guard.ts';

const options = {
  allowedHosts: ['mcpx.internal', 'gate.example:7331'],
  allowedOrigins: ['https://app.example', 'vscode-webview://x'],
};

test.each<[string | undefined, boolean]>([
  ['127.0.0.1:7331', true],
  ['127.0.0.1', true],
  ['127.9.9.9:1', true],
  ['localhost:7331', true],
  ['LOCALHOST', true],
  ['[::1]:7331', true],
  ['mcpx.internal:80', true],
  ['MCPX.internal', true],
  ['gate.example:7331', true],
  ['gate.example:80', false],
  [undefined, false],
  ['', false],
  ['evil.example', false],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['evil.example:127.0.0.1', false],
  ['0.0.0.0:7331', false],
  ['192.168.1.7:7331', false],
])('Host: %s', (host, allowed) => {
  expect(guard(host, undefined, options) === undefined).toBe(allowed);
});

test.each<[string, boolean]>([
  ['http://localhost:3000', true],
  ['http://127.0.0.1', true],
  ['https://[::1]:8443', true],
  ['https://app.example', true],
  ['https://app.example:443', true],
  ['vscode-webview://x', true],
  ['https://app.example:8443', false],
  ['http://app.example', false],
  ['https://evil.example', false],
  ['http://localhost.evil.example', false],
  ['null', false],
  ['', false],
  ['file://', false],
  ['ftp://localhost', false],
  ['vscode-webview://y', false],
])('Origin: %s', (origin, allowed) => {
  expect(guard('127.0.0.1:7331', origin, options) === undefined).toBe(allowed);
});

test('the refusal says what to do', () => {
  expect(guard('evil.example', undefined, options)).toMatchObject({
    code: 'forbidden',
    hint: expect.stringContaining('serve.allowedHosts'),
  });
  expect(guard('localhost', 'null', options)).toMatchObject({
    code: 'forbidden',
    hint: expect.stringContaining('serve.allowedOrigins'),
  });
});
