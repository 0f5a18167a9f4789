// Keeps the drafts of the inbox on the disk as they change, and removes them when their questions are over.
import type { Drafts } from '../broker/drafts.ts';
import { messageOf } from '../errors.ts';
import { keptOf } from './state/kept.ts';
import type { Question, State } from './state/types.ts';
import type { StateStore } from './state-store.ts';

export interface Keeping {
  /** Stops following, and resolves once everything is written. */
  close(): Promise<void>;
}

/** Reads the drafts into the state, and follows it from then on. */
export async function keepDrafts(store: StateStore, drafts: Drafts): Promise<Keeping> {
  const kept = new Map(await drafts.all());
  store.dispatch({ type: 'drafts', texts: new Map(kept) });
  const seen = new Map<string, Question>();
  const works = new Map<string, Promise<void>>();
  let isSwept = false;
  const queue = (id: string, work: () => Promise<void>): void => {
    const next = (works.get(id) ?? Promise.resolve()).then(work).catch((error: unknown) => {
      kept.delete(id);
      store.dispatch({ type: 'unkept', message: `Drafts cannot be kept on the disk: ${messageOf(error)}` });
    });
    works.set(id, next);
    void next.then(() => works.get(id) === next && works.delete(id));
  };
  const follow = (): void => {
    const state = store.state();
    for (const [id, question] of state.questions) {
      if (seen.get(id) === question || !isOpen(state, id)) continue;
      seen.set(id, question);
      const text = keptOf(question, state.rows.get(id)?.sensitive === true);
      if (text === kept.get(id)) continue;
      if (text === undefined) kept.delete(id);
      else kept.set(id, text);
      // Only the last of what is typed while the disk is busy is written.
      queue(id, () => write(id, text));
    }
    if (!state.loaded) return;
    for (const id of [...kept.keys()]) {
      if (isOpen(state, id)) continue;
      kept.delete(id);
      queue(id, () => drafts.remove(id));
    }
    if (isSwept) return;
    isSwept = true;
    queue('', () => drafts.sweep((id) => isOpen(store.state(), id)));
  };
  const write = (id: string, text: string | undefined): Promise<void> => {
    if (kept.get(id) !== text) return Promise.resolve();
    return text === undefined ? drafts.remove(id) : drafts.put(id, text);
  };
  follow();
  const stop = store.subscribe(follow);
  return {
    async close() {
      stop();
      follow();
      while (works.size > 0) await Promise.all(works.values());
    },
  };
}

function isOpen(state: State, id: string): boolean {
  return state.rows.get(id)?.state === 'pending';
}
