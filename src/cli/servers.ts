// `mcpx servers`: what each configured upstream is, and what is wrong with those that do not start.
import { Command } from 'commander';
import { EXIT_CODES } from '../errors.ts';
import { Exit } from './exit.ts';
import type { Cli, Io } from './io.ts';
import type { ServerReport } from './servers-look.ts';

/** Builds the command; upstreams are loaded and started only when it runs. */
export function serversCommand(cli: Cli): Command {
  return new Command('servers')
    .description('start each upstream once and say what it offers or what is wrong with it')
    .argument('[command...]', 'after --: look at this one server, without a configuration file')
    .action(async (words: string[], _options: unknown, command: Command) => {
      const { lookAtServers } = await import('./servers-look.ts');
      const reports = await lookAtServers(cli.io(command), words);
      await show(cli.io(command), reports);
      // The report is complete; the exit code tells scripts that a server in it failed.
      if (reports.some(({ state }) => state === 'failed')) throw new Exit(EXIT_CODES.upstream);
    });
}

async function show(io: Io, reports: readonly ServerReport[]): Promise<void> {
  if (io.globals.json) return io.printJson(JSON.stringify(reports));
  const { inert } = await import('../text/inert.ts');
  const { padEnd, width } = await import('../text/columns.ts');
  const plain = (text: string): string => inert(text, { oneLine: true });
  const widest = Math.max(...reports.map(({ name }) => width(plain(name))));
  for (const report of reports) {
    if (io.globals.quiet) {
      await io.printLine(plain(report.name));
      continue;
    }
    const mark = { ready: io.glyphs.done, failed: io.glyphs.failed, disabled: io.glyphs.unchecked }[
      report.state
    ];
    const facts =
      report.state === 'ready'
        ? `${report.transport}, ${report.revision}, ${count(report.tools, 'tool')}, ${count(report.prompts, 'prompt')}, ${count(report.resources, 'resource')}`
        : (report.error?.message ?? 'switched off in the configuration');
    await io.printLine(`${mark} ${padEnd(plain(report.name), widest)}  ${report.state}  ${plain(facts)}`);
    if (report.eraReason !== undefined)
      await io.printLine(io.style.dim(`    ${report.revision} for every host: ${plain(report.eraReason)}`));
    if (report.error?.hint !== undefined)
      for (const line of inert(report.error.hint).split('\n'))
        await io.printLine(io.style.dim(`    ${line}`));
  }
}

function count(number: number | undefined, what: string): string {
  return `${number ?? 0} ${what}${number === 1 ? '' : 's'}`;
}
