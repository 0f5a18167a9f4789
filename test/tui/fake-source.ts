// Rows in memory that a test opens, settles and refuses, and the answers they got.
import type { Answer, Row, RowState, Settled } from '../../src/broker/types.ts';
import type { Clock } from '../../src/clock.ts';
import type { RowChange, RowSource } from '../../src/tui/row-source.ts';

export type Asked = Partial<Row> & { readonly schema?: Record<string, unknown> };

export class FakeSource implements RowSource {
  readonly name = 'this machine';
  readonly rows = new Map<string, Row>();
  readonly answers: { readonly id: string; readonly action: string; readonly content?: string }[] = [];
  /** What the next answer is refused with. */
  refusal: Error | undefined;
  /** What the next `list` fails with. */
  failure: Error | undefined;
  isWatched = false;
  readonly #clock: Clock;
  #changes: RowChange[] = [];
  #wake: () => void = () => {};
  #count = 0;
  #broken: Error | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Opens a question; a minute more of time for each that is there already, so that they stand in order. */
  ask(asked: Asked = {}): Row {
    const { schema, ...facts } = asked;
    this.#count += 1;
    const now = this.#clock.now();
    const row: Row = {
      id: `elc-${String(this.#count).padStart(16, '0')}`,
      state: 'pending',
      server: 'github',
      mode: 'form',
      message: 'Which repository?',
      params: '{}',
      ...(facts.mode === 'url'
        ? {}
        : { requestedSchema: JSON.stringify({ type: 'object', properties: {}, ...schema }) }),
      method: 'tools/call',
      tool: 'create_issue',
      host: { name: 'an-editor', revision: '2025-06-18', inline: false },
      principal: 'local',
      audience: 'human',
      sensitive: false,
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + 540_000 + this.#count * 60_000).toISOString(),
      ...facts,
    };
    this.#change('opened', row);
    return row;
  }

  /** Ends a question as somebody else would. */
  end(id: string, state: RowState, by: Answer['by'] = 'cli'): void {
    const row = this.#row(id);
    const isTaken = state === 'withdrawn' || state === 'lost';
    const action =
      ({ accepted: 'accept', declined: 'decline' } as const)[state as 'accepted' | 'declined'] ?? 'cancel';
    const answer: Answer = { action, by: state === 'expired' ? 'mcpx' : by, at: this.#at() };
    this.#change(state === 'expired' ? 'expired' : 'answered', {
      ...row,
      state,
      ...(isTaken ? { reason: 'the call was cancelled' } : { answer }),
    });
  }

  /** The stream of changes ends with a failure. */
  breakOff(): void {
    this.#broken = new Error('The connection broke off.');
    this.#wake();
  }

  complete(id: string): void {
    this.#change('completed', { ...this.#row(id), completedAt: this.#at() });
  }

  list(): Promise<readonly Row[]> {
    const { failure } = this;
    this.failure = undefined;
    return failure === undefined ? Promise.resolve([...this.rows.values()]) : Promise.reject(failure);
  }

  async *changes(signal: AbortSignal): AsyncGenerator<RowChange> {
    signal.addEventListener('abort', () => this.#wake());
    while (!signal.aborted) {
      const broken = this.#broken;
      this.#broken = undefined;
      if (broken !== undefined) throw broken;
      const change = this.#changes.shift();
      if (change !== undefined) yield change;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  watching(signal: AbortSignal): void {
    this.isWatched = true;
    signal.addEventListener('abort', () => {
      this.isWatched = false;
    });
  }

  answer(
    id: string,
    answer: { action: 'accept' | 'decline' | 'cancel'; content?: string },
  ): Promise<Settled> {
    const { refusal } = this;
    this.refusal = undefined;
    if (refusal !== undefined) return Promise.reject(refusal);
    const row = this.#row(id);
    if (row.state !== 'pending') return Promise.resolve({ won: false, row });
    this.answers.push({ id, ...answer });
    const state = ({ accept: 'accepted', decline: 'declined', cancel: 'cancelled' } as const)[answer.action];
    const next: Row = { ...row, state, answer: { ...answer, by: 'tui', at: this.#at() } };
    this.#change('answered', next);
    return Promise.resolve({ won: true, row: next });
  }

  delivery(id: string): Promise<Row> {
    const row = { ...this.#row(id), deliveredAt: this.#at() };
    this.#change('delivered', row);
    return Promise.resolve(row);
  }

  completed(id: string): Promise<Row> {
    this.complete(id);
    return Promise.resolve(this.#row(id));
  }

  #at(): string {
    return new Date(this.#clock.now()).toISOString();
  }

  #row(id: string): Row {
    const row = this.rows.get(id);
    if (row === undefined) throw new Error(`no row ${id}`);
    return row;
  }

  #change(event: string, row: Row): void {
    this.rows.set(row.id, row);
    this.#changes.push({ event, row });
    this.#wake();
  }
}
