// What tests of url questions have in common: the questions, the error that requires them, the notice that ends them.
import type { Host, Question, RawReply } from './host.ts';
import { until } from './until.ts';
import type { FixtureUpstream } from './upstream.ts';

/** The capabilities of a host that takes both modes, as raw JSON. */
export const FORM_AND_URL = '{"elicitation":{"form":{},"url":{}}}';

/** The params of a url question, as raw JSON. */
export const urlParams = (more: object = {}): string =>
  JSON.stringify({
    mode: 'url',
    elicitationId: 'u-1',
    url: 'https://mcp.example.com/connect?x=1&y=2',
    message: 'Link account',
    ...more,
  });

/** A -32042 that needs two URLs, in a spelling that no printer would give it (C09). */
export const NEEDS_TWO =
  '{"message":"More info needed", "code":-32042,"data":{"x":1.0,"elicitations":[' +
  '{"mode":"url","elicitationId":"e-1","url":"https://mcp.example.com/c?e=1","message":"Link A"},' +
  '{"url":"https://mcp.example.com/c?e=2","message":"Link B","mode":"url","elicitationId":"e-2"}]}}';

export const paramsOf = (question: Question): Record<string, unknown> =>
  JSON.parse(question.params ?? '{}') as Record<string, unknown>;

/** The error of a reply as raw text; throws for a result. */
export function errorOf(reply: RawReply): string {
  if ('result' in reply) throw new Error(`the call succeeded: ${reply.result}`);
  return reply.error;
}

/** Has the fixture upstream say on this host's channel that an id is finished. */
export async function sayComplete(host: Host, id: string, more: object = {}): Promise<void> {
  const params = JSON.stringify({ elicitationId: id });
  await host.call('notify', { method: 'notifications/elicitation/complete', params, ...more });
}

/** The ids of the completions that a host was sent so far. */
export function completions(host: Host): string[] {
  return host.wire
    .filter(({ dir }) => dir === 'in')
    .map(({ text }) => JSON.parse(text) as { method?: string; params?: { elicitationId?: string } })
    .filter(({ method }) => method === 'notifications/elicitation/complete')
    .map(({ params }) => params?.elicitationId ?? '');
}

/** Waits until the host was sent exactly these completions. */
export async function seesCompletions(host: Host, ids: readonly string[]): Promise<void> {
  await until(`the completions ${ids.join(', ')}`, () => completions(host).length >= ids.length);
  if (completions(host).sort().join() !== [...ids].sort().join())
    throw new Error(`sent ${completions(host).join(', ')} instead of ${ids.join(', ')}`);
}

/** How many requests with this method, and tool if one is named, reached the upstream. */
export function calls(upstream: FixtureUpstream, method = 'tools/call', tool = 'fail'): number {
  return upstream.messages().filter((message) => {
    const { name } = (message['params'] ?? {}) as { name?: string };
    return message['method'] === method && (method !== 'tools/call' || name === tool);
  }).length;
}
