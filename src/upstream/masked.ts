// A connector through which nothing comes back of the secrets that its server was configured with (C55).

import { isMcpxError, McpxError, messageOf } from '../errors.ts';
import type { Log, LogFields } from '../log.ts';
import { trustedJson } from '../protocol/json-text.ts';
import type { JsonText, Reply } from '../protocol/types.ts';
import type { Redactor } from '../text/redact.ts';
import type {
  Connection,
  ConnectionHandlers,
  ConnectionOptions,
  UpstreamConnector,
  UpstreamInfo,
} from './types.ts';

/** The same connector; failures, errors, questions, notices and results have the names of secrets in their place. */
export function maskedConnector(connector: UpstreamConnector, redactor: Redactor): UpstreamConnector {
  if (redactor.isEmpty) return connector;
  return {
    server: connector.server,
    transport: connector.transport,
    async open(options: ConnectionOptions) {
      const handlers = maskedHandlers(options.handlers, redactor);
      return masked(await orMasked(connector.open({ ...options, handlers }), redactor), redactor);
    },
    get modernForAll() {
      return connector.modernForAll;
    },
  };
}

/** A log whose lines hold no secret. */
export function maskedLog(log: Log, redactor: Redactor): Log {
  if (redactor.isEmpty) return log;
  const safe = (fields: LogFields): LogFields =>
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [
        key,
        typeof value === 'string' ? redactor.text(value) : value,
      ]),
    );
  return {
    debug: (fields, message) => log.debug(safe(fields), message),
    info: (fields, message) => log.info(safe(fields), message),
    warn: (fields, message) => log.warn(safe(fields), message),
    error: (fields, message) => log.error(safe(fields), message),
  };
}

function maskedHandlers(handlers: ConnectionHandlers, redactor: Redactor): ConnectionHandlers {
  const json = (text: JsonText | undefined): JsonText | undefined =>
    text === undefined ? undefined : trustedJson(redactor.json(text));
  return {
    onRequest: (request) => handlers.onRequest({ ...request, params: json(request.params) }),
    onNotification: (note) => handlers.onNotification({ ...note, params: json(note.params) }),
    onClosed: (reason) => handlers.onClosed(redactor.text(reason)),
  };
}

/** The connection itself in everything else. */
function masked(connection: Connection, redactor: Redactor): Connection {
  return new Proxy(connection, {
    get(target, key) {
      if (key === 'request')
        return async (...args: Parameters<Connection['request']>): Promise<Reply> =>
          maskedReply(await orMasked(target.request(...args), redactor), redactor);
      if (key === 'info') return maskedInfo(target.info, redactor);
      if (key === 'stderrTail') return () => redactor.text(target.stderrTail());
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** What a server says of itself goes to hosts and into reports. */
function maskedInfo(info: UpstreamInfo, redactor: Redactor): UpstreamInfo {
  const { serverInfo, instructions } = info;
  return {
    ...info,
    serverInfo: trustedJson(redactor.errorJson(serverInfo)),
    instructions: instructions === undefined ? undefined : redactor.json(instructions),
  };
}

function maskedReply(reply: Reply, redactor: Redactor): Reply {
  return 'error' in reply
    ? { error: trustedJson(redactor.errorJson(reply.error)) }
    : { result: trustedJson(redactor.json(reply.result)) };
}

async function orMasked<T>(promise: Promise<T>, redactor: Redactor): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw maskedError(error, redactor);
  }
}

/** The same error where there is nothing to take out: its identity may matter to whoever waits for it. */
function maskedError(error: unknown, redactor: Redactor): unknown {
  const message = messageOf(error);
  const clean = redactor.text(message);
  const hint = isMcpxError(error) && error.hint !== undefined ? redactor.text(error.hint) : undefined;
  if (!isMcpxError(error) || (clean === message && hint === error.hint)) {
    if (clean === message || !(error instanceof Error)) return error;
    return new McpxError('upstream', clean);
  }
  return new McpxError(error.code, clean, hint, { ...(error.problems && { problems: error.problems }) });
}
