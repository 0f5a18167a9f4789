// A live call on behalf of a stateless host: what goes out with which request, what comes back, and when it ends.
import { describe, expect, test } from 'vitest';
import type { Interim } from '../../../src/gateway/calls/parkable-call.ts';
import { ParkedCalls } from '../../../src/gateway/calls/parked-calls.ts';
import { Progress } from '../../../src/gateway/calls/progress.ts';
import type { Asked } from '../../../src/gateway/input-required/questions-by-retry.ts';
import type { Reply } from '../../../src/protocol/types.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { FACTS, incoming, type Parked, parked, turn } from '../modern/support.ts';

const ASK = 'elicitation/create';
const ACCEPT = '{"action":"accept","content":{"a":1.0}}';
const DONE: Reply = { result: '{"content":[]}' };

const keysOf = (interim: Interim<readonly Asked[]>): string[] =>
  'first' in interim ? interim.first.map(([key]) => key) : [];

function ask({ questions }: Parked, key: string, signal = new AbortController().signal): Promise<Reply> {
  const asked = questions.session.request(ASK, `{"message":"${key}"}`, { signal, key });
  asked.catch(() => {});
  return asked;
}

describe('the first request', () => {
  test('gets the outcome where nothing is asked', async () => {
    const it = parked();
    const { call, finish, ran } = it;
    const turned = call.attach(incoming(), undefined);
    finish(DONE);
    expect(await turned).toEqual({ reply: DONE });
    await ran;
    expect(call.outcome).toEqual(DONE);
    expect(call.ended.aborted).toBe(true);
  });

  test('carries the questions that come within 10 ms of the first, and a later one goes with the retry', async () => {
    const it = parked();
    const { call, clock } = it;
    const turned = call.attach(incoming(), undefined);
    void ask(it, 'a');
    clock.advance(9);
    void ask(it, 'b');
    await turn();
    clock.advance(1);
    expect(await turned).toEqual({
      first: [
        ['a', ASK, '{"message":"a"}'],
        ['b', ASK, '{"message":"b"}'],
      ],
    });
    void ask(it, 'c');
    clock.advance(10);
    const retried = call.attach(incoming(), undefined);
    clock.advance(10);
    expect(keysOf(await retried)).toEqual(['a', 'b', 'c']);
  });

  test('a question that is taken back within the settle does not go out', async () => {
    const it = parked();
    const { call, clock, finish } = it;
    const turned = call.attach(incoming(), undefined);
    const taken = new AbortController();
    const asked = ask(it, 'a', taken.signal);
    taken.abort(new Error('taken back'));
    await expect(asked).rejects.toThrow('taken back');
    clock.advance(10);
    finish(DONE);
    expect(await turned).toEqual({ reply: DONE });
  });

  test('a question without a key of its own gets one', async () => {
    const it = parked();
    const { call, clock } = it;
    const turned = call.attach(incoming(), undefined);
    void it.questions.session.request('roots/list', undefined, { signal: new AbortController().signal });
    clock.advance(10);
    expect(await turned).toEqual({ first: [['cal-1-1', 'roots/list', undefined]] });
  });
});

describe('answers', () => {
  test('go to the questions they are for; unknown keys are ignored, missing ones asked again', async () => {
    const it = parked();
    const { call, clock } = it;
    const first = call.attach(incoming(), undefined);
    const [a, b] = [ask(it, '__proto__'), ask(it, '')];
    clock.advance(10);
    await first;
    expect(
      it.questions.answers(
        new Map([
          ['__proto__', ACCEPT],
          ['constructor', ACCEPT],
        ]),
      ),
    ).toBeUndefined();
    expect(await a).toEqual({ result: ACCEPT });
    const retried = call.attach(incoming(), undefined);
    clock.advance(10);
    expect(await retried).toEqual({ first: [['', ASK, '{"message":""}']] });
    expect(
      it.questions.answers(
        new Map([
          ['', '{"action":"decline"}'],
          ['__proto__', '{"action":"cancel"}'],
        ]),
      ),
    ).toBeUndefined();
    expect(await b).toEqual({ result: '{"action":"decline"}' });
    // The first answer stands, whatever a later retry says.
    expect(await a).toEqual({ result: ACCEPT });
  });

  test.each([
    '7',
    '[]',
    'null',
    '{}',
    '{"action":"maybe"}',
    '{"action":"accept","content":[]}',
    '{"action":"accept","action":"decline"}',
  ])('%s is none: nothing at all is taken, and the key is named', async (response) => {
    const it = parked();
    const { call, clock } = it;
    const first = call.attach(incoming(), undefined);
    let answered = false;
    void ask(it, 'good').then(() => {
      answered = true;
    });
    void ask(it, 'bad');
    clock.advance(10);
    await first;
    expect(
      it.questions.answers(
        new Map([
          ['good', ACCEPT],
          ['bad', response],
        ]),
      ),
    ).toMatch(/^inputResponses\["bad"\]: /);
    await turn();
    expect(answered).toBe(false);
    const again = call.attach(incoming(), undefined);
    clock.advance(10);
    expect(keysOf(await again)).toEqual(['good', 'bad']);
  });

  test('what is no elicitation is for its asker to judge, as long as it is an object', async () => {
    const it = parked();
    const { call, clock } = it;
    const first = call.attach(incoming(), undefined);
    const roots = it.questions.session.request('roots/list', undefined, {
      signal: new AbortController().signal,
      key: 'r',
    });
    clock.advance(10);
    await first;
    expect(it.questions.answers(new Map([['r', '[]']]))).toMatch(/not an object/);
    expect(it.questions.answers(new Map([['r', '{"roots":7}']]))).toBeUndefined();
    expect(await roots).toEqual({ result: '{"roots":7}' });
  });
});

describe('several requests at once', () => {
  test('two that are attached both get the questions, then both the outcome', async () => {
    const it = parked();
    const { call, clock, finish } = it;
    const both = [call.attach(incoming(), undefined), call.attach(incoming(), undefined)];
    void ask(it, 'a');
    clock.advance(10);
    expect((await Promise.all(both)).map(keysOf)).toEqual([['a'], ['a']]);
    it.questions.answers(new Map([['a', ACCEPT]]));
    const retries = [call.attach(incoming(), undefined), call.attach(incoming(), undefined)];
    finish(DONE);
    expect(await Promise.all(retries)).toEqual([{ reply: DONE }, { reply: DONE }]);
    // And so does one that comes once more.
    expect(await call.attach(incoming(), undefined)).toEqual({ reply: DONE });
  });

  test('closing one of two changes nothing; closing the last cancels the call', async () => {
    const it = parked();
    const { call } = it;
    const [one, other] = [incoming(), incoming()];
    const turns = [call.attach(one, undefined), call.attach(other, undefined)];
    for (const turned of turns) turned.catch(() => {});
    one.close();
    await expect(turns[0]).rejects.toThrow('the host closed the response');
    expect(call.exchange.signal.aborted).toBe(false);
    other.close();
    await expect(turns[1]).rejects.toThrow('the host closed the response');
    expect(call.exchange.signal.aborted).toBe(true);
  });

  test('a response that is closed once it was answered cancels nothing', async () => {
    const it = parked();
    const { call, clock } = it;
    const first = incoming();
    const turned = call.attach(first, undefined);
    void ask(it, 'a');
    clock.advance(10);
    await turned;
    first.close();
    expect(call.exchange.signal.aborted).toBe(false);
  });

  test('a request that was closed before it was attached cancels the call that only it has', async () => {
    const it = parked();
    const { call } = it;
    const gone = incoming();
    gone.close();
    await expect(call.attach(gone, undefined)).rejects.toThrow('the host closed the response');
    expect(call.exchange.signal.aborted).toBe(true);
  });
});

describe('limits and ends', () => {
  test('where no more calls may wait for hosts, the call is given up and the limit named', async () => {
    const clock = fakeClock();
    const it = parked(clock, new ParkedCalls(0, clock));
    const turned = it.call.attach(incoming(), undefined);
    void ask(it, 'a');
    clock.advance(10);
    expect(JSON.stringify(await turned)).toContain('limits.parkedCalls');
    expect(it.call.failure).toMatchObject({ code: 'limit' });
  });

  test('a call that waits already may ask once more', async () => {
    const clock = fakeClock();
    const it = parked(clock, new ParkedCalls(1, clock));
    const turned = it.call.attach(incoming(), undefined);
    void ask(it, 'a');
    clock.advance(10);
    await turned;
    void ask(it, 'b');
    expect(it.call.parked).toBe(true);
    expect(it.call.exchange.signal.aborted).toBe(false);
  });

  test('it holds its place as parked exactly while it waits', async () => {
    const it = parked();
    const { call, clock, finish, ran } = it;
    const turned = call.attach(incoming(), undefined);
    expect(call.parked).toBe(false);
    void ask(it, 'a');
    clock.advance(10);
    await turned;
    expect(call.parked).toBe(true);
    const retried = call.attach(incoming(), undefined);
    expect(call.parked).toBe(false);
    clock.advance(10);
    await retried;
    expect(call.parked).toBe(true);
    finish(DONE);
    await ran;
    expect(call.parked).toBe(false);
  });

  test('a failure leaves nobody waiting, and is known', async () => {
    const { call, fail } = parked();
    const turned = call.attach(incoming(), undefined);
    fail(new Error('boom'));
    expect(JSON.stringify(await turned)).toContain('boom');
    expect(call.failure).toMatchObject({ message: 'boom' });
  });
});

describe('what else goes to the host', () => {
  test('progress reaches each attached request under its own token, and none that has no token', () => {
    const it = parked();
    const { call } = it;
    const [one, other, none] = [incoming(), incoming(), incoming()];
    const told = (to: typeof one, token: string): Progress =>
      new Progress(token, (params) => to.notify('notifications/progress', params));
    void call.attach(one, told(one, '"x"'));
    void call.attach(other, told(other, '7'));
    void call.attach(none, undefined);
    call.progress.relay('{"progressToken":"old","progress":1}');
    call.progress.relay('{"progressToken":"old","progress":1}');
    expect(one.told.map(({ params }) => params)).toEqual(['{"progressToken":"x","progress":1}']);
    expect(other.told.map(({ params }) => params)).toEqual(['{"progressToken":7,"progress":1}']);
    expect(none.told).toEqual([]);
    call.exchange.notify('notifications/message', '{"level":"info","data":1}');
    for (const { told: all } of [one, other, none]) expect(all.at(-1)?.method).toBe('notifications/message');
  });

  test('the host can be shown what its newest request declares', () => {
    const it = parked();
    const { call } = it;
    void call.attach(incoming(), undefined);
    const capabilities = { elicitation: { form: {}, url: {} } };
    it.questions.facts = { ...FACTS, capabilities };
    expect(it.questions.session.facts.capabilities).toBe(capabilities);
  });
});
