// What a person typed for a field, read into the JSON that will be sent for it.
import { arrayText, isWhole, quote, trustedJson } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import { isList, parse } from './json.ts';
import { isExact, isNumberText, wholeText } from './number-text.ts';
import { optionText } from './options.ts';
import type { Field, Option } from './types.ts';
import { INEXACT, NOT_JSON, named, notAnOption } from './words.ts';

export type Typed =
  | { readonly ok: true; readonly value: JsonText | undefined }
  | { readonly ok: false; readonly message: string };

const YES = ['yes', 'y', 'true'];
const NO = ['no', 'n', 'false'];

/**
 * Reads typed text by the field: numbers as their own digits, yes and no, a choice by its value or its label,
 * choices separated by commas or as a JSON list, raw JSON. Nothing typed means unset, but for a text field whose
 * default is the empty text. Says nothing about bounds and formats: `problemFor` does.
 */
export function readTyped(field: Field, text: string): Typed {
  switch (field.kind) {
    case 'text':
      return value(text === '' && field.initial !== '' ? undefined : quote(text));
    case 'number':
    case 'integer':
      return readNumber(text.trim(), field.kind === 'integer');
    case 'boolean':
      return readBoolean(text.trim().toLowerCase());
    case 'select': {
      const chosen = readOption(field.options, text);
      if (typeof chosen === 'string') return text.trim() === '' ? value(undefined) : wrong(chosen);
      return value(optionText(chosen));
    }
    case 'multiselect':
      return readOptions(field.options, text);
    case 'json':
      if (text.trim() === '') return value(undefined);
      return isWhole(text) ? value(trustedJson(text.trim())) : wrong(NOT_JSON);
  }
}

/** The choices that a list of typed texts names, each by value or label. */
export function readChoices(options: readonly Option[], texts: readonly string[]): Typed {
  const chosen: JsonText[] = [];
  for (const text of texts) {
    const option = readOption(options, text);
    if (typeof option === 'string') return wrong(`${named(text)} is ${option}`);
    const value = optionText(option);
    if (!chosen.includes(value)) chosen.push(value);
  }
  return value(arrayText(chosen));
}

function readNumber(text: string, whole: boolean): Typed {
  if (text === '') return value(undefined);
  if (!isNumberText(text)) {
    return wrong(whole ? 'needs a whole number, such as 12' : 'needs a number, such as 12, 0.5 or 1e3');
  }
  if (!isExact(text)) return wrong(INEXACT);
  if (!whole) return value(trustedJson(text));
  const digits = wholeText(text);
  return digits === undefined ? wrong('needs a whole number, such as 12') : value(trustedJson(digits));
}

function readBoolean(text: string): Typed {
  if (text === '') return value(undefined);
  if (YES.includes(text)) return value('true');
  return NO.includes(text) ? value('false') : wrong('needs yes or no');
}

/**
 * The option, or what is wrong. A value wins over a label, the exact spelling over another case; two alike are
 * refused.
 */
function readOption(options: readonly Option[], text: string): Option | string {
  const ways: ((option: Option) => boolean)[] = [
    (option) => option.value === text,
    (option) => typeof option.value !== 'string' && JSON.stringify(option.value) === text.trim(),
    (option) => option.label === text,
    (option) => alike(option.label, text),
  ];
  for (const matches of ways) {
    const [first, second] = options.filter(matches);
    if (second !== undefined)
      return `the label of more than one option; give the value: ${notAnOptionList(options, text)}`;
    if (first !== undefined) return first;
  }
  return notAnOption(options);
}

function alike(label: string, text: string): boolean {
  return label.trim().toLowerCase() === text.trim().toLowerCase();
}

function notAnOptionList(options: readonly Option[], text: string): string {
  return options
    .filter((option) => alike(option.label, text))
    .map((option) => named(optionText(option)))
    .join(', ');
}

function readOptions(options: readonly Option[], text: string): Typed {
  if (text.trim() === '') return value(undefined);
  const parsed = text.trim().startsWith('[') ? parse(text) : undefined;
  if (isList(parsed)) {
    return readChoices(
      options,
      parsed.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))),
    );
  }
  // A comma may stand inside a label: the whole is tried first.
  if (typeof readOption(options, text) !== 'string') return readChoices(options, [text]);
  return readChoices(
    options,
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
}

function value(json: JsonText | undefined): Typed {
  return { ok: true, value: json };
}

function wrong(message: string): Typed {
  return { ok: false, message };
}
