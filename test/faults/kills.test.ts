// kill -9 of the gateway, the server and whoever answers, at each step of a question's life.
import { afterAll, describe, expect, test } from 'vitest';
import { openBroker } from '../../src/broker/open.ts';
import type { Broker } from '../../src/broker/types.ts';
import { systemClock } from '../../src/clock.ts';
import { silent } from '../../src/log.ts';
import type { Scope } from '../support/create-scope.ts';
import { startGateway } from '../support/gateway.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';
import { CONTENT, childrenOf, ended, hold, killAll, STEPS, type Stage } from './steps.ts';
import { responsesTo, Tallying } from './tally.ts';

const counted = new Tallying();

afterAll(() => {
  process.stdout.write(`\nkill -9 of gateway, server and answering process, ${counted.report()}\n`);
  const { lost, twice, wrong } = counted.tally;
  expect({ lost, twice, wrong }).toEqual({ lost: [], twice: [], wrong: [] });
});

async function openEye(scope: Scope, stateDir: string): Promise<Broker> {
  const eye = await openBroker({
    stateDir,
    clock: systemClock,
    log: silent,
    role: 'command',
    keep: 86_400_000,
  });
  scope.defer(() => eye.close());
  return eye;
}

async function stage(scope: Scope, transport: 'stdio' | 'http'): Promise<Stage> {
  const upstream = await fixtureUpstream(scope, { transport });
  const gateway = await startGateway(scope, { spawn: true, servers: { fixture: upstream.entry } });
  return { scope, gateway, upstream, eye: await openEye(scope, gateway.stateDir) };
}

describe('the gateway', () => {
  test.each(STEPS)('%s', async (step) => {
    const at = await stage(testScope(), 'http');
    const held = await hold(at, step, `gateway-${step}`);
    await at.gateway.process.stop('SIGKILL');
    await held.release();
    if (step === 'answered' || step === 'committed' || step === 'sent') await held.command?.ended;
    // Whoever comes next sweeps, as every command does.
    const next = await openEye(at.scope, at.gateway.stateDir);
    const row = await ended(next, held.id, false);
    const answered = step === 'committed' || step === 'sent';
    counted.count(`gateway, ${step}`, row, responsesTo(at.upstream, held.asked), {
      states: answered ? ['accepted'] : ['lost'],
      survived: false,
    });
  });
});

test('the server, at each step, under one gateway', async () => {
  const at = await stage(testScope(), 'stdio');
  for (const step of STEPS) {
    const held = await hold(at, step, `server-${step}`);
    const children = childrenOf(at.gateway.process.pid);
    expect(children.length).toBeGreaterThan(0);
    await killAll(children);
    await held.release();
    const row = await ended(at.eye, held.id, false);
    // The answer may have been committed before the gateway knew of the end; it is not said to be delivered then.
    const raced = step === 'answered' || step === 'committed' || step === 'sent';
    counted.count(`server, ${step}`, row, responsesTo(at.upstream, held.asked), {
      states: raced ? ['accepted', 'lost'] : ['lost'],
      survived: false,
    });
    await held.command?.stop('SIGKILL');
    held.host.cut();
  }
}, 60_000);

test('whoever answers, at each step, under one gateway', async () => {
  const at = await stage(testScope(), 'stdio');
  for (const step of STEPS) {
    const held = await hold(at, step, `answerer-${step}`);
    // A host that is killed says no goodbye: its connections break.
    if (held.command === undefined) held.host.cut();
    else await held.command.stop('SIGKILL');
    await held.release();
    const row = await at.eye.get(held.id);
    // What the killed one did not commit is open to the next.
    if (row.state === 'pending')
      await at.eye.answer(held.id, { action: 'accept', content: JSON.stringify(CONTENT), by: 'cli' });
    const last = await ended(at.eye, held.id, true);
    await until('the server to have it', () => responsesTo(at.upstream, held.asked).length > 0);
    counted.count(`answerer, ${step}`, last, responsesTo(at.upstream, held.asked), {
      states: ['accepted'],
      survived: true,
    });
  }
}, 60_000);
