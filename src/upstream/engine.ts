// JSON-RPC towards one upstream: ids of mcpx's own, replies to whoever waits for them, questions to the relay.
import { randomInt } from 'node:crypto';
import { isMcpxError, McpxError, messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { Cancelled, hasMeta } from '../protocol/cancelled.ts';
import { idKey, matchId, wholeNumber } from '../protocol/ids.ts';
import { jsonOf, member, objectText, quote, stringOf, trustedJson } from '../protocol/json-text.ts';
import {
  errorText,
  type Frame,
  notificationText,
  type Parsed,
  RPC,
  replyText,
  requestText,
} from '../protocol/message.ts';
import type { Overlong } from '../protocol/overlong.ts';
import { MODERN_OFFER } from '../protocol/revisions.ts';
import type { JsonText, Message, Reply, Revision } from '../protocol/types.ts';
import { inert } from '../text/inert.ts';
import { FrameReader } from './frame-reader.ts';
import { Questions } from './questions.ts';
import type { Source, Transport } from './transport.ts';
import type { ConnectionHandlers, Ticket, UpstreamNotification } from './types.ts';

/** How much of the first noise is shown in the log, in characters. */
const NOISE_SHOWN = 120;

/** Leaves more ids that a double holds exactly than any connection uses. */
const FURTHEST_START = 2 ** 47;

interface Pending {
  resolve(reply: Reply): void;
  reject(reason: unknown): void;
}

/** How one message is sent, beside its text. */
export interface Sending {
  /** Aborting it cancels the request upstream. */
  readonly signal: AbortSignal;
  readonly ticket?: Ticket;
  readonly headers?: Readonly<Record<string, string>>;
  /** Is told the request's id before it is sent. */
  readonly onId?: (id: JsonText) => void;
}

/** One engine serves one connection, over whatever transport, for as long as the connection lives. */
export class Engine {
  readonly #server: string;
  readonly #transport: Transport;
  readonly #handlers: ConnectionHandlers;
  readonly #log: Log;
  /** By the `idKey` of the request, which is its id as it was sent. */
  readonly #pending = new Map<JsonText, Pending>();
  readonly #questions: Questions;
  readonly #frames = new FrameReader((frame, text, source) => this.#takeFrame(frame, text, source));
  #lastId = 0;
  #revision: Revision | undefined;
  #noisy = false;
  #warned = false;
  #hear: ((notification: UpstreamNotification) => void) | undefined;
  #ended: McpxError | undefined;

  constructor(server: string, transport: Transport, handlers: ConnectionHandlers, log: Log) {
    this.#server = server;
    this.#transport = transport;
    this.#handlers = handlers;
    this.#log = log;
    this.#questions = new Questions(server, transport, log);
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** What the upstream speaks from now on. */
  agreed(revision: Revision): void {
    this.#revision = revision;
  }

  awaiting(id: JsonText): boolean {
    return this.#pending.has(id);
  }

  /**
   * From now on the upstream is one of 2026-07-28: it may ask nothing and is sent no replies, and its notifications,
   * cancellations included, go to `hear`. It has no sessions, and a retry may go to it on another connection or from another
   * process: ids begin anywhere, so that one has never been used for the request before (C11).
   */
  becomeModern(hear: (notification: UpstreamNotification) => void): void {
    this.#hear = hear;
    this.#revision = MODERN_OFFER;
    this.#lastId += randomInt(FURTHEST_START);
  }

  /** Resolves with the upstream's reply, an error reply included. Rejects as `Connection.request` says. */
  request(method: string, params: JsonText | undefined, sending: Sending): Promise<Reply> {
    const { signal, ticket, headers, onId } = sending;
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    if (signal.aborted) return Promise.reject(signal.reason);
    this.#lastId += 1;
    const id = jsonOf(this.#lastId);
    return new Promise<Reply>((resolve, reject) => {
      const settle = (): void => {
        this.#pending.delete(id);
        signal.removeEventListener('abort', cancel);
      };
      const pending: Pending = {
        resolve(reply) {
          settle();
          resolve(reply);
        },
        reject(reason) {
          settle();
          reject(reason);
        },
      };
      const cancel = (): void => {
        pending.reject(signal.reason);
        void this.#cancel(id, method, signal.reason);
      };
      this.#pending.set(id, pending);
      onId?.(id);
      signal.addEventListener('abort', cancel, { once: true });
      this.#transport
        .send(requestText(id, method, params), { kind: 'request', id, method, ticket, headers })
        .catch((error) => {
          // Cancelled or answered meanwhile: then nobody waits for this failure.
          if (this.#pending.get(id) === pending) pending.reject(this.#failure(error));
        });
    });
  }

  /** Gives up on a request that the upstream has said it will not answer. */
  drop(id: JsonText, reason: string): void {
    this.#pending.get(id)?.reject(new McpxError('upstream', `${this.#server}: ${reason}`));
  }

  /** Rejects with McpxError `upstream` when it could not be sent. */
  async notify(method: string, params: JsonText | undefined): Promise<void> {
    if (this.#ended !== undefined) throw this.#ended;
    try {
      await this.#transport.send(notificationText(method, params), { kind: 'notification', method });
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Takes a frame from the transport. What is not JSON-RPC is dropped, and said once (C16). */
  receive(text: string, source: Source): void {
    if (this.#ended === undefined) this.#frames.read(text, source);
  }

  taken(): Promise<void> {
    return this.#frames.taken();
  }

  #takeFrame(frame: Frame, text: string, source: Source): void {
    if (this.#ended !== undefined) return;
    if (!frame.batch) this.#take(frame.item, text, source);
    else for (const item of frame.items) this.#take(item, undefined, source);
  }

  /**
   * Takes note of a frame that was too long to be kept (C59): the one call it belongs to fails, as far as that can be
   * known, a question is refused, and everything else goes on.
   */
  overlong({ kind, id }: Overlong, limit: number, source: Source): void {
    this.#frames.flush();
    if (this.#ended !== undefined) return;
    const size = `longer than limits.frameBytes (${limit} bytes)`;
    this.#log.warn(
      { server: this.#server, kind, ...(id !== undefined && { id }) },
      `dropped a message ${size}`,
    );
    if (kind === 'request' && id !== undefined && this.#hear === undefined) {
      const reply = replyText(id, { error: errorText(RPC.invalidRequest, `The message is ${size}.`) });
      this.#transport.send(reply, { kind: 'reply', scope: source.scope }).catch(() => {});
    }
    if (kind !== 'reply' && kind !== 'unknown') return;
    const found = id === undefined ? undefined : matchId(this.#pending, id);
    const pending =
      found === undefined ? this.#onlyOne(source) : 'key' in found ? this.#pending.get(found.key) : undefined;
    pending?.reject(
      new McpxError(
        'upstream',
        `${this.#server}: its reply is ${size}`,
        'raise limits.frameBytes in mcpx.json if the server is right to send so much',
      ),
    );
  }

  scopeEnded(scope: string, reason: string): void {
    this.#frames.flush();
    this.#questions.endScope(scope, reason);
  }

  /** Ends everything that is open: requests reject, questions abort. Later requests reject with the same error. */
  end(reason: string): void {
    this.#frames.flush();
    if (this.#ended !== undefined) return;
    const error = new McpxError('upstream', `${this.#server}: ${reason}`);
    this.#ended = error;
    this.#questions.endAll(reason);
    for (const pending of [...this.#pending.values()]) pending.reject(error);
  }

  #take(parsed: Parsed, text: string | undefined, source: Source): void {
    if (parsed.ok) this.#dispatch(parsed.message, source);
    else if (parsed.stray === true) this.#stray(source);
    else this.#malformed(parsed, text ?? '', source);
  }

  /** A broken message still gets its reply or fails its request, so that nobody waits for ever; noise does neither. */
  #malformed({ id, code, reason }: Extract<Parsed, { ok: false }>, text: string, source: Source): void {
    // Whatever has an id was read as an object.
    const frame = id === 'null' || text === '' ? undefined : trustedJson(text);
    const isMessage = frame !== undefined && member(frame, 'jsonrpc') !== undefined;
    if (isMessage && member(frame, 'method') !== undefined && this.#hear === undefined) {
      const reply = replyText(id, { error: errorText(code, reason) });
      this.#transport.send(reply, { kind: 'reply', scope: source.scope }).catch(() => {});
    } else if (isMessage && member(frame, 'method') === undefined) {
      const broken = new McpxError(
        'upstream',
        `${this.#server}: answered with no JSON-RPC response: ${reason}`,
      );
      const found = matchId(this.#pending, id);
      if ('key' in found) this.#pending.get(found.key)?.reject(broken);
    }
    if (this.#noisy) return;
    this.#noisy = true;
    this.#log.warn(
      { server: this.#server, reason, text: inert(text, { oneLine: true, max: NOISE_SHOWN }) },
      'skipped output that is not JSON-RPC; more of it is not logged',
    );
  }

  #dispatch(message: Message, source: Source): void {
    switch (message.kind) {
      case 'result':
        this.#answer(message.id, { result: message.result }, source);
        return;
      case 'error':
        this.#answer(message.id, { error: message.error }, source);
        return;
      case 'notification':
        this.#notified(message, source);
        return;
      case 'request': {
        if (this.#hear !== undefined) {
          this.#misplaced(message.method);
          return;
        }
        const question = this.#questions.open(message.id, message.method, message.params, source);
        if (question === undefined) return;
        if (message.method === 'ping') void question.reply({ result: '{}' });
        else this.#handlers.onRequest(question);
        return;
      }
    }
  }

  /** A modern server asks in results, and mcpx may write it no response (2026-07-28 basic/transports). */
  #misplaced(method: string): void {
    this.#log.warn(
      { server: this.#server, method: inert(method, { oneLine: true, max: NOISE_SHOWN }) },
      'ignored a request that 2026-07-28 forbids servers to send',
    );
  }

  #answer(id: JsonText, reply: Reply, source: Source): void {
    const found = matchId(this.#pending, id);
    if ('key' in found) {
      if (found.fit === 'other type')
        this.#warnOnce(
          { id },
          'it replies with the id of a request in another type; its replies are accepted',
        );
      this.#pending.get(found.key)?.resolve(reply);
    } else if (id === 'null' || this.#sent(id)) {
      // A reply nobody waits for: cancelled meanwhile, or told twice by a resumed stream.
      this.#log.debug({ server: this.#server }, 'dropped a reply to a request that is not open');
    } else this.#stray(source);
  }

  /** Whether a request with this id may have been sent on this connection. */
  #sent(id: JsonText): boolean {
    const number = wholeNumber(id);
    return number !== undefined && number > 0 && number <= this.#lastId;
  }

  /** A reply whose id fits no request that was ever sent: the one call it can be about is not left waiting (C56). */
  #stray(source: Source): void {
    this.#warnOnce({}, 'it replied with an id that mcpx never sent');
    const reason = `${this.#server}: replied with an id that mcpx never sent`;
    this.#onlyOne(source)?.reject(
      new McpxError('upstream', reason, 'the server must reply with the id of the request, unchanged'),
    );
  }

  /** The one request that a reply from there can be about, if there is only one. */
  #onlyOne({ repliesTo }: Source): Pending | undefined {
    if (repliesTo !== 'all') return repliesTo === undefined ? undefined : this.#pending.get(repliesTo);
    return this.#pending.size === 1 ? [...this.#pending.values()][0] : undefined;
  }

  #warnOnce(fields: Record<string, string>, message: string): void {
    if (this.#warned) return;
    this.#warned = true;
    this.#log.warn({ server: this.#server, ...fields }, `${message}; this is logged once`);
  }

  #notified({ method, params }: Extract<Message, { kind: 'notification' }>, source: Source): void {
    if (this.#hear !== undefined) {
      this.#hear({ method, params, origin: source.origin });
      return;
    }
    if (method !== 'notifications/cancelled') {
      this.#handlers.onNotification({ method, params, origin: source.origin });
      return;
    }
    const id = params === undefined ? undefined : member(params, 'requestId');
    if (params === undefined || id === undefined || idKey(id) === undefined) return;
    const reason = stringOf(member(params, 'reason'));
    const why = reason === undefined ? '' : `: ${inert(reason, { oneLine: true, max: 200 })}`;
    this.#questions.withdraw(id, source.scope, `${this.#server} took the question back${why}`);
  }

  /** Tells the upstream, and only then stops listening (basic/utilities/cancellation). */
  async #cancel(id: JsonText, method: string, reason: unknown): Promise<void> {
    // The specification forbids to cancel initialize.
    if (method !== 'initialize') {
      const said = reason instanceof Cancelled ? reason : undefined;
      const members: (readonly [string, JsonText])[] = [
        ['requestId', id],
        ['reason', quote(said?.reason ?? messageOf(reason))],
      ];
      if (said?.meta !== undefined && hasMeta(this.#revision)) members.push(['_meta', said.meta]);
      const params = objectText(members);
      await this.notify('notifications/cancelled', params).catch((error) => {
        this.#log.debug({ server: this.#server, error: messageOf(error) }, 'could not cancel a request');
      });
    }
    this.#transport.abandon(id);
  }

  #failure(error: unknown): McpxError {
    if (isMcpxError(error)) return error;
    return new McpxError('upstream', `${this.#server}: ${messageOf(error)}`, undefined, { cause: error });
  }
}
