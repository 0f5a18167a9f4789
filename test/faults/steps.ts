// Brings a question to one step of its life and holds it there, so that something can be killed at that very step.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Broker, Row } from '../../src/broker/types.ts';
import { lockStore } from '../broker/actor.ts';
import type { Scope } from '../support/create-scope.ts';
import type { HttpGateway } from '../support/gateway.ts';
import type { HttpHost } from '../support/host-http.ts';
import type { Running } from '../support/processes.ts';
import { CAN_ASK } from '../support/scene.ts';
import { until } from '../support/until.ts';
import type { FixtureUpstream } from '../support/upstream.ts';
import { responsesTo } from './tally.ts';

export const STEPS = ['opened', 'delivered to the host', 'answered', 'committed', 'sent'] as const;
export type Step = (typeof STEPS)[number];

export interface Stage {
  readonly scope: Scope;
  readonly gateway: HttpGateway<Running>;
  readonly upstream: FixtureUpstream;
  /** A broker that only looks. */
  readonly eye: Broker;
}

export interface Held {
  readonly id: string;
  /** The JSON-RPC id of the server's question. */
  readonly asked: string;
  readonly host: HttpHost;
  /** The command that answers, where there is one. */
  readonly command: Running | undefined;
  /** Lets everything that still lives go on. */
  release(): Promise<void>;
}

export const CONTENT = { repo: 'answered' };

/** Asks a question and brings it to the step. */
export async function hold(
  { scope, gateway, upstream, eye }: Stage,
  step: Step,
  name: string,
): Promise<Held> {
  const host = await gateway.connect(step === 'delivered to the host' ? { capabilities: CAN_ASK } : {});
  const asked = `q-${name}`;
  host.startCall('ask', { message: name, id: JSON.stringify(asked) });
  const { id } = await until(`the row of ${name}`, async () =>
    (await eye.list()).find((row) => row.message === name),
  );
  const nothing = async (): Promise<void> => {};
  const accept = (): Running => {
    const command = gateway.start(['elicit', 'accept', id, '--input', '-']);
    command.child.stdin.end(JSON.stringify(CONTENT));
    return command;
  };
  switch (step) {
    case 'opened': {
      // It waits for its input, and has sent nothing.
      const command = gateway.start(['elicit', 'accept', id, '--input', '-']);
      await untilOpen(command, gateway.stateDir);
      return { id, asked, host, command, release: nothing };
    }
    case 'delivered to the host':
      await host.question(0);
      return { id, asked, host, command: undefined, release: nothing };
    case 'answered': {
      const release = await lockStore(scope, gateway.stateDir);
      const command = accept();
      await untilOpen(command, gateway.stateDir);
      return { id, asked, host, command, release };
    }
    case 'committed': {
      gateway.process.child.kill('SIGSTOP');
      const command = accept();
      await until('the commit', async () => (await eye.get(id)).state === 'accepted');
      const release = async (): Promise<void> => void gateway.process.child.kill('SIGCONT');
      return { id, asked, host, command, release };
    }
    case 'sent': {
      const command = accept();
      await until('the server to have it', () => responsesTo(upstream, asked).length > 0);
      return { id, asked, host, command, release: nothing };
    }
  }
}

/** The process has the store open: from here on it is at its work, or waits for a lock or its input. */
async function untilOpen({ pid, ended }: Running, stateDir: string): Promise<void> {
  const fds = `/proc/${pid}/fd`;
  if (!existsSync('/proc/self/fd')) return;
  let over = false;
  void ended.then(() => {
    over = true;
  });
  await until(
    'the command to open the store',
    () => over || linksOf(fds).includes(join(stateDir, 'mcpx.db')),
  );
}

function linksOf(dir: string): string[] {
  try {
    return readdirSync(dir).flatMap((name) => {
      try {
        return [readlinkSync(join(dir, name))];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}

/** The children of a process. */
export function childrenOf(pid: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
}

/**
 * Kills with -9, and waits until nothing of it is left but its entry: what is written to a process that is still dying
 * goes into its pipe, and nobody can tell.
 */
export async function killAll(pids: readonly number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await until('the processes to be dead', () => pids.every(isDead));
}

function isDead(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^\s*(Z|$)/.test(stdout);
}

/** The row once it is settled and nothing more will happen to it: delivered, or never going to be. */
export function ended(eye: Broker, id: string, needsDelivery: boolean): Promise<Row> {
  return until(`the end of ${id}`, async () => {
    const row = await eye.get(id);
    return row.state !== 'pending' && (!needsDelivery || row.deliveredAt !== undefined) && row;
  });
}
