// Runs the gateway until it is told to stop, or until its host closes the pipe.
import { once } from 'node:events';
import { hangApi, refuseApi } from '../../api/api.ts';
import { localToken } from '../../api/tokens.ts';
import { checkCommands } from '../../config/check-commands.ts';
import { loadSettings } from '../../config/load.ts';
import type { Settings } from '../../config/types.ts';
import { McpxError, messageOf, sentenceOf } from '../../errors.ts';
import { startGateway } from '../../gateway/start.ts';
import { serveHttp } from '../../host/http.ts';
import { bindsLoopback } from '../../host/http-auth.ts';
import { serveStdio } from '../../host/stdio.ts';
import type { Log, LogLevel } from '../../log.ts';
import type { Io } from '../io.ts';
import { version } from '../version.ts';
import { makeLog } from './log.ts';
import { checkPrompt, hasPerson, lastWord, promptForAll, tellQuestions, warningsOf } from './questions.ts';

/** What mcpx calls itself towards hosts. */
const NAME = 'mcpx';

export interface ServeOptions {
  readonly port?: string;
  readonly host?: string;
  readonly stdio?: true;
  readonly prompt?: true;
  readonly logLevel?: LogLevel;
}

/**
 * `mcpx serve`. Everything that can be wrong with the configuration is said before anything is started (exit 2).
 * With `--json` one line `{"url","pid","stateDir"}` stands on stdout once calls are accepted (HTTP only: on stdio
 * stdout belongs to the protocol).
 */
export async function serve(io: Io, options: ServeOptions, words: readonly string[]): Promise<void> {
  checkPrompt(io, options);
  const loaded = loadSettings({
    ...io,
    flags: { ...io.globals, ...options },
    ...(words.length > 0 && { command: words }),
  });
  const unusable = await checkCommands(loaded, io.env, io.platform);
  const { settings } = loaded;
  if (!options.stdio) checkReach(settings.serve);
  const logged = makeLog(io, options.logLevel);
  const log = options.prompt ? warningsOf(logged) : logged;
  for (const [server, error] of unusable)
    log.error({ server, why: sentenceOf(error) }, 'this server cannot be started; the others are served');
  const started = await startGateway({
    settings,
    clock: io.clock,
    log,
    version: version(),
    stateKey: io.env['MCPX_STATE_KEY'],
    unusable,
  });
  const common = {
    handler: started.gateway.handler,
    serverInfo: { name: NAME, version: version() },
    clock: io.clock,
    log,
    limits: settings.limits,
  };
  const mayEnd = hasPerson(io, options) ? lastWord(io, started.broker) : undefined;
  if (mayEnd !== undefined) io.interrupt.askFirst(mayEnd);
  try {
    if (!options.prompt) void tellQuestions(io, started.broker, log, io.signal);
    if (options.stdio) {
      const host = serveStdio({ ...common, input: io.stdin, output: io.rawStdout, principal: 'local' });
      await Promise.race([host.done, aborted(io.signal)]);
      // The relay first: what is open is then lost with mcpx, not taken back by its host.
      await started.gateway.close('mcpx was stopped');
      await host.close('mcpx was stopped');
      return;
    }
    const ending = new AbortController();
    const operator = localToken(settings.stateDir);
    started.broker.onReopened(() => tryTo(log, () => operator.writeBack()));
    const named = settings.serve.auth.tokens;
    const { host, port, allowedHosts, allowedOrigins } = settings.serve;
    const api = {
      broker: started.broker,
      checks: started.checks,
      gateway: started.gateway,
      clock: io.clock,
      log,
      limits: settings.limits,
      version: version(),
      tokens: [operator, ...named],
      closing: AbortSignal.any([io.signal, ending.signal]),
    };
    const extend = (app: Parameters<typeof hangApi>[0]): void => hangApi(app, api);
    const http = await serveHttp({
      ...common,
      host,
      port,
      allowedHosts,
      allowedOrigins,
      extend,
      refuse: (url, error, response) => refuseApi(url, error, response, log),
      ...(named.length > 0 && { tokens: [operator, ...named] }),
    });
    const facts = { url: http.url, pid: process.pid, stateDir: settings.stateDir };
    if (io.globals.json) await io.printJson(JSON.stringify(facts));
    log.info(facts, 'mcpx accepts calls');
    try {
      if (options.prompt) {
        await io.note(`mcpx accepts calls at ${http.url}`);
        await promptForAll(io, started.broker, mayEnd);
      }
      await aborted(io.signal);
    } finally {
      // Also where the person left the prompts, which is no signal.
      ending.abort();
      await started.gateway.close('mcpx was stopped');
      await http.close('mcpx was stopped');
    }
  } finally {
    await started.close('mcpx was stopped');
  }
}

/** Whoever can reach the endpoint can call tools: outside this machine that takes a token. */
function checkReach({ host, auth }: Settings['serve']): void {
  if (bindsLoopback(host) || auth.tokens.length > 0) return;
  throw new McpxError(
    'config',
    `mcpx would listen on ${host}, where other machines can reach it, but no token is set.`,
    'List who may use it in serve.auth.tokens, {"name": "me", "sha256": "SHA-256 of a token in hex"}, or leave --host and serve.host at 127.0.0.1.',
  );
}

/** A secret that cannot be written back stays in use; the log says why. */
function tryTo(log: Log, work: () => void): void {
  try {
    work();
  } catch (error) {
    log.error({ error: messageOf(error) }, 'the token could not be written back');
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
