// The gateway's own log: one line an event on stderr, pretty on a terminal, never on stdout.
import { type DestinationStream, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Log, LogFields, LogLevel } from '../../log.ts';
import { inert } from '../../text/inert.ts';
import type { Io } from '../io.ts';

/** A logger on stderr. Text values are made inert: names and reasons may come from a server (C26). */
export function makeLog(io: Io, level: LogLevel = 'info'): Log {
  const destination = io.terminal.stderr
    ? pretty({
        destination: io.rawStderr,
        sync: true,
        colorize: io.errorStyle.bold('x') !== 'x',
        ignore: 'pid,hostname',
        translateTime: 'SYS:HH:MM:ss',
        singleLine: true,
      })
    : written(io.rawStderr);
  const base = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  const line =
    (of: 'debug' | 'info' | 'warn' | 'error') =>
    (fields: LogFields, message: string): void => {
      if (base.isLevelEnabled(of)) base[of](safe(fields), message);
    };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

/** Written at once where it is a file of the process: the last lines before a crash are the ones that matter. */
function written(stderr: Io['rawStderr']): DestinationStream {
  if ('fd' in stderr && typeof stderr.fd === 'number') return pino.destination({ fd: stderr.fd, sync: true });
  return stderr;
}

function safe(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      typeof value === 'string' ? inert(value, { oneLine: true, max: 500 }) : value,
    ]),
  );
}
