// /v1/call: one tool call, whose result is waited for; or with `Prefer: respond-async` left running and fetched later.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { rowJson } from '../broker/row-json.ts';
import type { Broker } from '../broker/types.ts';
import type { Clock } from '../clock.ts';
import { McpxError } from '../errors.ts';
import type { ApiCall } from '../gateway/calls/api-calls.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Exchange } from '../host/types.ts';
import { arrayText, json, member, quote } from '../protocol/json-text.ts';
import { type ApiResponse, ok, type Route, route } from './route.ts';
import { callBody, failure, toolResult, unfinished } from './schemas.ts';

export interface CallDeps {
  readonly calls: Gateway['apiCalls'];
  readonly broker: Broker;
  readonly clock: Clock;
  /** `limits.frameBytes`. */
  readonly frameBytes: number;
}

/** Seconds for the first question or the result of a call that need not be waited for (RFC 7240, "wait"). */
const WAIT = 5;
const LONGEST_WAIT = 60;

export function callRoutes(deps: CallDeps): Route[] {
  const { calls } = deps;
  const answers = {
    200: { description: 'the result of the tool', schema: toolResult },
    202: { description: 'the call runs or waits for answers', schema: unfinished },
    404: { description: 'no such server, or no such call', schema: failure },
    429: { description: 'too many calls are running (limits.parkedCalls)', schema: failure },
    502: { description: 'the server failed, or cannot be reached', schema: failure },
    504: { description: 'the server did not answer in time', schema: failure },
  };
  return [
    route({
      method: 'POST',
      path: '/v1/call',
      summary:
        'Calls a tool and answers with its result. With "Prefer: respond-async" it answers 202 once the call asks something, or after "wait" seconds.',
      body: callBody,
      most: { bytes: deps.frameBytes, limit: 'limits.frameBytes' },
      answers,
      handle: async ({ principal, body: { server, tool }, bodyText, headers, response }) => {
        const prefer = readPrefer(headers);
        const since = await deps.broker.lastSeq();
        const args = member(bodyText, 'arguments') ?? '{}';
        const request = { server, tool, principal, arguments: args };
        if (prefer === undefined) {
          // Nobody could fetch it: its id is never told.
          const call = calls.start(request);
          await call.attach(openRequest(call, response), undefined);
          return outcomeOf(call);
        }
        const call = calls.startParked(request);
        await firstNews(deps, call, since, prefer.wait * 1_000);
        const answer = await answerOf(deps.broker, call);
        return { ...answer, headers: { ...answer.headers, 'preference-applied': 'respond-async' } };
      },
    }),
    route({
      method: 'GET',
      path: '/v1/call/{id}',
      summary: 'The result of a call, or the questions that it waits for.',
      answers: {
        200: answers[200],
        202: answers[202],
        404: answers[404],
        502: answers[502],
        504: answers[504],
      },
      handle: async ({ principal, id }) => {
        const call = calls.get(id, principal);
        if (call === undefined) throw noCall(id);
        return answerOf(deps.broker, call);
      },
    }),
  ];
}

function readPrefer({ prefer }: IncomingHttpHeaders): { readonly wait: number } | undefined {
  const preferences = String(prefer ?? '')
    .toLowerCase()
    .split(',')
    .map((text) => text.split(';', 1)[0]?.trim() ?? '');
  if (!preferences.includes('respond-async')) return undefined;
  const seconds = preferences.map((text) => /^wait\s*=\s*"?(\d{1,9})"?$/.exec(text)?.[1]).find(Boolean);
  return { wait: seconds === undefined ? WAIT : Math.min(Number(seconds), LONGEST_WAIT) };
}

/** Resolves at the outcome, at the first question, or after `ms`. */
async function firstNews(
  { broker, clock }: CallDeps,
  call: ApiCall,
  since: number,
  ms: number,
): Promise<void> {
  const enough = new AbortController();
  const timer = clock.after(ms, () => enough.abort());
  if (call.ended.aborted) enough.abort();
  call.ended.addEventListener('abort', () => enough.abort(), { once: true });
  try {
    for await (const { row } of broker.changes({ since, signal: enough.signal })) {
      if (row.call === call.id) return;
    }
  } finally {
    timer.cancel();
    enough.abort();
  }
}

async function answerOf(broker: Broker, call: ApiCall): Promise<ApiResponse> {
  if (call.outcome !== undefined) return outcomeOf(call);
  const questions = (await broker.list()).filter((row) => row.call === call.id).map(rowJson);
  const text = json`{"call":${quote(call.id)},"questions":${arrayText(questions)}}`;
  return { ...ok(text, 202), headers: { location: `/v1/call/${call.id}` } };
}

function outcomeOf({ outcome, failure }: ApiCall): ApiResponse {
  if (outcome !== undefined && 'result' in outcome) return ok(outcome.result);
  throw failure;
}

/** The HTTP request that waits for a call: whoever made it goes away, and the call is given up. */
function openRequest({ exchange }: ApiCall, response: ServerResponse): Exchange {
  const closed = new AbortController();
  response.on('close', () =>
    closed.abort(new McpxError('interrupted', 'The API client that made the call went away.')),
  );
  const { method, params } = exchange;
  return { method, params, signal: closed.signal, streams: false, notify: () => {} };
}

/** The failure of a call that is not there, or not there any more, or somebody else's. */
function noCall(id: string): McpxError {
  const shown = /^[\w-]{1,40}$/.test(id) ? `: ${id}` : '';
  return new McpxError(
    'not_found',
    `No such call${shown}.`,
    'Results are kept for ten minutes, and no longer than the gateway runs.',
  );
}
