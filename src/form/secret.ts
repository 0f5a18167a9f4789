// Whether a field asks for a secret, which no server may do in a form and some do (ELI-13, C28).
import { either, secretIn } from './secret-words.ts';

/** What a server says about a field. */
export interface Described {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly format?: string | undefined;
}

const NEGATION = /\b(?:not|no|never|without|avoid|except|excluding|instead|rather|cannot|dont)\b|n['’]t\b/;
/** Words after which a secret is only mentioned: it belongs to something else that is asked for. */
const MENTION = either(`
  of for to in on at from with by whose where which that when if about after before because per as how whether each any
  we it they this these is are was be will can may use uses used using contains? holds? stores? has have
`);
/** A verb that asks for what follows it. */
const ASKING = either(`
  enter provide paste type supply give input insert specify confirm repeat set choose pick create tell
`);

/**
 * Whether a field is secret-looking: by `format: "password"`, or because its name, title or description names a
 * password, token, key, PIN, card number … as the thing that is asked for. A mention is not enough (`tokenizer`,
 * `max_tokens`, `password policy`), nor is a description that only warns against giving one (docs/broker.md,
 * "Secrets").
 */
export function looksSecret(field: Described): boolean {
  if (field.format === 'password') return true;
  if (isSecretPhrase(words(field.name))) return true;
  if (field.title !== undefined && clauses(field.title).some(asksInTitle)) return true;
  return field.description !== undefined && clauses(field.description).some(asksInSentence);
}

function isSecretPhrase(phrase: string): boolean {
  return secretIn(phrase) !== undefined;
}

function asksInTitle(clause: string): boolean {
  const found = secretIn(clause);
  return (
    found !== undefined && !NEGATION.test(clause.slice(0, found)) && !has(MENTION, clause.slice(0, found))
  );
}

function asksInSentence(clause: string): boolean {
  const found = secretIn(clause);
  if (found === undefined) return false;
  const before = clause.slice(0, found);
  // Only what follows the last verb that asks tells what is asked for: "To sign in, enter your password".
  const verb = [...before.matchAll(new RegExp(`\\b(?:${ASKING})\\b`, 'g'))].at(-1);
  // A negation holds for the part of the sentence the verb is in and for what is listed after it.
  const part = verb === undefined ? before : before.slice(before.lastIndexOf(',', verb.index) + 1);
  if (NEGATION.test(part)) return false;
  return !has(MENTION, verb === undefined ? before : before.slice(verb.index + verb[0].length));
}

function has(words: string, text: string): boolean {
  return new RegExp(`\\b(?:${words})\\b`).test(text);
}

/** Sentences and what stands in brackets, as lower-case words; more of a text than this describes no field. */
function clauses(text: string): string[] {
  return text
    .slice(0, 4_000)
    .split(/[.;:!?()[\]\n–—]|\s-\s/)
    .map(words)
    .filter((clause) => clause !== '');
}

/** `apiKey`, `API_KEY` and `api-key` are all `api key`. */
function words(text: string): string {
  return text
    .slice(0, 4_000)
    .normalize('NFKC')
    .replace(/[\p{Cf}\u00ad]/gu, '')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}'’,]+/gu, ' ')
    .trim();
}
