// What every host transport is given.
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { ServerInfo } from './initialize.ts';
import type { HostHandler } from './types.ts';

export interface HostOptions {
  readonly handler: HostHandler;
  readonly serverInfo: ServerInfo;
  readonly log: Log;
  readonly clock: Clock;
}
