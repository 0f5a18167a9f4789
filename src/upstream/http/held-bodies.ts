// The response streams of a connection, those of calls whose hosts do not read held back (C51).
import type { Readable } from 'node:stream';
import type { IsHeld, Ticket } from '../types.ts';

export class HeldBodies {
  readonly #open = new Map<Readable, Ticket | undefined>();
  #isHeld: IsHeld = () => false;

  /** Takes a stream that has its listeners; it is let go of when it closes. */
  add(body: Readable, ticket: Ticket | undefined): void {
    this.#open.set(body, ticket);
    body.once('close', () => this.#open.delete(body));
    if (this.#isHeld(ticket)) body.pause();
  }

  regulate(isHeld: IsHeld): void {
    this.#isHeld = isHeld;
    for (const [body, ticket] of this.#open) {
      if (isHeld(ticket)) body.pause();
      else if (body.isPaused()) body.resume();
    }
  }
}
