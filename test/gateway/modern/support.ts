// Requests of a stateless host without a host, and a parked call to attach them to.
import { ParkedCall, type ParkedCallOptions } from '../../../src/gateway/modern/parked-call.ts';
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

export interface Parked {
  readonly clock: FakeClock;
  readonly call: ParkedCall;
  /** Ends the upstream's call. */
  readonly finish: (reply: Reply) => void;
  /** Resolves when `run` does. */
  readonly ran: Promise<void>;
}

/** A call that runs until the test ends it. */
export function parked(options: Partial<ParkedCallOptions> = {}): Parked {
  const clock = fakeClock();
  const call = new ParkedCall({
    facts: FACTS,
    method: 'tools/call',
    params: '{"name":"t"}',
    mayPark: () => true,
    after: (ms, fire) => void clock.after(ms, fire),
    ...options,
  });
  let finish: (reply: Reply) => void = () => {};
  const outcome = new Promise<Reply>((resolve) => {
    finish = resolve;
  });
  return { clock, call, finish, ran: call.run(() => outcome) };
}

/** Lets whole chains of promises run. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
