// The logger that core code is given: one line an event, ids and facts, never the content of a question.

/** How much is logged: each level leaves out those before it. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Facts of one log line; values are printed as JSON. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** `log.info({ row: 'elc-…' }, 'question opened')`. pino satisfies it; tests pass a recorder. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

/** A logger that drops everything. */
export const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };
