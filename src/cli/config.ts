// `mcpx config`: every effective setting and where it came from.
import { Command } from 'commander';
import type { Cli, Io } from './io.ts';

export function configCommand(cli: Cli): Command {
  return new Command('config')
    .description('show every setting and where it came from')
    .action(async (_options: unknown, command: Command) => show(cli.io(command)));
}

async function show(io: Io): Promise<void> {
  const { loadSettings } = await import('../config/load.ts');
  const { file, shown } = loadSettings({ ...io, flags: io.globals, fileOptional: true });
  if (io.globals.json) {
    const values = Object.fromEntries(
      shown.map(({ key, value, source }) => [key, { value, source: source.from, at: source.at }]),
    );
    return io.printJson(JSON.stringify({ file: file ?? null, values }));
  }
  const { inert } = await import('../text/inert.ts');
  const { padEnd, width } = await import('../text/columns.ts');
  await io.note(
    file === undefined ? 'There is no configuration file.' : inert(`Configuration file: ${file}`),
  );
  const rows = shown.map(({ key, value, source }) => ({
    key: inert(key, { oneLine: true }),
    value: inert(typeof value === 'string' ? value : JSON.stringify(value), { oneLine: true }),
    source: inert(source.at ?? source.from, { oneLine: true }),
  }));
  const widest = (column: 'key' | 'value') =>
    Math.min(48, Math.max(...rows.map((row) => width(row[column]))));
  const [keys, values] = [widest('key'), widest('value')];
  for (const { key, value, source } of rows) {
    await io.printLine(`${padEnd(key, keys)}  ${padEnd(value, values)}  ${io.style.dim(source)}`);
  }
}
