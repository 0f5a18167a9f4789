// Holds the state, feeds events through the reducer and hands what is to be done to the outside.
import type { Clock } from '../clock.ts';
import type { Input } from '../terminal/key-input.ts';
import { reduce } from './state/reduce.ts';
import type { Effect, Event, State } from './state/types.ts';

export interface StateStore {
  state(): State;
  /** Told once for all that changes in one go. */
  subscribe(listener: () => void): () => void;
  dispatch(event: Event): void;
  /** Keys as they come; the time is the clock's. */
  input(input: Input): void;
  /** A screen of this gate stands on the terminal. */
  drawn(gate: number): void;
}

export function makeStore(first: State, clock: Clock, perform: (effect: Effect) => void): StateStore {
  let state = first;
  const listeners = new Set<() => void>();
  let isTelling = false;
  // Hundreds of rows that come at once are one picture.
  const tell = (): void => {
    if (isTelling) return;
    isTelling = true;
    setImmediate(() => {
      isTelling = false;
      for (const listener of listeners) listener();
    });
  };
  const store: StateStore = {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispatch(event) {
      const [next, effects] = reduce(state, event);
      const isChanged = next !== state;
      state = next;
      if (isChanged) tell();
      for (const effect of effects) perform(effect);
    },
    input: (input) => store.dispatch({ ...input, at: clock.now() }),
    drawn: (gate) => store.dispatch({ type: 'drawn', gate, at: clock.now() }),
  };
  return store;
}
