// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the file are written like this
// Every way in which a file can be wrong is one sentence with the file, the path of the key and the mend.
import { describe, expect, test } from 'vitest';
import { testScope } from '../support/scope.ts';
import { folder, SERVERS } from './support.ts';

const URL = 'https://mcp.example.com/mcp';
const DURATION = 'must be a duration such as "90s", "10m", "1h" or "30d"';
const NAMES = 'use letters, digits, "-" and single "_" between them, such as';

/** A file with one server, and what is wrong. */
const one = (server: unknown) => ({ mcpServers: { one: server } });
const also = (rest: object) => ({ mcpServers: SERVERS, ...rest });

test.each<[string, unknown, string]>([
  // The text
  ['an empty file', '', '/mcpx.json:1: the file is not valid JSON: it is empty.'],
  [
    'a word',
    '{\n "a": nope }',
    '/mcpx.json:2: the file is not valid JSON: this word means nothing in JSON; put strings in double quotes.',
  ],
  ['a missing comma', '{\n"a": 1\n"b": 2}', '/mcpx.json:3: the file is not valid JSON: a comma is missing.'],
  ['an end too early', '{"a": [1', '/mcpx.json:1: the file is not valid JSON: a closing ] is missing.'],
  [
    'text after the end',
    '{}\n{}',
    '/mcpx.json:2: the file is not valid JSON: something follows the end of the object.',
  ],
  ['a list', [], '/mcpx.json:1: the file must be an object, not a list.'],
  ['null', 'null', '/mcpx.json:1: the file must be an object, not null.'],
  [
    'a key twice',
    '{"mcpServers": {"a": {"command": "x"},\n"a": {"command": "y"}}}',
    '/mcpx.json:2: mcpServers.a appears twice; remove or rename one.',
  ],
  [
    'a key that is lost',
    '{"mcpServers": {"a": {"command": "x", "env": {"__proto__": "1"}}}}',
    '/mcpx.json:1: mcpServers.a.env.__proto__ cannot be used as a key; rename it.',
  ],
  // Unknown keys
  [
    'an unknown key',
    also({ elicit: { tll: '1m' } }),
    '/mcpx.json:8: elicit.tll is not a known key; did you mean "ttl"?',
  ],
  [
    'a key in another case',
    also({ serve: { PORT: 1 } }),
    '/mcpx.json:8: serve.PORT is not a known key; did you mean "port"?',
  ],
  [
    'the name that another host has',
    { servers: {}, ...also({}) },
    '/mcpx.json:2: servers is not a known key; did you mean "mcpServers"?',
  ],
  [
    'a key like nothing else',
    also({ elicit: { colour: 1 } }),
    '/mcpx.json:8: elicit.colour is not a known key; remove it, or use one of ttl, urlWait, unattended, audience, sensitive, keep, rules.',
  ],
  [
    'a mistyped command',
    one({ comand: 'x' }),
    '/mcpx.json:4: mcpServers.one.comand is not a known key; did you mean "command"?',
  ],
  [
    'a key of every object',
    also({ constructor: 1 }),
    '/mcpx.json:7: constructor is not a known key; remove it, or use one of $schema, mcpServers, elicit, serve, limits.',
  ],
  // Servers
  [
    'no servers',
    {},
    '/mcpx.json:1: mcpServers is missing; add "mcpServers": {"name": {"command": "npx", "args": ["-y", "some-server"]}}.',
  ],
  [
    'an empty map',
    { mcpServers: {} },
    '/mcpx.json:2: mcpServers has no server; add one, such as "name": {"command": "npx", "args": ["-y", "some-server"]}.',
  ],
  [
    'a list of servers',
    { mcpServers: [] },
    '/mcpx.json:2: mcpServers must be an object of servers by name, not a list.',
  ],
  ['a server that is a text', one('npx x'), '/mcpx.json:3: mcpServers.one must be an object, not "npx x".'],
  [
    'a server that is nothing',
    one({}),
    '/mcpx.json:3: mcpServers.one needs "command" for a program to start, or "url" for a server on the network.',
  ],
  [
    'command and url',
    one({ command: 'x', url: URL }),
    '/mcpx.json:3: mcpServers.one has both "command" and "url"; keep "command" for a program, or "url" for a server on the network.',
  ],
  [
    'args for a url',
    one({ url: URL, args: [] }),
    '/mcpx.json:5: mcpServers.one.args goes with "command", which this server lacks; remove it.',
  ],
  [
    'headers for a command',
    one({ command: 'x', headers: {} }),
    '/mcpx.json:5: mcpServers.one.headers goes with "url", which this server lacks; remove it.',
  ],
  [
    'a type that does not fit',
    one({ command: 'x', type: 'http' }),
    '/mcpx.json:5: mcpServers.one.type is "http", but the server has "command"; remove "type".',
  ],
  [
    'a type nobody knows',
    one({ command: 'x', type: 'ws' }),
    '/mcpx.json:5: mcpServers.one.type must be "stdio", "http", "streamable-http" or "sse", not "ws".',
  ],
  [
    'an empty command',
    one({ command: ' ' }),
    '/mcpx.json:4: mcpServers.one.command must be the name or path of a program, not " ".',
  ],
  [
    'a command line as a list',
    one({ command: ['npx'] }),
    '/mcpx.json:4: mcpServers.one.command must be the name or path of a program, not a list.',
  ],
  [
    'an argument that is a number',
    one({ command: 'x', args: [8080] }),
    '/mcpx.json:6: mcpServers.one.args[0] must be a text, not 8080.',
  ],
  [
    'a variable that is a number',
    one({ command: 'x', env: { PORT: 8080 } }),
    '/mcpx.json:6: mcpServers.one.env.PORT must be a text, not a number.',
  ],
  [
    'a variable with no name',
    one({ command: 'x', env: { 'A=B': 'x' } }),
    '/mcpx.json:6: mcpServers.one.env["A=B"] is not the name of a variable; rename it.',
  ],
  [
    'a url that is none',
    one({ url: 'mcp.example.com' }),
    '/mcpx.json:4: mcpServers.one.url must be a URL that begins with http:// or https://, not "mcp.example.com".',
  ],
  [
    'a url of a file',
    one({ url: 'file:///etc/passwd' }),
    '/mcpx.json:4: mcpServers.one.url must be a URL that begins with http:// or https://, not "file:///etc/passwd".',
  ],
  [
    'a url with a password',
    one({ url: 'https://me:secret@mcp.example.com/' }),
    '/mcpx.json:4: mcpServers.one.url holds a user name or password; put them in "headers" as "authorization".',
  ],
  [
    'a header with a bad name',
    one({ url: URL, headers: { 'x y': 'z' } }),
    '/mcpx.json:6: mcpServers.one.headers["x y"] is not the name of a header; rename it.',
  ],
  [
    'a header that splits',
    one({ url: URL, headers: { x: 'a\r\ny: b' } }),
    '/mcpx.json:6: mcpServers.one.headers.x holds a line break or a character that no header can carry; remove it.',
  ],
  [
    'a header twice',
    one({ url: URL, headers: { x: '1', X: '2' } }),
    '/mcpx.json:7: mcpServers.one.headers.X appears twice; remove one.',
  ],
  [
    'an era of no version',
    one({ command: 'x', era: '2026' }),
    '/mcpx.json:5: mcpServers.one.era must be "follow", "legacy" or "modern", not "2026".',
  ],
  [
    'an isolation of no kind',
    one({ command: 'x', isolation: 'host' }),
    '/mcpx.json:5: mcpServers.one.isolation must be "session" or "shared", not "host".',
  ],
  [
    'disabled as a text',
    one({ command: 'x', disabled: 'yes' }),
    '/mcpx.json:5: mcpServers.one.disabled must be true or false, not "yes".',
  ],
  // Names
  [
    'a name with a space',
    { mcpServers: { 'my server': { command: 'x' } } },
    `/mcpx.json:3: mcpServers["my server"] cannot be the name of a server; ${NAMES} "my-server".`,
  ],
  [
    'a name with two underscores',
    { mcpServers: { a__b: { command: 'x' } } },
    `/mcpx.json:3: mcpServers.a__b cannot be the name of a server; ${NAMES} "a_b".`,
  ],
  [
    'a name that ends in one',
    { mcpServers: { a_: { command: 'x' } } },
    `/mcpx.json:3: mcpServers.a_ cannot be the name of a server; ${NAMES} "a".`,
  ],
  [
    'a name like a path',
    { mcpServers: { '@me/x.y': { command: 'x' } } },
    `/mcpx.json:3: mcpServers["@me/x.y"] cannot be the name of a server; ${NAMES} "me-x-y".`,
  ],
  [
    'no name',
    { mcpServers: { '': { command: 'x' } } },
    `/mcpx.json:3: mcpServers[""] cannot be the name of a server; ${NAMES} "server".`,
  ],
  [
    'a long name',
    { mcpServers: { ['a'.repeat(65)]: { command: 'x' } } },
    `/mcpx.json:3: mcpServers.${'a'.repeat(65)} is too long for the name of a server; use at most 64 characters.`,
  ],
  // Values
  [
    'a duration in words',
    also({ elicit: { ttl: '10 minutes' } }),
    `/mcpx.json:8: elicit.ttl ${DURATION}, not "10 minutes".`,
  ],
  [
    'a duration without a unit',
    also({ elicit: { keep: 30 } }),
    `/mcpx.json:8: elicit.keep ${DURATION}, not 30.`,
  ],
  [
    'no time at all',
    one({ command: 'x', callTimeout: '0s' }),
    `/mcpx.json:5: mcpServers.one.callTimeout ${DURATION}, not "0s".`,
  ],
  [
    'a port too high',
    also({ serve: { port: 65536 } }),
    '/mcpx.json:8: serve.port must be a whole number from 0 to 65535, not 65536.',
  ],
  [
    'a port in quotes',
    also({ serve: { port: '80' } }),
    '/mcpx.json:8: serve.port must be a whole number from 0 to 65535, not "80".',
  ],
  [
    'half a port',
    also({ serve: { port: 1.5 } }),
    '/mcpx.json:8: serve.port must be a whole number from 0 to 65535, not 1.5.',
  ],
  [
    'a host that is a url',
    also({ serve: { host: 'http://x' } }),
    '/mcpx.json:8: serve.host must be a host name or an address, not "http://x".',
  ],
  [
    'a naming of no kind',
    also({ serve: { naming: 'short' } }),
    '/mcpx.json:8: serve.naming must be "auto", "plain" or "prefix", not "short".',
  ],
  [
    'hosts as a text',
    also({ serve: { allowedHosts: 'x' } }),
    '/mcpx.json:8: serve.allowedHosts must be a list of host names, not "x".',
  ],
  [
    'an origin with a path',
    also({ serve: { allowedOrigins: ['https://x.example/'] } }),
    '/mcpx.json:9: serve.allowedOrigins[0] must be an origin such as "https://app.example.com", not "https://x.example/".',
  ],
  [
    'an audience that is to come',
    also({ elicit: { audience: 'agent' } }),
    '/mcpx.json:8: elicit.audience must be "all" or "host", not "agent".',
  ],
  [
    'no limit at all',
    also({ limits: { sessions: 0 } }),
    '/mcpx.json:8: limits.sessions must be a whole number from 1 to 1000000000, not 0.',
  ],
  ['a section that is a list', also({ limits: [] }), '/mcpx.json:7: limits must be an object, not a list.'],
  [
    'a call longer than the longest',
    also({ serve: { callTimeout: '2h' } }),
    '/mcpx.json:8: serve.callTimeout is longer than "serve.callCeiling", the limit for the whole call; change one of them.',
  ],
  // Variables
  [
    'a variable that is not set',
    one({ command: 'x', env: { TOKEN: '${NOPE}' } }),
    '/mcpx.json:6: mcpServers.one.env.TOKEN needs the environment variable NOPE, which is not set; set it, or write ${NOPE:-default}.',
  ],
  [
    'a variable of another program',
    one({ command: '${input:x}' }),
    '/mcpx.json:4: mcpServers.one.command holds "${input:x}", which mcpx cannot fill in; write ${NAME} or ${NAME:-default}.',
  ],
  [
    'a variable without an end',
    one({ command: 'a${NOPE' }),
    '/mcpx.json:4: mcpServers.one.command holds "${NOPE", which mcpx cannot fill in; write ${NAME} or ${NAME:-default}.',
  ],
])('%s', (_what, content, message) => {
  const { code, message: told, hint } = folder(testScope(), content).failure();
  expect(told).toBe(message);
  expect(code).toBe('config');
  expect(hint).toBe('Fix it and run "mcpx config" to check.');
});

describe('several problems', () => {
  test('are told in the order of the file, the first as the sentence', () => {
    const content = '{"elicit": {"ttl": 1},\n"mcpServers": {"a b": {"comand": "x"}},\n"srve": {}}';
    const { message, hint } = folder(testScope(), content).failure();
    expect(message).toBe(`/mcpx.json:1: elicit.ttl ${DURATION}, not 1.`);
    expect(hint.split('\n').map((line) => line.trim())).toEqual([
      'Fix these, too:',
      `/mcpx.json:2: mcpServers["a b"] cannot be the name of a server; ${NAMES} "a-b".`,
      '/mcpx.json:2: mcpServers["a b"].comand is not a known key; did you mean "command"?',
      '/mcpx.json:3: srve is not a known key; did you mean "serve"?',
    ]);
  });

  test('of one key are told once', () => {
    const { hint } = folder(testScope(), one({ url: '${NOPE}' })).failure();
    expect(hint).toBe('Fix it and run "mcpx config" to check.');
  });
});

test('a secret that was filled in is not told', () => {
  const { message } = folder(testScope(), one({ url: '${SECRET}' })).failure({ env: { SECRET: 'hunter2' } });
  expect(message).toBe(
    '/mcpx.json:4: mcpServers.one.url must be a URL that begins with http:// or https://, not "${SECRET}".',
  );
});

test('flags and the environment are named as they are written', () => {
  const here = folder(testScope(), also({}));
  expect(here.failure({ flags: { port: 'x' } })).toMatchObject({
    code: 'usage',
    message: '--port must be a whole number from 0 to 65535, not "x".',
  });
  expect(here.failure({ env: { MCPX_PORT: '70000' } })).toMatchObject({
    code: 'config',
    message: 'MCPX_PORT must be a whole number from 0 to 65535, not 70000.',
  });
});

test('--config and a command exclude each other, and a command is not empty', () => {
  const here = folder(testScope());
  expect(here.failure({ flags: { config: 'x' }, command: ['a'] })).toMatchObject({
    code: 'usage',
    message: '--config and a command after "--" cannot be used together.',
  });
  expect(here.failure({ command: [] })).toMatchObject({
    code: 'usage',
    message: 'There is no command after "--".',
  });
});
