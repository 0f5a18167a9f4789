// Flag over environment over file over default, and where each value came from.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LoadInput } from '../../src/config/load.ts';
import { type Places, stateDir } from '../../src/config/paths.ts';
import type { Loaded } from '../../src/config/types.ts';
import { testScope } from '../support/scope.ts';
import { folder, SERVERS } from './support.ts';

const shown = (loaded: Loaded, key: string) => loaded.shown.find((one) => one.key === key);

test.each<[string, Partial<LoadInput>, object, number, string]>([
  ['the default', {}, {}, 7331, 'default'],
  ['the file', {}, { port: 81 }, 81, 'config'],
  ['the environment', { env: { MCPX_PORT: '82' } }, { port: 81 }, 82, 'environment'],
  ['a flag', { env: { MCPX_PORT: '82' }, flags: { port: '83' } }, { port: 81 }, 83, 'flag'],
  ['an empty variable is none', { env: { MCPX_PORT: '' } }, { port: 81 }, 81, 'config'],
  ['any port', { flags: { port: '0' } }, {}, 0, 'flag'],
])('port: %s', (_what, input, serve, port, from) => {
  const loaded = folder(testScope(), { mcpServers: SERVERS, serve }).load(input);
  expect(loaded.settings.serve.port).toBe(port);
  expect(shown(loaded, 'serve.port')).toMatchObject({ value: port, source: { from } });
});

test('a source says where exactly', () => {
  const here = folder(testScope(), { mcpServers: SERVERS, serve: { port: 81 } });
  const at = (input: Partial<LoadInput>, key: string) => shown(here.load(input), key)?.source.at;
  expect(at({}, 'serve.port')).toBe(`${join(here.path, 'mcpx.json')}:8`);
  expect(at({ env: { MCPX_PORT: '1' } }, 'serve.port')).toBe('MCPX_PORT');
  expect(at({ flags: { port: '1' } }, 'serve.port')).toBe('--port');
  expect(at({ flags: { host: '::1' } }, 'serve.host')).toBe('--host');
  expect(at({}, 'serve.host')).toBeUndefined();
  expect(at({}, 'mcpServers.one.command')).toBe(`${join(here.path, 'mcpx.json')}:4`);
});

describe('the state directory', () => {
  const home = join('/', 'home', 'me');
  const places = (env: Record<string, string>): Places => ({ env, cwd: join('/', 'work'), home });

  test.each<[string, string | undefined, Record<string, string>, string]>([
    ['default', undefined, {}, '/home/me/.local/state/mcpx'],
    ['XDG', undefined, { XDG_STATE_HOME: '/xdg' }, '/xdg/mcpx'],
    ['a relative XDG folder is ignored', undefined, { XDG_STATE_HOME: 'xdg' }, '/home/me/.local/state/mcpx'],
    ['environment', undefined, { XDG_STATE_HOME: '/xdg', MCPX_STATE_DIR: '/mine' }, '/mine'],
    ['no empty value', '', { MCPX_STATE_DIR: '', XDG_STATE_HOME: '' }, '/home/me/.local/state/mcpx'],
    ['flag', 'here', { MCPX_STATE_DIR: '/mine' }, '/work/here'],
  ])('%s', (_what, flag, env, path) => {
    expect(stateDir(flag, places(env))).toBe(path);
  });

  test('is in the settings with its source', () => {
    const loaded = folder(testScope(), { mcpServers: SERVERS }).load({ env: { MCPX_STATE_DIR: '/mine' } });
    expect(loaded.settings.stateDir).toBe('/mine');
    expect(shown(loaded, 'stateDir')).toMatchObject({
      source: { from: 'environment', at: 'MCPX_STATE_DIR' },
    });
  });
});

describe('the file', () => {
  const servers = (name: string) => ({ mcpServers: { [name]: { command: 'x' } } });
  const first = ({ settings }: Loaded) => settings.servers[0]?.name;

  test('is looked for here, above, and in the configuration folder, the nearest first', () => {
    const here = folder(testScope());
    const cwd = join(here.path, 'a', 'b');
    const env = { XDG_CONFIG_HOME: join(here.path, 'xdg') };
    here.write('xdg/mcpx/mcpx.json', servers('last'));
    expect(first(here.load({ cwd: join('/', 'nowhere'), env }))).toBe('last');
    // Each is found before those written earlier.
    const order = [
      '.config/mcpx.json',
      '.mcpx.json',
      'mcpx.json',
      'a/mcpx.json',
      'a/b/.config/mcpx.json',
      'a/b/.mcpx.json',
      'a/b/mcpx.json',
    ];
    for (const [index, name] of order.entries()) {
      const file = here.write(name, servers(`s${index}`));
      const loaded = here.load({ cwd, env });
      expect([first(loaded), loaded.file]).toEqual([`s${index}`, file]);
    }
    here.write('env.json', servers('env'));
    here.write('flag.json', servers('flag'));
    const named = { ...env, MCPX_CONFIG: join('..', '..', 'env.json') };
    expect(first(here.load({ cwd, env: named }))).toBe('env');
    expect(first(here.load({ cwd, env: named, flags: { config: '../../flag.json' } }))).toBe('flag');
  });

  test('falls back to ~/.config', () => {
    const here = folder(testScope());
    here.write('home/.config/mcpx/mcpx.json', servers('mine'));
    expect(first(here.load({ cwd: join('/', 'nowhere') }))).toBe('mine');
  });

  test('that is named must be there', () => {
    const here = folder(testScope(), servers('one'));
    expect(here.failure({ flags: { config: 'nope.json' } })).toEqual({
      code: 'config',
      message: 'No such file: /nope.json (named by --config).',
      hint: 'Write the file, or leave --config out to use the nearest mcpx.json.',
    });
    expect(here.failure({ env: { MCPX_CONFIG: '.' } })).toMatchObject({
      message: 'MCPX_CONFIG names , which is not a file.',
    });
  });

  test('is needed, unless it is not', () => {
    const here = folder(testScope());
    const nowhere = { cwd: join('/', 'nowhere') };
    const { code, message, hint } = here.failure(nowhere);
    expect(code).toBe('config');
    expect(message).toBe(
      'There is no mcpx.json here, in a folder above, or in the configuration folder of mcpx.',
    );
    expect(hint).toContain('--config');
    expect(here.load({ ...nowhere, fileOptional: true })).toMatchObject({
      file: undefined,
      settings: { servers: [], elicit: { ttl: 600_000 } },
    });
  });
});
