// /v1/elicit: rows are listed, shown and answered, each answer checked before anything is committed.
import { LOCAL, ownRow } from '../broker/principals.ts';
import { rowJson } from '../broker/row-json.ts';
import type { AnsweredBy, Broker, Row } from '../broker/types.ts';
import { isMcpxError, McpxError, messageOf } from '../errors.ts';
import type { FormChecks } from '../form/checks.ts';
import { fillDefaults } from '../form/draft.ts';
import type { Log } from '../log.ts';
import { arrayText, member, objectText, quote } from '../protocol/json-text.ts';
import type { Action, JsonText } from '../protocol/types.ts';
import { tooLarge } from './body.ts';
import { conflict, Refused } from './refused.ts';
import { type ApiRequest, type ApiResponse, ok, type Route, route } from './route.ts';
import {
  acceptBody,
  defined,
  doneBody,
  failure,
  listQuery,
  lostRace,
  refuseBody,
  row,
  rows,
} from './schemas.ts';

export interface ElicitDeps {
  readonly broker: Broker;
  readonly checks: FormChecks;
  readonly log: Log;
  /** `limits.answerBytes`. */
  readonly answerBytes: number;
}

/** What stands around the content in a body. */
const ENVELOPE = 4_096;
/** How long the gateway that is to take an answer is looked after; milliseconds. A sweep sees it later, too. */
const LOOK_AFTER = 5_000;
const LIMIT = 'limits.answerBytes';
const ACCEPT =
  'Fields that the content leaves out get the default that the requestedSchema has for them, as with ' +
  '`mcpx elicit accept`; with `"defaults": false` they stay out. The answer of the row is what the server gets.';

export function elicitRoutes(deps: ElicitDeps): Route[] {
  const most = { bytes: deps.answerBytes + ENVELOPE, limit: LIMIT };
  const found = {
    200: { description: 'the row', schema: row },
    404: { description: 'no such question', schema: failure },
  };
  const answered = {
    ...found,
    409: { description: 'already answered, or no longer open', schema: lostRace },
  };
  return [
    route({
      method: 'GET',
      path: '/v1/elicit',
      summary: 'The rows, soonest to expire first, then oldest.',
      query: listQuery,
      answers: { 200: { description: 'a page of rows', schema: rows } },
      handle: async ({ principal, query: { limit, ...filter } }) => {
        const own = principal === LOCAL ? {} : { principal };
        const listed = await deps.broker.list({ ...defined(filter), ...own, limit: limit + 1 });
        const page = listed.slice(0, limit).map(rowJson);
        const last = listed.length > limit ? listed[limit - 1] : undefined;
        const next = last === undefined ? [] : [['next', quote(last.id)] as const];
        return ok(objectText([['rows', arrayText(page)], ...next]));
      },
    }),
    route({
      method: 'GET',
      path: '/v1/elicit/{id}',
      summary: 'One row, by its id or a unique prefix of it.',
      answers: found,
      handle: async (request) => ok(rowJson(await rowOf(deps, request))),
    }),
    route({
      method: 'POST',
      path: '/v1/elicit/{id}/accept',
      summary: 'Accepts: with the content of a form, or with consent to open a URL.',
      description: ACCEPT,
      body: acceptBody,
      most,
      answers: {
        ...answered,
        400: { description: 'the answer does not fit; the row stays pending', schema: failure },
      },
      handle: async (request) => {
        const content = member(request.bodyText, 'content');
        if (content !== undefined && Buffer.byteLength(content) > deps.answerBytes) throw tooLarge(LIMIT);
        const pending = await pendingRow(deps, request);
        const answer =
          pending.mode === 'form'
            ? await fitting(deps.checks, pending, content, request.body.defaults)
            : consent(pending, content, request.body.consent);
        return settle(deps, request, pending, 'accept', answer);
      },
    }),
    ...(['decline', 'cancel'] as const).map((action) =>
      route({
        method: 'POST',
        path: `/v1/elicit/{id}/${action}`,
        summary:
          action === 'decline' ? 'Tells the server no.' : 'Dismisses the question without a yes or no.',
        body: refuseBody,
        most,
        answers: answered,
        handle: async (request) => settle(deps, request, await pendingRow(deps, request), action, undefined),
      }),
    ),
    route({
      method: 'POST',
      path: '/v1/elicit/{id}/done',
      summary: 'The person has finished at the URL of an accepted question.',
      body: doneBody,
      most,
      answers: answered,
      handle: async (request) => {
        const now = await rowOf(deps, request);
        if (now.mode !== 'url' || now.state === 'pending') throw notDone(now);
        if (now.state !== 'accepted' || now.undelivered) throw conflict(now);
        const completed = await deps.broker.completed(now.id);
        deps.log.info({ row: now.id, principal: request.principal }, 'question completed over HTTP');
        return ok(rowJson(completed));
      },
    }),
  ];
}

type Asked = Pick<ApiRequest<unknown, unknown>, 'id' | 'principal'>;

function rowOf({ broker, log }: ElicitDeps, { id, principal }: Asked): Promise<Row> {
  return ownRow(broker, id, principal, log);
}

async function pendingRow(deps: ElicitDeps, request: Asked): Promise<Row> {
  const found = await rowOf(deps, request);
  if (found.state !== 'pending') throw conflict(found);
  return found;
}

async function settle(
  { broker, log }: ElicitDeps,
  { principal, body: { by } }: ApiRequest<unknown, { by: AnsweredBy }>,
  { id }: Row,
  action: Action,
  content: JsonText | undefined,
): Promise<ApiResponse> {
  const given = { action, by, ...(content !== undefined && { content }) };
  const settled = await broker.answer(id, given).catch((error) => {
    // The only limit here: that of the gateway which asks.
    throw isMcpxError(error) && error.code === 'limit' ? new Refused(413, error) : error;
  });
  log.info({ row: id, action, by, principal, won: settled.won }, 'answered over HTTP');
  if (!settled.won) throw conflict(settled.row);
  // Its events are how whoever answered hears that another gateway, which held the call, is gone (C52).
  void broker.awaitDelivery(id, LOOK_AFTER).catch((error) => {
    log.debug({ row: id, error: messageOf(error) }, 'cannot look after an answer');
  });
  return ok(rowJson(settled.row));
}

async function fitting(
  checks: FormChecks,
  { server, requestedSchema = '{}' }: Row,
  content: JsonText | undefined,
  defaults: boolean,
): Promise<JsonText> {
  const filled =
    content !== undefined && defaults
      ? fillDefaults(await checks.form(server, requestedSchema), content)
      : content;
  const checked =
    filled === undefined
      ? { ok: false as const, problems: [{ path: '', message: 'needs "content"' }] }
      : await checks.content(server, requestedSchema, filled);
  if (checked.ok) return checked.content;
  throw new McpxError(
    'invalid_answer',
    'The answer does not fit the question; nothing was sent.',
    'See the requestedSchema of the row.',
    { problems: checked.problems },
  );
}

function consent(pending: Row, content: JsonText | undefined, given: true | undefined): undefined {
  if (given === true && content === undefined) return undefined;
  throw new McpxError(
    'invalid_answer',
    `${pending.id} asks to open a URL; nothing was sent.`,
    'Once a person has looked at the URL and consents, send {"consent": true} and no content.',
    { problems: [{ path: '/consent', message: 'must be true, without content' }] },
  );
}

function notDone(now: Row): Refused {
  const why =
    now.mode === 'url' ? 'has not been accepted yet' : 'asks for a form, and has no URL to finish at';
  return new Refused(400, new McpxError('usage', `${now.id} ${why}.`));
}
