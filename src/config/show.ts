// Every effective value with its source, for `mcpx config`; nothing secret among them.
import { DEFAULTS, type Layers, SECTIONS } from './layers.ts';
import { isObject, type Path, pathText, valueAt } from './problem.ts';
import type { ServerConfig, Shown, Source } from './types.ts';

/** What stands for a value of `env` or `headers`. */
const HIDDEN = '…';

export function showSettings(input: {
  readonly layers: Layers;
  readonly servers: readonly ServerConfig[];
  readonly state: { readonly path: string; readonly source: Source };
}): Shown[] {
  const { layers, servers, state } = input;
  const shown: Shown[] = [{ key: 'stateDir', value: state.path, source: state.source }];
  const add = (path: Path, fallback: unknown) => {
    const written = valueAt(layers.written, path);
    const value = written === undefined ? fallback : written;
    if (value !== undefined) shown.push({ key: pathText(path), value, source: layers.sourceOf(path) });
  };
  for (const server of servers) {
    const at = (key: string) => ['mcpServers', server.name, key];
    if (server.transport === 'stdio') {
      add(at('command'), server.command);
      add(at('args'), []);
      addHidden(at('env'), server.env);
      const source = layers.sourceOf(at('cwd'));
      shown.push({ key: pathText(at('cwd')), value: server.cwd, source });
    } else {
      add(at('url'), server.url);
      addHidden(at('headers'), server.headers);
    }
    add(at('era'), server.era);
    add(at('isolation'), undefined);
    add(at('callTimeout'), valueAt(layers.written, ['serve', 'callTimeout']));
    add(at('disabled'), server.disabled);
  }
  for (const section of SECTIONS) {
    for (const key of Object.keys(DEFAULTS[section])) addWhole([section, key]);
  }
  return shown;

  /** Each entry of a list of objects on its own, with the line it stands on. */
  function addWhole(path: Path): void {
    const value = valueAt(layers.written, path);
    if (pathText(path) === 'serve.auth') addTokens();
    else if (!Array.isArray(value) || !value.some(isObject)) add(path, undefined);
    else for (const index of value.keys()) add([...path, index], undefined);
  }

  function addTokens(): void {
    const tokens = valueAt(layers.written, ['serve', 'auth', 'tokens']);
    const count = Array.isArray(tokens) ? tokens.length : 0;
    if (count === 0) add(['serve', 'auth', 'tokens'], []);
    for (let index = 0; index < count; index += 1) {
      add(['serve', 'auth', 'tokens', index, 'name'], undefined);
      addHidden(['serve', 'auth', 'tokens', index], { sha256: '' });
    }
  }

  function addHidden(path: Path, values: Readonly<Record<string, string>>): void {
    for (const name of Object.keys(values)) {
      const key = [...path, name];
      shown.push({ key: pathText(key), value: HIDDEN, source: layers.sourceOf(key) });
    }
  }
}
