// C52: an answer whose gateway was gone before it took the answer is said to be undelivered, on every surface.
import { expect, test } from 'vitest';
import { openBroker } from '../../src/broker/open.ts';
import { systemClock } from '../../src/clock.ts';
import { silent } from '../../src/log.ts';
import type { Scope } from '../support/create-scope.ts';
import { type HttpGateway, type RowView, serveHttp, startGateway } from '../support/gateway.ts';
import type { Running } from '../support/processes.ts';
import { restOf } from '../support/rest.ts';
import { testScope } from '../support/scope.ts';
import { holding } from '../support/traces.ts';
import { until } from '../support/until.ts';
import { type FixtureUpstream, fixtureUpstream } from '../support/upstream.ts';

const GONE = 'the gateway that held the call is gone';
const SECRET =
  '{"message":"Sign in","requestedSchema":{"type":"object","properties":{"password":{"type":"string"}}}}';
const UNDELIVERED = {
  state: 'accepted',
  undelivered: true,
  reason: GONE,
  answer: { action: 'accept', by: 'cli' },
};

interface Stage {
  readonly scope: Scope;
  readonly upstream: FixtureUpstream;
  readonly gateway: HttpGateway<Running>;
  /** Asks a question, and gives its row. */
  ask(params?: string): Promise<RowView>;
}

async function stage(): Promise<Stage> {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'http' });
  const gateway = await startGateway(scope, { spawn: true, servers: { fixture: upstream.entry } });
  const host = await gateway.connect();
  return {
    scope,
    upstream,
    gateway,
    async ask(params) {
      host.startCall('ask', params === undefined ? {} : { params });
      return until('the row', async () => (await gateway.rows())[0]);
    },
  };
}

/** Answers while the gateway stands still, and kills it once the answer is committed. */
async function acceptAndKill({ gateway }: Stage, id: string, args: readonly string[] = []): Promise<Running> {
  gateway.process.child.kill('SIGSTOP');
  const command = gateway.start(['elicit', 'accept', id, '--input', '-', ...args]);
  command.child.stdin.end('{"repo":"answered"}');
  await until('the commit', async () => (await gateway.row(id)).state === 'accepted');
  await gateway.process.stop('SIGKILL');
  return command;
}

test('killed between the answer and its delivery: the command exits 7, and every surface says so', async () => {
  const it = await stage();
  const { gateway, scope } = it;
  const { id } = await it.ask();
  const watch = gateway.start(['elicit', 'watch']);
  await watch.line((line) => line.includes(id));
  const command = await acceptAndKill(it, id);
  expect(await command.ended).toBe(7);
  expect(command.stdout()).toBe('');
  expect(command.stderr()).toContain(`${id} is accepted, but nothing says that fixture has it: ${GONE}.`);
  await watch.line((line) => line.includes('but not delivered'));

  expect(await gateway.row(id)).toMatchObject(UNDELIVERED);
  expect((await gateway.row(id)).deliveredAt).toBeUndefined();
  expect(await gateway.rows(['--all'])).toMatchObject([UNDELIVERED]);
  const shown = (await gateway.mcpx(['elicit', 'show', id])).stdout;
  expect(shown).toContain('but not delivered: the gateway that held');
  expect(shown).toContain('Not delivered to fixture:');
  expect((await gateway.mcpx(['elicit', 'list', '--all'])).stdout).toContain('accepted, undelivered');
  const again = await gateway.mcpx(['elicit', 'decline', id, '--json']);
  expect(again).toMatchObject({ code: 7, stderr: expect.stringContaining('already_answered') });

  const next = await serveHttp(scope, gateway);
  const rest = restOf(next);
  expect((await rest.ask(`/v1/elicit/${id}`)).json).toMatchObject(UNDELIVERED);
  const events = await fetch(`${rest.base}/v1/events`, {
    headers: { authorization: `Bearer ${rest.token}`, 'last-event-id': '0' },
  });
  let text = '';
  for await (const chunk of events.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (/event: elicit\.undelivered\ndata: .*\n/.test(text)) break;
  }
  const data = (event: string): unknown =>
    JSON.parse(new RegExp(`event: elicit\\.${event}\\ndata: (.*)`).exec(text)?.[1] ?? 'null');
  expect(data('undelivered')).toMatchObject(UNDELIVERED);
  expect(data('answered')).not.toHaveProperty('undelivered');
}, 30_000);

test('with --json the error has a code; a secret is erased', async () => {
  const it = await stage();
  const { gateway } = it;
  const { id } = await it.ask(SECRET);
  gateway.process.child.kill('SIGSTOP');
  const command = gateway.start(['elicit', 'accept', id, '--input', '-', '--json']);
  command.child.stdin.end('{"password":"pw-52-7be1"}');
  await until('the commit', async () => (await gateway.row(id)).state === 'accepted');
  await gateway.process.stop('SIGKILL');
  expect(await command.ended).toBe(7);
  expect(command.stdout() + command.stderr()).toContain('"code":"undelivered"');
  expect(await gateway.row(id)).toMatchObject({ ...UNDELIVERED, answer: { redacted: true } });
  expect(holding(gateway.stateDir, 'pw-52-7be1')).toEqual([]);
}, 30_000);

test('a gateway that stands still is not gone; once it is killed, a restart marks what it had not passed on', async () => {
  const it = await stage();
  const { gateway, scope } = it;
  const first = await it.ask();
  expect(await gateway.mcpx(['elicit', 'decline', first.id])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('sent to fixture'),
  });
  const { id } = await it.ask();
  gateway.process.child.kill('SIGSTOP');
  expect(await gateway.mcpx(['elicit', 'cancel', id])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('has not taken it yet'),
  });
  expect(await gateway.row(id)).not.toHaveProperty('undelivered');
  await gateway.process.stop('SIGKILL');
  const rest = restOf(await serveHttp(scope, gateway));
  expect((await rest.ask(`/v1/elicit/${id}`)).json).toMatchObject({
    state: 'cancelled',
    undelivered: true,
    reason: GONE,
  });
  const delivered = (await rest.ask(`/v1/elicit/${first.id}`)).json;
  expect(delivered).toMatchObject({ state: 'declined', deliveredAt: expect.any(String) });
  expect(delivered).not.toHaveProperty('undelivered');
}, 30_000);

test('killed before the answer: the question is lost, and nothing is recorded', async () => {
  const it = await stage();
  const { id } = await it.ask();
  await it.gateway.process.stop('SIGKILL');
  expect(await it.gateway.mcpx(['elicit', 'decline', id, '--json'])).toMatchObject({
    code: 7,
    stderr: expect.stringContaining('lost'),
  });
  expect(await it.gateway.row(id)).toMatchObject({ state: 'lost', reason: GONE });
}, 30_000);

test('answered through another gateway (--url): exit 7, whichever of the two is gone', async () => {
  const it = await stage();
  const { gateway, scope } = it;
  const other = await serveHttp(scope, gateway);
  const { base, token } = restOf(other);
  const remote = ['--url', base];
  const eye = await openBroker({
    stateDir: gateway.stateDir,
    clock: systemClock,
    log: silent,
    role: 'command',
    keep: 86_400_000,
  });
  scope.defer(() => eye.close());
  const answering = async (): Promise<{ id: string; command: Running }> => {
    const { id } = await it.ask();
    gateway.process.child.kill('SIGSTOP');
    const command = gateway.start(['elicit', 'cancel', id, ...remote], { MCPX_TOKEN: token });
    // In this process: the command waits for 5 seconds, of which a process to look would take too many.
    await until('the commit', async () => (await eye.get(id)).state === 'cancelled');
    // It has its reply, and follows the events.
    await until('the wait for the delivery', () => eye.watched());
    return { id, command };
  };
  const one = await answering();
  await other.process.stop('SIGKILL');
  expect(await one.command.ended).toBe(7);
  expect(one.command.stderr()).toContain('the gateway is gone, nothing listens at');
  gateway.process.child.kill('SIGCONT');
  await until('the delivery', async () => (await gateway.row(one.id)).deliveredAt !== undefined);

  const third = await serveHttp(scope, gateway);
  remote[1] = restOf(third).base;
  const two = await answering();
  await gateway.process.stop('SIGKILL');
  expect(await two.command.ended).toBe(7);
  expect(two.command.stderr()).toContain(GONE);
  expect(await gateway.row(two.id)).toMatchObject({ state: 'cancelled', undelivered: true });
}, 40_000);
