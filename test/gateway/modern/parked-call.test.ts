// A live call on behalf of a stateless host: what goes out with which request, what comes back, and when it ends.
import { describe, expect, test } from 'vitest';
import type { ParkedCall, Turn } from '../../../src/gateway/modern/parked-call.ts';
import { Progress } from '../../../src/gateway/progress.ts';
import type { Reply } from '../../../src/protocol/types.ts';
import { FACTS, incoming, parked, turn } from './support.ts';

const ASK = 'elicitation/create';
const ACCEPT = '{"action":"accept","content":{"a":1.0}}';
const DONE: Reply = { result: '{"content":[]}' };

const keysOf = (turned: Turn): string[] => ('asked' in turned ? turned.asked.map(([key]) => key) : []);

function ask(call: ParkedCall, key: string, signal = new AbortController().signal): Promise<Reply> {
  const asked = call.host.session.request(ASK, `{"message":"${key}"}`, { signal, key });
  asked.catch(() => {});
  return asked;
}

describe('the first request', () => {
  test('gets the outcome where nothing is asked', async () => {
    const { call, finish, ran } = parked();
    const turned = call.attach(incoming(), undefined);
    finish(DONE);
    expect(await turned).toEqual({ reply: DONE });
    await ran;
    expect(call.outcome).toEqual(DONE);
    expect(call.host.session.ended.aborted).toBe(true);
  });

  test('carries the questions that come within 10 ms of the first, and a later one goes with the retry', async () => {
    const { call, clock } = parked();
    const turned = call.attach(incoming(), undefined);
    void ask(call, 'a');
    clock.advance(9);
    void ask(call, 'b');
    await turn();
    clock.advance(1);
    expect(await turned).toEqual({
      asked: [
        ['a', ASK, '{"message":"a"}'],
        ['b', ASK, '{"message":"b"}'],
      ],
    });
    void ask(call, 'c');
    clock.advance(10);
    const retried = call.attach(incoming(), undefined);
    clock.advance(10);
    expect(keysOf(await retried)).toEqual(['a', 'b', 'c']);
  });

  test('a question that is taken back within the settle does not go out', async () => {
    const { call, clock, finish } = parked();
    const turned = call.attach(incoming(), undefined);
    const taken = new AbortController();
    const asked = ask(call, 'a', taken.signal);
    taken.abort(new Error('taken back'));
    await expect(asked).rejects.toThrow('taken back');
    clock.advance(10);
    finish(DONE);
    expect(await turned).toEqual({ reply: DONE });
  });

  test('a question without a key of its own gets one', async () => {
    const { call, clock } = parked();
    const turned = call.attach(incoming(), undefined);
    void call.host.session.request('roots/list', undefined, { signal: new AbortController().signal });
    clock.advance(10);
    expect(await turned).toEqual({ asked: [[`${call.id}-1`, 'roots/list', undefined]] });
  });
});

describe('answers', () => {
  test('go to the questions they are for; unknown keys are ignored, missing ones asked again', async () => {
    const { call, clock } = parked();
    const first = call.attach(incoming(), undefined);
    const [a, b] = [ask(call, '__proto__'), ask(call, '')];
    clock.advance(10);
    await first;
    expect(
      call.answers(
        new Map([
          ['__proto__', ACCEPT],
          ['constructor', ACCEPT],
        ]),
      ),
    ).toBeUndefined();
    expect(await a).toEqual({ result: ACCEPT });
    const retried = call.attach(incoming(), undefined);
    clock.advance(10);
    expect(await retried).toEqual({ asked: [['', ASK, '{"message":""}']] });
    expect(
      call.answers(
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
    const { call, clock } = parked();
    const first = call.attach(incoming(), undefined);
    let answered = false;
    void ask(call, 'good').then(() => {
      answered = true;
    });
    void ask(call, 'bad');
    clock.advance(10);
    await first;
    expect(
      call.answers(
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
    const { call, clock } = parked();
    const first = call.attach(incoming(), undefined);
    const roots = call.host.session.request('roots/list', undefined, {
      signal: new AbortController().signal,
      key: 'r',
    });
    clock.advance(10);
    await first;
    expect(call.answers(new Map([['r', '[]']]))).toMatch(/not an object/);
    expect(call.answers(new Map([['r', '{"roots":7}']]))).toBeUndefined();
    expect(await roots).toEqual({ result: '{"roots":7}' });
  });
});

describe('several requests at once', () => {
  test('two that are attached both get the questions, then both the outcome', async () => {
    const { call, clock, finish } = parked();
    const both = [call.attach(incoming(), undefined), call.attach(incoming(), undefined)];
    void ask(call, 'a');
    clock.advance(10);
    expect((await Promise.all(both)).map(keysOf)).toEqual([['a'], ['a']]);
    call.answers(new Map([['a', ACCEPT]]));
    const retries = [call.attach(incoming(), undefined), call.attach(incoming(), undefined)];
    finish(DONE);
    expect(await Promise.all(retries)).toEqual([{ reply: DONE }, { reply: DONE }]);
    // And so does one that comes once more.
    expect(await call.attach(incoming(), undefined)).toEqual({ reply: DONE });
  });

  test('closing one of two changes nothing; closing the last cancels the call', async () => {
    const { call } = parked();
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
    const { call, clock } = parked();
    const first = incoming();
    const turned = call.attach(first, undefined);
    void ask(call, 'a');
    clock.advance(10);
    await turned;
    first.close();
    expect(call.exchange.signal.aborted).toBe(false);
  });

  test('a request that was closed before it was attached cancels the call that only it has', async () => {
    const { call } = parked();
    const gone = incoming();
    gone.close();
    await expect(call.attach(gone, undefined)).rejects.toThrow('the host closed the response');
    expect(call.exchange.signal.aborted).toBe(true);
  });
});

describe('limits and ends', () => {
  test('where no more calls may wait for hosts, the call is given up and the limit named', async () => {
    const { call } = parked({ mayPark: () => false });
    call.attach(incoming(), undefined).catch(() => {});
    await expect(ask(call, 'a')).rejects.toThrow(/limits\.parkedCalls/);
    expect(call.exchange.signal.aborted).toBe(true);
    expect(String(call.exchange.signal.reason)).toContain('limits.parkedCalls');
  });

  test('a call that waits already may ask once more', async () => {
    let most = 1;
    const { call, clock } = parked({ mayPark: () => most > 0 });
    const turned = call.attach(incoming(), undefined);
    void ask(call, 'a');
    clock.advance(10);
    await turned;
    most = 0;
    void ask(call, 'b');
    expect(call.waits).toBe(true);
    expect(call.exchange.signal.aborted).toBe(false);
  });

  test('it holds its place as parked exactly while it waits', async () => {
    const { call, clock, finish, ran } = parked();
    const turned = call.attach(incoming(), undefined);
    expect(call.host.parked).toBe(false);
    void ask(call, 'a');
    clock.advance(10);
    await turned;
    expect(call.host.parked).toBe(true);
    const retried = call.attach(incoming(), undefined);
    expect(call.host.parked).toBe(false);
    clock.advance(10);
    await retried;
    expect(call.host.parked).toBe(true);
    finish(DONE);
    await ran;
    expect(call.host.parked).toBe(false);
  });

  test('a failure inside mcpx leaves nobody waiting', async () => {
    const { call } = parked();
    const turned = call.attach(incoming(), undefined);
    await expect(call.run(() => Promise.reject(new Error('boom')))).rejects.toThrow('boom');
    expect(await turned).toHaveProperty('reply.error');
  });
});

describe('what else goes to the host', () => {
  test('progress reaches each attached request under its own token, and none that has no token', () => {
    const { call } = parked();
    const [one, other, none] = [incoming(), incoming(), incoming()];
    const told = (to: typeof one, token: string): Progress =>
      new Progress(token, (params) => to.notify('notifications/progress', params));
    void call.attach(one, told(one, '"x"'));
    void call.attach(other, told(other, '7'));
    void call.attach(none, undefined);
    call.exchange.notify('notifications/progress', '{"progressToken":"old","progress":1}');
    call.exchange.notify('notifications/progress', '{"progressToken":"old","progress":1}');
    expect(one.told.map(({ params }) => params)).toEqual(['{"progressToken":"x","progress":1}']);
    expect(other.told.map(({ params }) => params)).toEqual(['{"progressToken":7,"progress":1}']);
    expect(none.told).toEqual([]);
    call.exchange.notify('notifications/message', '{"level":"info","data":1}');
    for (const { told: all } of [one, other, none]) expect(all.at(-1)?.method).toBe('notifications/message');
  });

  test('the host can be shown what its newest request declares', () => {
    const { call } = parked();
    void call.attach(incoming(), undefined);
    const capabilities = { elicitation: { form: {}, url: {} } };
    void call.attach(incoming({ facts: { ...FACTS, capabilities } }), undefined);
    expect(call.host.session.facts.capabilities).toBe(capabilities);
  });
});
