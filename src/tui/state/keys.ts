// The one table of keys: what a key does where, and the words for it in the footer and in the help.

/** What the keys belong to at the moment. */
export type Place =
  | 'inbox'
  | 'answered'
  | 'read'
  | 'text'
  | 'boolean'
  | 'select'
  | 'multiselect'
  | 'review'
  | 'ask'
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
  | 'line-start'
  | 'line-end'
  | 'erase'
  | 'erase-after'
  | 'erase-word'
  | 'erase-line'
  | 'editor'
  | 'yes'
  | 'no'
  | 'cycle'
  | 'unset'
  | 'choose'
  | 'mark'
  | 'toggle'
  | 'pick'
  | 'review'
  | 'send'
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
  /** Sends something to the server: deaf behind a gate. */
  readonly sends?: true;
}

const FIELDS = ['text', 'boolean', 'select', 'multiselect'] as const;
const FORM = ['read', ...FIELDS] as const;
const LISTS = ['inbox', 'answered'] as const;
const CHOICES = ['select', 'multiselect'] as const;
const SCROLLED = ['review', 'consent', 'unopenable', 'waiting', 'over'] as const;
const EVERYWHERE = [...LISTS, ...FORM, ...SCROLLED, 'ask', 'busy', 'help'] as const;
const DIGITS = '123456789'.split('');

/** In the order of the footer and of the help. The first row that fits a place and a key counts. */
export const KEYS: readonly KeyRow[] = [
  {
    keys: ['up', 'k'],
    in: [...LISTS, ...CHOICES],
    does: 'up',
    help: 'up a row in a list',
    footer: ['↑↓', 'move'],
  },
  { keys: ['down', 'j'], in: [...LISTS, ...CHOICES], does: 'down', help: 'down a row in a list' },
  {
    keys: ['up', 'k'],
    in: ['read', ...SCROLLED, 'help'],
    does: 'up',
    help: 'scroll up where there is text to read',
    footer: ['↑↓', 'scroll'],
  },
  {
    keys: ['down', 'j', 'space'],
    in: ['read', ...SCROLLED, 'help'],
    does: 'down',
    help: 'scroll down; from the end of the message on to the fields',
  },
  { keys: ['pageup'], in: EVERYWHERE, does: 'page-up', help: 'a screen up' },
  { keys: ['pagedown'], in: EVERYWHERE, does: 'page-down', help: 'a screen down' },
  { keys: ['home', 'g'], in: [...LISTS, ...CHOICES], does: 'first', help: 'to the first row' },
  { keys: ['end', 'G'], in: [...LISTS, ...CHOICES], does: 'last', help: 'to the last row' },
  {
    keys: ['enter'],
    in: LISTS,
    does: 'open',
    help: 'open the question; nothing is sent by opening it',
    footer: ['Enter', 'open'],
  },
  {
    keys: ['tab', 'shift+tab'],
    in: LISTS,
    does: 'switch-tab',
    help: 'open questions, answered questions',
    footer: ['Tab', 'open/answered'],
  },
  {
    keys: ['enter', 'tab'],
    in: ['read'],
    does: 'next',
    help: 'go on to the fields, or to the review where there are none',
    footer: ['Enter', 'go on'],
  },
  {
    keys: ['enter'],
    in: ['text', 'boolean', 'multiselect'],
    does: 'next',
    help: 'next field; after the last one the review',
    footer: ['Enter', 'next'],
  },
  {
    keys: ['enter'],
    in: ['select'],
    does: 'choose',
    help: 'choose the highlighted row and go on',
    footer: ['Enter', 'choose'],
  },
  {
    keys: ['y', 'Y'],
    in: ['boolean'],
    does: 'yes',
    help: 'yes',
    footer: ['y/n', 'yes, no'],
  },
  { keys: ['n', 'N'], in: ['boolean'], does: 'no', help: 'no' },
  {
    keys: ['space', 'left', 'right'],
    in: ['boolean'],
    does: 'cycle',
    help: 'yes, no, not answered',
    footer: ['Space', 'change'],
  },
  { keys: ['space'], in: ['select'], does: 'mark', help: 'choose and stay' },
  {
    keys: ['space'],
    in: ['multiselect'],
    does: 'toggle',
    help: 'take or leave the highlighted row',
    footer: ['Space', 'take/leave'],
  },
  {
    keys: DIGITS,
    in: CHOICES,
    does: 'pick',
    help: 'pick a row by its number, where there are nine or fewer',
    footer: ['1–9', 'pick'],
  },
  {
    keys: ['backspace', 'delete'],
    in: ['boolean', ...CHOICES],
    does: 'unset',
    help: 'take the answer away',
  },
  {
    keys: ['tab'],
    in: FIELDS,
    does: 'next',
    help: 'next field',
    footer: ['Tab/Shift+Tab', 'fields'],
  },
  { keys: ['shift+tab'], in: FORM, does: 'previous', help: 'previous field' },
  { keys: ['down'], in: ['text', 'boolean'], does: 'next', help: 'next field' },
  { keys: ['up'], in: ['text', 'boolean'], does: 'previous', help: 'previous field' },
  { keys: ['left', 'ctrl+b'], in: ['text'], does: 'left', help: 'one character left' },
  { keys: ['right', 'ctrl+f'], in: ['text'], does: 'right', help: 'one character right' },
  { keys: ['home', 'ctrl+a'], in: ['text'], does: 'line-start', help: 'to the start' },
  { keys: ['end'], in: ['text'], does: 'line-end', help: 'to the end' },
  { keys: ['backspace', 'ctrl+h'], in: ['text'], does: 'erase', help: 'erase the character before' },
  { keys: ['delete'], in: ['text'], does: 'erase-after', help: 'erase the character after' },
  { keys: ['ctrl+w'], in: ['text'], does: 'erase-word', help: 'erase the word before' },
  { keys: ['ctrl+u'], in: ['text'], does: 'erase-line', help: 'erase everything before' },
  {
    keys: ['ctrl+e'],
    in: ['text'],
    does: 'editor',
    help: 'write it in $VISUAL or $EDITOR',
    footer: ['Ctrl+E', 'editor'],
  },
  {
    keys: ['ctrl+r'],
    in: FORM,
    does: 'review',
    help: 'see what would be sent',
    footer: ['Ctrl+R', 'review'],
  },
  {
    keys: ['enter'],
    in: ['review'],
    does: 'send',
    help: 'send what the review shows',
    footer: ['Enter', 'send'],
    sends: true,
  },
  { keys: ['e', 'backspace'], in: ['review'], does: 'edit', help: 'change it', footer: ['e', 'change'] },
  {
    keys: ['o'],
    in: ['consent'],
    does: 'browse',
    help: 'consent, and open the URL in the browser',
    footer: ['o', 'consent and open'],
    sends: true,
  },
  {
    keys: ['y'],
    in: ['consent'],
    does: 'consent',
    help: 'consent, and open the URL yourself elsewhere',
    footer: ['y', 'consent, I open it myself'],
    sends: true,
  },
  {
    keys: ['o'],
    in: ['waiting'],
    does: 'browse',
    help: 'open the URL again',
    footer: ['o', 'open again'],
  },
  {
    keys: ['c'],
    in: ['consent', 'unopenable', 'waiting'],
    does: 'copy',
    help: 'copy the URL; nothing is sent',
    footer: ['c', 'copy'],
  },
  {
    keys: ['f'],
    in: ['waiting'],
    does: 'finished',
    help: 'I have finished at the URL',
    footer: ['f', 'I have finished'],
    sends: true,
  },
  {
    keys: ['s'],
    in: ['waiting'],
    does: 'stop-waiting',
    help: 'stop waiting; the consent stands',
    footer: ['s', 'stop waiting'],
  },
  {
    keys: ['ctrl+d'],
    in: [...FORM, 'review', 'consent', 'unopenable'],
    does: 'decline',
    help: 'decline: tell the server no (asks once)',
    footer: ['Ctrl+D', 'decline'],
  },
  {
    keys: ['ctrl+x'],
    in: [...FORM, 'review', 'consent', 'unopenable'],
    does: 'cancel',
    help: 'cancel: dismiss the question without a yes or no',
    footer: ['Ctrl+X', 'cancel'],
  },
  {
    keys: ['y', 'enter', 'ctrl+d'],
    in: ['ask'],
    does: 'confirm',
    help: 'yes, decline',
    footer: ['y', 'yes, decline'],
    sends: true,
  },
  {
    keys: ['n', 'esc'],
    in: ['ask'],
    does: 'refrain',
    help: 'no, go back to the question',
    footer: ['n', 'no, go back'],
  },
  {
    keys: ['esc'],
    in: ['review'],
    does: 'edit',
    help: 'back to the fields; nothing is sent',
    footer: ['Esc', 'back'],
  },
  {
    keys: ['esc'],
    in: [...FORM, 'consent', 'unopenable', 'busy', 'waiting', 'help'],
    does: 'back',
    help: 'back; the draft is kept and nothing is sent',
    footer: ['Esc', 'back'],
  },
  {
    keys: ['esc', 'enter', 'q'],
    in: ['over'],
    does: 'back',
    help: 'back to the inbox',
    footer: ['Enter', 'back to the inbox'],
  },
  { keys: ['q', '?'], in: ['help'], does: 'back', help: 'close the help' },
  {
    keys: ['?'],
    in: [...LISTS, 'read', 'boolean', ...CHOICES, ...SCROLLED],
    does: 'help',
    help: 'this help',
    footer: ['?', 'help'],
  },
  {
    keys: ['q'],
    in: LISTS,
    does: 'quit',
    help: 'quit; open questions stay open',
    footer: ['q', 'quit'],
  },
  {
    keys: ['ctrl+c'],
    in: EVERYWHERE,
    does: 'interrupt',
    help: 'empty the text field, else quit; open questions stay open and nobody is told no',
  },
  { keys: ['ctrl+z'], in: EVERYWHERE, does: 'suspend', help: 'suspend; fg brings it back' },
];

/** What a stroke does at a place. */
export function keyAt(place: Place, stroke: string): KeyRow | undefined {
  return KEYS.find((row) => row.in.includes(place) && row.keys.includes(stroke));
}

/** The footer's entries for a place, in the table's order. */
export function footerKeys(place: Place): readonly (readonly [keys: string, words: string])[] {
  return KEYS.flatMap((row) => (row.footer !== undefined && row.in.includes(place) ? [row.footer] : []));
}
