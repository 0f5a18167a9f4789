// What the inbox knows and shows: one value that is replaced, never changed, with no terminal in it.
import type { Row } from '../../broker/types.ts';
import type { Checked, Draft, Form } from '../../form/types.ts';
import type { Action, JsonText } from '../../protocol/types.ts';
import type { Glyphs } from '../../terminal/glyphs.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A text being typed; `at` is an offset in code units, always between two graphemes. */
export interface Typing {
  readonly text: string;
  readonly at: number;
}

/** A text with what it was before; `run` is what the last edit did, since typing on is one step with it. */
export interface History {
  readonly past: readonly Typing[];
  readonly run: 'insert' | 'erase' | undefined;
}

/** What was taken away last, and the secret field that it came from: nothing secret gets into another field. */
export interface Killed {
  readonly text: string;
  readonly field: string | undefined;
}

/**
 * Where a question stands. `over` is final: whatever is pressed, nothing is sent for it any more. `waiting` follows
 * the consent to a URL and is left when the person says so or the server reports the end.
 * While `checking`, the whole answer is held against its schema, where that may take a moment.
 */
export type Stage = 'form' | 'checking' | 'review' | 'consent' | 'opening' | 'sending' | 'waiting' | 'over';

/**
 * Guards the keys that send something: they do nothing until the screen they belong to was drawn, and then until no
 * such key came for a while, so that neither typing ahead nor a held key answers (C31).
 */
export interface Gate {
  /** Grows with every screen that opens, so that a drawing is credited to the right one. */
  readonly number: number;
  /** When it was drawn, or the last key it swallowed; `undefined` before the first drawing. */
  readonly quietSince: number | undefined;
}

/** One question with everything a person has entered for it; it outlives leaving the screen. */
export interface Question {
  readonly id: string;
  /** Absent for a URL question. */
  readonly form: Form | undefined;
  readonly stage: Stage;
  readonly draft: Draft;
  /** The draft before the person changed anything: the defaults. */
  readonly initial: Draft;
  readonly typing: ReadonlyMap<string, Typing>;
  /** What was typed and cannot be read as a value, by field. */
  readonly unread: ReadonlyMap<string, string>;
  /** What is wrong, by field, for the fields a person has been at. */
  readonly problems: ReadonlyMap<string, string>;
  /** What is wrong with the answer as a whole, found on the way to the review. */
  readonly general: readonly string[];
  /** What can be undone, by field. */
  readonly history: ReadonlyMap<string, History>;
  /** What Ctrl+Y puts back. */
  readonly killed: Killed | undefined;
  /** The highlighted option, by field: its place among all rows, also while a filter shows only some. */
  readonly highlight: ReadonlyMap<string, number>;
  /** What a list is filtered by, by field; absent where it is not. */
  readonly filter: ReadonlyMap<string, string>;
  /** The index of the field that has the keys; -1 while the text above the fields is read. */
  readonly focus: number;
  /** It differs from what it was at first: a draft worth keeping. */
  readonly touched: boolean;
  /** The draft is of an earlier run, and what is unset in it was left out by a person. */
  readonly isRestored: boolean;
  /** Something was entered since the question was opened, so that its review may stand on "send" (C45). */
  readonly acted: boolean;
  /** First line shown, where the person scrolled; `undefined` follows the focus. */
  readonly top: number | undefined;
  readonly gate: Gate;
  /** A refusal that waits for its confirmation. */
  readonly asking: 'decline' | 'cancel' | undefined;
  /** Which of the two that the review and the refusal offer Enter does: go on and send, or go back. */
  readonly choice: 'send' | 'back';
  /** The content that the review shows and Enter sends. */
  readonly content: JsonText | undefined;
  /** Why the last answer did not go out, or the browser did not open. */
  readonly refusal: string | undefined;
}

export type Tab = 'open' | 'answered';

/** The selected row of a tab: by id, so that no arrival moves it; `since` is when it last moved by itself. */
export interface Selection {
  readonly id: string | undefined;
  readonly index: number;
  readonly since: number;
}

export interface State {
  /** The symbols of this terminal, since they decide how much room there is. */
  readonly glyphs: Glyphs;
  /** Where the rows come from, in a few words. */
  readonly from: string;
  readonly size: Size;
  /** When the last event was; of a clock that does not jump, so that what passes can be measured by it (C49). */
  readonly now: number;
  /** What the wall clock was ahead of that one when the rows were read; negative where it was behind. */
  readonly offset: number;
  readonly rows: ReadonlyMap<string, Row>;
  /** False until the rows were read for the first time. */
  readonly loaded: boolean;
  readonly tab: Tab;
  readonly selection: { readonly [tab in Tab]: Selection };
  /** The question on the screen; `undefined` in the inbox. */
  readonly open: string | undefined;
  readonly questions: ReadonlyMap<string, Question>;
  /** What is kept of drafts of earlier runs, by the id of the question; `undefined` where none are kept. */
  readonly drafts: ReadonlyMap<string, string> | undefined;
  readonly help: boolean;
  readonly helpTop: number;
  /** One sentence above the keys, gone with the next key. */
  readonly notice: string | undefined;
  /** Why the rows may be out of date. */
  readonly trouble: string | undefined;
  /** Leaving was asked for while drafts would be lost; the next time it is meant. */
  readonly leaving: boolean;
}

/** What happens to the state. Times are milliseconds of a clock that does not jump and begins at the wall time. */
export type Event =
  | { readonly type: 'key'; readonly stroke: string; readonly at: number }
  /** Several characters at once that the terminal does not call a paste: typed fast, or a paste of an old terminal. */
  | { readonly type: 'text'; readonly text: string; readonly at: number }
  | { readonly type: 'paste'; readonly text: string; readonly at: number }
  | { readonly type: 'tick'; readonly at: number }
  | { readonly type: 'resize'; readonly size: Size }
  | { readonly type: 'drawn'; readonly gate: number; readonly at: number }
  | { readonly type: 'loaded'; readonly rows: readonly Row[]; readonly at: number; readonly offset: number }
  | { readonly type: 'row'; readonly row: Row; readonly isNew: boolean; readonly at: number }
  | { readonly type: 'trouble'; readonly message: string | undefined }
  | { readonly type: 'settled'; readonly row: Row; readonly won: boolean; readonly at: number }
  | { readonly type: 'refused'; readonly id: string; readonly message: string }
  | { readonly type: 'opened'; readonly id: string; readonly failure: string | undefined }
  | { readonly type: 'defaults'; readonly id: string; readonly form: Form }
  | { readonly type: 'checked'; readonly id: string; readonly draft: Draft; readonly checked: Checked }
  | { readonly type: 'edited'; readonly id: string; readonly name: string; readonly text: string }
  | { readonly type: 'drafts'; readonly texts: ReadonlyMap<string, string> }
  /** A draft could not be written. */
  | { readonly type: 'unkept'; readonly message: string }
  | { readonly type: 'notice'; readonly message: string };

/** What the outside is asked to do; its outcome comes back as an event. */
export type Effect =
  | {
      readonly do: 'answer';
      readonly id: string;
      readonly action: Action;
      readonly content?: JsonText;
    }
  | { readonly do: 'open'; readonly id: string; readonly url: string }
  | { readonly do: 'complete'; readonly id: string }
  /** Finds out which of the defaults in doubt fit. */
  | { readonly do: 'defaults'; readonly id: string; readonly server: string; readonly schema: JsonText }
  | {
      readonly do: 'check';
      readonly id: string;
      readonly server: string;
      readonly form: Form;
      readonly draft: Draft;
    }
  | { readonly do: 'copy'; readonly text: string }
  | {
      readonly do: 'edit';
      readonly id: string;
      readonly name: string;
      readonly text: string;
      readonly kind: 'txt' | 'json';
    }
  | { readonly do: 'announce'; readonly row: Row }
  | { readonly do: 'suspend' }
  | { readonly do: 'quit'; readonly interrupted: boolean };

export type Step = readonly [State, readonly Effect[]];
