// One way to put messages in front of the host: the pipe of stdio, or one HTTP stream.
import type { JsonText } from '../protocol/types.ts';
import type { Flow } from './types.ts';

export interface HostStream {
  /** Whether what is sent now goes straight to the host, and more than a response may be sent. */
  readonly open: boolean;
  /**
   * Puts one message on the stream, in order. A stream whose connection is lost keeps it for resumption; `keep` says that
   * it must survive there when room gets short (requests and responses do, notifications do not).
   * False where the stream can carry nothing more, and for a notification that is dropped since the host does not read.
   */
  send(text: JsonText, keep: boolean): boolean;
  /** How the host reads it. */
  readonly flow?: Flow;
  /** Calls `then` once notifications are no longer dropped. */
  whenRoom(then: () => void): void;
}
