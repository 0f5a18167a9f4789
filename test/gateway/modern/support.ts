// Requests of a stateless host without a host, and a parked call to attach them to.
import { ParkableCall } from '../../../src/gateway/calls/parkable-call.ts';
import { ParkedCalls } from '../../../src/gateway/calls/parked-calls.ts';
import { type Asked, QuestionsByRetry } from '../../../src/gateway/input-required/questions-by-retry.ts';
import type { HostFacts, StatelessRequest } from '../../../src/host/types.ts';
import type { Reply } from '../../../src/protocol/types.ts';
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts';

export const FACTS: HostFacts = {
  revision: '2026-07-28',
  capabilities: { elicitation: {} },
  clientName: 'host',
  principal: 'local',
  transport: 'http',
};

export interface Incoming extends StatelessRequest {
  /** What it was told ahead of its answer. */
  readonly told: { method: string; params: string | undefined }[];
  /** The host closes the response. */
  close(): void;
}

export function incoming(more: Partial<StatelessRequest> = {}): Incoming {
  const closed = new AbortController();
  const told: Incoming['told'] = [];
  return {
    method: 'tools/call',
    params: '{"name":"t"}',
    facts: FACTS,
    inputResponses: undefined,
    requestState: undefined,
    logLevel: undefined,
    signal: closed.signal,
    streams: true,
    notify: (method, params) => told.push({ method, params }),
    ...more,
    told,
    close: () => closed.abort(new Error('the host closed the response')),
  };
}

/** A call on behalf of a stateless host, and the session through which the relay asks that host. */
export interface Parked {
  readonly clock: FakeClock;
  readonly parked: ParkedCalls;
  readonly call: ParkableCall<readonly Asked[]>;
  readonly questions: QuestionsByRetry;
  /** Ends the upstream's call. */
  readonly finish: (reply: Reply) => void;
  readonly fail: (error: unknown) => void;
  /** Resolves when the call has its outcome. */
  readonly ran: Promise<void>;
}

/** A call that runs until the test ends it; `most` is `limits.parkedCalls`. */
export function parked(clock = fakeClock(), calls = new ParkedCalls(1_000, clock)): Parked {
  const ended = new AbortController();
  const questions = new QuestionsByRetry(clock, 'cal-1', FACTS, ended.signal);
  const call = new ParkableCall({
    principal: 'local',
    parking: calls,
    interruptions: questions,
    request: { method: 'tools/call', params: '{"name":"t"}', streams: true },
  });
  let finish: (reply: Reply) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const outcome = new Promise<Reply>((resolve, reject) => {
    finish = resolve;
    fail = reject;
    call.exchange.signal.addEventListener('abort', () => reject(call.exchange.signal.reason));
  });
  const work = (): Promise<Reply> => outcome.finally(() => ended.abort('the call has ended'));
  const ran = call.run(work, (failure) => ({
    error: JSON.stringify({ code: -1, message: String(failure) }),
  }));
  return { clock, parked: calls, call, questions, finish, fail, ran };
}

/** Lets whole chains of promises run. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
