// The inbox before anything is known.
import type { Glyphs } from '../../terminal/glyphs.ts';
import type { Selection, Size, State } from './types.ts';

const NOTHING: Selection = { id: undefined, index: 0, since: 0 };

export function initialState(facts: {
  readonly size: Size;
  /** Of a clock that does not jump, and begins at the wall time. */
  readonly now: number;
  readonly glyphs: Glyphs;
  readonly from: string;
}): State {
  return {
    ...facts,
    offset: 0,
    rows: new Map(),
    loaded: false,
    tab: 'open',
    selection: { open: NOTHING, answered: NOTHING },
    open: undefined,
    questions: new Map(),
    drafts: undefined,
    help: false,
    helpTop: 0,
    notice: undefined,
    trouble: undefined,
    leaving: false,
  };
}
