// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the file are written like this
// What a good file comes to: defaults, durations, servers, variables, comments.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testScope } from '../support/scope.ts';
import { folder, SERVERS } from './support.ts';

test('one server is enough; everything else has its default', () => {
  const here = folder(testScope(), { mcpServers: SERVERS });
  expect(here.load().settings).toEqual({
    servers: [
      {
        name: 'one',
        transport: 'stdio',
        command: 'some-server',
        args: [],
        env: {},
        cwd: here.path,
        era: 'follow',
        isolation: undefined,
        callTimeout: 120_000,
        disabled: false,
      },
    ],
    elicit: {
      ttl: 600_000,
      urlWait: 300_000,
      unattended: 'wait',
      audience: 'all',
      sensitive: 'seal',
      keep: 2_592_000_000,
      rules: [],
    },
    serve: {
      port: 7331,
      host: '127.0.0.1',
      naming: 'auto',
      callTimeout: 120_000,
      callCeiling: 3_600_000,
      allowedHosts: [],
      allowedOrigins: [],
      auth: { tokens: [] },
    },
    limits: {
      messageBytes: 65_536,
      schemaBytes: 262_144,
      properties: 500,
      options: 2_000,
      answerBytes: 262_144,
      frameBytes: 16_777_216,
      openPerServer: 200,
      newPerMinute: 600,
      questionsPerRound: 64,
      parkedCalls: 1_000,
      channels: 32,
      sessions: 1_000,
    },
    stateDir: join(here.path, 'home', '.local', 'state', 'mcpx'),
  });
});

test('everything can be said, with comments and trailing commas', () => {
  const text = `\uFEFF// settings
  {
    "$schema": "https://example.com/mcpx.json",
    "mcpServers": {
      "notes": { "type": "sse", "url": "http://127.0.0.1:9000/mcp", "headers": { "x-a": "1", }, "era": "legacy",
                 "isolation": "shared", "callTimeout": "30s", "disabled": true }, /* one */
      "git": { "type": "stdio", "command": "git-server", "args": ["-v"], "env": { "A": "1" }, "cwd": "sub", "era": "modern" },
    },
    "elicit": { "ttl": "90s", "urlWait": "1h", "unattended": "cancel", "audience": "host", "sensitive": "decline", "keep": "1d",
                "rules": [{ "name": "r", "match": { "tool": "t", "fields": ["a"] }, "do": "accept", "content": { "a": [1, "\${A:-x}"] } },
                          { "name": "s", "match": { "message": "^a" }, "do": "ask", "audience": "host" }] },
    "serve": { "port": 0, "host": "0.0.0.0", "naming": "prefix", "callTimeout": "1m", "callCeiling": "1m",
               "allowedHosts": ["mcp.example.com"], "allowedOrigins": ["https://app.example.com"],
               "auth": { "tokens": [{ "name": "ci", "sha256": "${'AB'.repeat(32)}" }] } },
    "limits": { "channels": 1 },
  }`;
  const here = folder(testScope(), text);
  const { settings } = here.load();
  expect(settings.servers).toMatchObject([
    {
      name: 'notes',
      transport: 'http',
      url: 'http://127.0.0.1:9000/mcp',
      headers: { 'x-a': '1' },
      era: 'legacy',
      isolation: 'shared',
      callTimeout: 30_000,
      disabled: true,
    },
    {
      name: 'git',
      transport: 'stdio',
      args: ['-v'],
      env: { A: '1' },
      era: 'modern',
      callTimeout: 60_000,
      cwd: join(here.path, 'sub'),
    },
  ]);
  expect(settings.elicit).toEqual({
    ttl: 90_000,
    urlWait: 3_600_000,
    unattended: 'cancel',
    audience: 'host',
    sensitive: 'decline',
    keep: 86_400_000,
    rules: [
      { name: 'r', match: { tool: 't', fields: ['a'] }, action: { do: 'accept', content: '{"a":[1,"x"]}' } },
      { name: 's', match: { message: '^a' }, action: { do: 'ask', audience: 'host' } },
    ],
  });
  expect(settings.serve).toMatchObject({
    port: 0,
    naming: 'prefix',
    allowedOrigins: ['https://app.example.com'],
    auth: { tokens: [{ name: 'ci', sha256: 'ab'.repeat(32) }] },
  });
  expect(settings.limits).toMatchObject({ channels: 1, sessions: 1_000 });
});

test('names that every object has are names like any other', () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];
  const here = folder(testScope(), {
    mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'x', env: { [name]: '1' } }])),
  });
  const { servers } = here.load().settings;
  expect(servers.map(({ name }) => name)).toEqual(names);
  expect(servers.map((server) => server.transport === 'stdio' && Object.keys(server.env))).toEqual(
    names.map((name) => [name]),
  );
});

describe('cwd', () => {
  const cwdOf = (name: string, cwd: string | undefined) => {
    const here = folder(testScope());
    here.write(name, { mcpServers: { one: { command: 'x', ...(cwd ? { cwd } : {}) } } });
    const [server] = here.load({ cwd: join(here.path, 'a', 'b') }).settings.servers;
    return server?.transport === 'stdio' && server.cwd.slice(here.path.length).replaceAll('\\', '/');
  };

  test('starts from the folder of the file', () => {
    expect(cwdOf('mcpx.json', '.')).toBe('');
    expect(cwdOf('a/.mcpx.json', './x')).toBe('/a/x');
    expect(cwdOf('a/.config/mcpx.json', 'x')).toBe('/a/x');
  });

  test('is where mcpx runs when it is not said', () => {
    expect(cwdOf('mcpx.json', undefined)).toBe('/a/b');
  });
});

describe('variables', () => {
  test.each<[string, Record<string, string>, string]>([
    ['${A}', { A: 'x' }, 'x'],
    ['${A}-${B}', { A: 'x', B: 'y' }, 'x-y'],
    ['Bearer ${A:-none}', {}, 'Bearer none'],
    ['${A:-none}', { A: '' }, 'none'],
    ['${A:-none}', { A: 'x' }, 'x'],
    ['${A}', { A: '' }, ''],
    ['${A:-}', {}, ''],
    ['${A:-a:-b}', {}, 'a:-b'],
    ['${A}', { A: '${B}', B: 'no' }, '${B}'],
    ['${A}', { A: '$&$1' }, '$&$1'],
    ['$A {A} $', { A: 'x' }, '$A {A} $'],
  ])('%s with %j is %j', (text, env, expected) => {
    const here = folder(testScope(), {
      mcpServers: { one: { command: 'x', args: [text], env: { T: text } } },
    });
    expect(here.load({ env }).settings.servers[0]).toMatchObject({ args: [expected], env: { T: expected } });
  });

  test('of a disabled server need not be set', () => {
    const mcpServers = { ...SERVERS, two: { command: '${NOPE}', disabled: true } };
    expect(folder(testScope(), { mcpServers }).load().settings.servers[1]).toMatchObject({ disabled: true });
  });
});

test('what is shown tells no secret', () => {
  const here = folder(testScope(), {
    mcpServers: {
      a: { command: 'x', args: ['--token', '${T}'], env: { TOKEN: 'hunter2', OTHER: '${T}' } },
      b: { url: '${U}', headers: { authorization: 'Bearer hunter2' } },
    },
  });
  const { shown, settings } = here.load({ env: { T: 'hunter2', U: 'https://x.example/hunter2' } });
  expect(JSON.stringify(settings)).toContain('hunter2');
  expect(JSON.stringify(shown)).not.toContain('hunter2');
  const value = (key: string) => shown.find((one) => one.key === key)?.value;
  expect(value('mcpServers.a.args')).toEqual(['--token', '${T}']);
  expect(value('mcpServers.a.env.TOKEN')).toBe('…');
  expect(value('mcpServers.b.headers.authorization')).toBe('…');
  expect(value('mcpServers.b.url')).toBe('${U}');
});
