// What a row of the table of keys is made of: where a key counts, what it does, and the words for it.

/** What the keys belong to at the moment. */
export type Place =
  | 'inbox'
  | 'answered'
  | 'read'
  | 'text'
  | 'boolean'
  | 'select'
  | 'multiselect'
  | 'long-select'
  | 'long-multiselect'
  | 'filter-select'
  | 'filter-multiselect'
  | 'review'
  | 'review-back'
  | 'ask'
  | 'ask-yes'
  | 'consent'
  | 'unopenable'
  | 'busy'
  | 'waiting'
  | 'over'
  | 'help';

export type Does =
  | 'up'
  | 'down'
  | 'page-up'
  | 'page-down'
  | 'first'
  | 'last'
  | 'open'
  | 'switch-tab'
  | 'next'
  | 'previous'
  | 'left'
  | 'right'
  | 'word-left'
  | 'word-right'
  | 'line-start'
  | 'line-end'
  | 'line-up'
  | 'line-down'
  | 'erase'
  | 'erase-after'
  | 'erase-blank-word'
  | 'erase-word'
  | 'erase-word-after'
  | 'erase-line'
  | 'erase-line-after'
  | 'yank'
  | 'undo'
  | 'editor'
  | 'filter'
  | 'filter-erase'
  | 'filter-empty'
  | 'filter-leave'
  | 'answer'
  | 'yes'
  | 'no'
  | 'change'
  | 'to-left'
  | 'to-right'
  | 'unset'
  | 'choose'
  | 'mark'
  | 'toggle'
  | 'pick'
  | 'review'
  | 'other'
  | 'decide'
  | 'edit'
  | 'decline'
  | 'cancel'
  | 'confirm'
  | 'refrain'
  | 'browse'
  | 'consent'
  | 'copy'
  | 'finished'
  | 'stop-waiting'
  | 'back'
  | 'help'
  | 'interrupt'
  | 'suspend'
  | 'quit';

export interface KeyRow {
  /** Strokes as `key-input.ts` names them. */
  readonly keys: readonly string[];
  readonly in: readonly Place[];
  readonly does: Does;
  /** Words for the help screen. */
  readonly help: string;
  /** Keys and words for the footer; absent where the footer has no room for what everybody expects. */
  readonly footer?: readonly [keys: string, words: string];
  /** Sends something to the server, or answers whether to: without effect until its screen has stood for a while. */
  readonly sends?: true;
}
