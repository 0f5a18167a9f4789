// The one table of keys: what a key does where, and the words for it in the footer and in the help.

import type { KeyRow, Place } from './key-row.ts';

const CHOICES = ['select', 'multiselect'] as const;
/** Ten options and more, where letters and digits begin a filter. */
const LONG = ['long-select', 'long-multiselect'] as const;
/** A list with a filter, whatever its length. */
const FILTERED = ['filter-select', 'filter-multiselect'] as const;
const ANY_LIST = [...CHOICES, ...LONG, ...FILTERED] as const;
const MULTI = ['multiselect', 'long-multiselect', 'filter-multiselect'] as const;
const FIELDS = ['text', 'boolean', ...ANY_LIST] as const;
const FORM = ['read', ...FIELDS] as const;
const LISTS = ['inbox', 'answered'] as const;
/** The review and the second question, by what Enter does there. */
const REVIEWS = ['review', 'review-back'] as const;
const ASKS = ['ask', 'ask-yes'] as const;
const SCROLLED = [...REVIEWS, 'consent', 'unopenable', 'waiting', 'over'] as const;
const EVERYWHERE = [...LISTS, ...FORM, ...SCROLLED, ...ASKS, 'busy', 'help'] as const;
const DIGITS = '123456789'.split('');

/** In the order of the footer and of the help. The first row that fits a place and a key counts. */
export const KEYS: readonly KeyRow[] = [
  {
    keys: ['up', 'ctrl+p'],
    in: [...LISTS, ...ANY_LIST],
    does: 'up',
    help: 'up a row in a list',
    footer: ['↑↓', 'move'],
  },
  { keys: ['down', 'ctrl+n'], in: [...LISTS, ...ANY_LIST], does: 'down', help: 'down a row in a list' },
  {
    keys: ['k'],
    in: [...LISTS, ...CHOICES],
    does: 'up',
    help: 'up a row, where letters do not begin a filter',
  },
  {
    keys: ['j'],
    in: [...LISTS, ...CHOICES],
    does: 'down',
    help: 'down a row, where letters do not begin a filter',
  },
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
  { keys: ['home'], in: [...LISTS, ...ANY_LIST], does: 'first', help: 'to the first row' },
  { keys: ['end'], in: [...LISTS, ...ANY_LIST], does: 'last', help: 'to the last row' },
  {
    keys: ['g'],
    in: [...LISTS, ...CHOICES],
    does: 'first',
    help: 'to the first row, where letters do not begin a filter',
  },
  {
    keys: ['G'],
    in: [...LISTS, ...CHOICES],
    does: 'last',
    help: 'to the last row, where letters do not begin a filter',
  },
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
  { keys: ['esc'], in: ['answered'], does: 'switch-tab', help: 'back to the open questions' },
  {
    keys: ['enter', 'tab'],
    in: ['read'],
    does: 'next',
    help: 'go on to the fields, or to the review where there are none',
    footer: ['Enter', 'go on'],
  },
  {
    keys: ['enter'],
    in: ['text', ...MULTI],
    does: 'next',
    help: 'next field; after the last one the review',
    footer: ['Enter', 'next'],
  },
  {
    keys: ['enter'],
    in: ['boolean'],
    does: 'answer',
    help: 'next field, once yes or no is chosen',
    footer: ['Enter', 'next'],
  },
  {
    keys: ['enter'],
    in: ['select', 'long-select', 'filter-select'],
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
    keys: ['left'],
    in: ['boolean'],
    does: 'to-left',
    help: 'the choice to the left',
  },
  { keys: ['right'], in: ['boolean'], does: 'to-right', help: 'the choice to the right' },
  { keys: ['space'], in: ['boolean'], does: 'change', help: 'from yes to no, from no to yes' },
  { keys: ['space'], in: ['select', 'long-select'], does: 'mark', help: 'choose and stay' },
  {
    keys: ['space'],
    in: MULTI,
    does: 'toggle',
    help: 'take or leave the highlighted row',
    footer: ['Space', 'take/leave'],
  },
  {
    keys: DIGITS,
    in: CHOICES,
    does: 'pick',
    help: 'pick a row by the number it shows',
    footer: ['1–9', 'pick'],
  },
  {
    keys: ['/'],
    in: LONG,
    does: 'filter',
    help: 'filter a list of ten options and more; any letter or digit does, too',
    footer: ['Letters', 'filter'],
  },
  { keys: ['/'], in: CHOICES, does: 'filter', help: 'filter a short list' },
  {
    keys: ['backspace'],
    in: FILTERED,
    does: 'filter-erase',
    help: 'take the last character of the filter away',
    footer: ['Backspace', 'shorten'],
  },
  { keys: ['ctrl+u', 'ctrl+w'], in: FILTERED, does: 'filter-empty', help: 'empty the filter' },
  {
    keys: ['esc'],
    in: FILTERED,
    does: 'filter-leave',
    help: 'end the filter',
    footer: ['Esc', 'end the filter'],
  },
  { keys: ['backspace'], in: ['boolean', ...CHOICES], does: 'unset', help: 'take the answer away' },
  { keys: ['delete'], in: ['boolean', ...ANY_LIST], does: 'unset', help: 'take the answer away' },
  {
    keys: ['tab'],
    in: FIELDS,
    does: 'next',
    help: 'next field',
    footer: ['Tab/Shift+Tab', 'fields'],
  },
  { keys: ['shift+tab'], in: FORM, does: 'previous', help: 'previous field' },
  { keys: ['down'], in: ['boolean'], does: 'next', help: 'next field' },
  { keys: ['up'], in: ['boolean'], does: 'previous', help: 'previous field' },
  {
    keys: ['down', 'ctrl+n'],
    in: ['text'],
    does: 'line-down',
    help: 'next line of the text, then next field',
  },
  { keys: ['up', 'ctrl+p'], in: ['text'], does: 'line-up', help: 'line above, then previous field' },
  { keys: ['left', 'ctrl+b'], in: ['text'], does: 'left', help: 'one character left' },
  { keys: ['right', 'ctrl+f'], in: ['text'], does: 'right', help: 'one character right' },
  { keys: ['alt+b', 'ctrl+left', 'alt+left'], in: ['text'], does: 'word-left', help: 'one word left' },
  { keys: ['alt+f', 'ctrl+right', 'alt+right'], in: ['text'], does: 'word-right', help: 'one word right' },
  { keys: ['home', 'ctrl+a'], in: ['text'], does: 'line-start', help: 'to the start of the line' },
  { keys: ['end', 'ctrl+e'], in: ['text'], does: 'line-end', help: 'to the end of the line' },
  { keys: ['backspace', 'ctrl+h'], in: ['text'], does: 'erase', help: 'erase the character before' },
  { keys: ['delete'], in: ['text'], does: 'erase-after', help: 'erase the character after' },
  { keys: ['ctrl+w'], in: ['text'], does: 'erase-blank-word', help: 'erase back to the last blank' },
  { keys: ['alt+backspace'], in: ['text'], does: 'erase-word', help: 'erase the word before' },
  {
    keys: ['alt+d', 'ctrl+delete', 'alt+delete'],
    in: ['text'],
    does: 'erase-word-after',
    help: 'erase the word after',
  },
  { keys: ['ctrl+u'], in: ['text'], does: 'erase-line', help: 'erase the line before the cursor' },
  { keys: ['ctrl+k'], in: ['text'], does: 'erase-line-after', help: 'erase the line after the cursor' },
  { keys: ['ctrl+y'], in: ['text'], does: 'yank', help: 'put back what was erased last' },
  { keys: ['ctrl+_'], in: ['text'], does: 'undo', help: 'undo' },
  {
    keys: ['ctrl+o'],
    in: ['text'],
    does: 'editor',
    help: 'write it in $VISUAL or $EDITOR',
    footer: ['Ctrl+O', 'editor'],
  },
  {
    keys: ['ctrl+r'],
    in: FORM,
    does: 'review',
    help: 'see what would be sent',
    footer: ['Ctrl+R', 'review'],
  },
  {
    keys: ['left', 'right', 'tab', 'shift+tab'],
    in: [...REVIEWS, ...ASKS],
    does: 'other',
    help: 'choose the other of the two: go back, or send',
    footer: ['Tab', 'choose'],
  },
  {
    keys: ['enter'],
    in: ['review'],
    does: 'decide',
    help: 'send what the review shows, where that is chosen',
    footer: ['Enter', 'send'],
    sends: true,
  },
  {
    keys: ['enter'],
    in: ['review-back', 'ask'],
    does: 'decide',
    help: 'go back, where that is chosen',
    footer: ['Enter', 'go back'],
    sends: true,
  },
  {
    keys: ['enter'],
    in: ['ask-yes'],
    does: 'decide',
    help: 'decline or cancel, where that is chosen',
    footer: ['Enter', 'yes'],
    sends: true,
  },
  { keys: ['e', 'backspace'], in: REVIEWS, does: 'edit', help: 'change it', footer: ['e', 'change'] },
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
    in: [...FORM, ...REVIEWS, 'consent', 'unopenable'],
    does: 'decline',
    help: 'decline: tell the server no (asks once more)',
    footer: ['Ctrl+D', 'decline'],
  },
  {
    keys: ['ctrl+x'],
    in: [...FORM, ...REVIEWS, 'consent', 'unopenable'],
    does: 'cancel',
    help: 'cancel: dismiss the question without a yes or no (asks once more)',
    footer: ['Ctrl+X', 'cancel'],
  },
  {
    keys: ['y'],
    in: ASKS,
    does: 'confirm',
    help: 'yes, decline or cancel',
    footer: ['y', 'yes'],
    sends: true,
  },
  {
    keys: ['n', 'esc', 'q'],
    in: ASKS,
    does: 'refrain',
    help: 'no, go back to the question',
    footer: ['n', 'no, go back'],
    sends: true,
  },
  {
    keys: ['esc', 'q'],
    in: REVIEWS,
    does: 'edit',
    help: 'back to the fields; nothing is sent',
    footer: ['Esc', 'back'],
  },
  {
    keys: ['esc'],
    in: ['read', 'text', 'boolean', ...CHOICES, ...LONG, 'consent', 'unopenable', 'busy', 'waiting', 'help'],
    does: 'back',
    help: 'back; the draft is kept and nothing is sent',
    footer: ['Esc', 'back'],
  },
  {
    keys: ['q'],
    in: ['read', 'boolean', ...CHOICES, 'consent', 'unopenable', 'busy', 'waiting'],
    does: 'back',
    help: 'the same, where q is no text',
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
    in: [...LISTS, 'read', 'boolean', ...CHOICES, ...LONG, ...SCROLLED],
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
    help: 'empty the text or the filter, else quit; open questions stay open and no server is told anything',
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
