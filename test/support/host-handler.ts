// A relay of few words for tests of the host side: methods from a table, and a record of all it saw.

import type { Exchange, HostHandler, HostSession, Welcome } from '../../src/host/types.ts';
import { errorReply, RPC } from '../../src/protocol/message.ts';
import type { Reply } from '../../src/protocol/types.ts';

export type Serve = (exchange: Exchange, session: HostSession) => Reply | Promise<Reply>;

export interface HandlerDouble extends HostHandler {
  readonly sessions: HostSession[];
  readonly exchanges: Exchange[];
  readonly notifications: { method: string; params: string | undefined }[];
  /** The reasons for which sessions ended. */
  readonly endings: string[];
}

/** The methods every double knows; a test adds its own. */
const COMMON: Readonly<Record<string, Serve>> = {
  'tools/list': () => ({ result: '{"tools":[]}' }),
  echo: ({ params }) => ({ result: params ?? '{}' }),
  /** Asks the host with its own params, and gives the raw reply. */
  ask: async (exchange, session) => {
    const reply = await session.request('elicitation/create', exchange.params, {
      signal: exchange.signal,
      via: exchange,
    });
    return { result: JSON.stringify(reply) };
  },
  hang: ({ signal }) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve({ result: '{}' }))),
};

export function createHandler(
  methods: Readonly<Record<string, Serve>> = {},
  welcome: () => Welcome | Promise<Welcome> = () => ({
    capabilities: '{"tools":{}}',
    instructions: undefined,
  }),
): HandlerDouble {
  const known = new Map(Object.entries({ ...COMMON, ...methods }));
  const double: HandlerDouble = {
    sessions: [],
    exchanges: [],
    notifications: [],
    endings: [],
    async welcome(session) {
      double.sessions.push(session);
      return await welcome();
    },
    async request(session, exchange) {
      double.exchanges.push(exchange);
      return (
        (await known.get(exchange.method)?.(exchange, session)) ??
        errorReply(RPC.methodNotFound, 'No such method.')
      );
    },
    notification(_session, method, params) {
      double.notifications.push({ method, params });
    },
    ended(_session, reason) {
      double.endings.push(reason);
    },
  };
  return double;
}
