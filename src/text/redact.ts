// Takes known secrets out of texts that are on their way out of mcpx, in the spellings in which they come back (C55).

/** A value that must not be seen, and the name that stands in its place. */
export interface Secret {
  readonly name: string;
  readonly value: string;
  /** Whether it is a secret for certain; else it may also be an ordinary word, such as a folder, and stays in results. */
  readonly certain: boolean;
}

/** Shorter values would be found in ordinary words. */
const SHORTEST = 6;
/** Less of an encoded value proves nothing. */
const SHORTEST_ENCODED = 8;
/** So much of a value that was cut off at the end of a text gives it away. */
const SHORTEST_PREFIX = 4;
/** Longer texts are looked through for the values as they are, which is far quicker than for every spelling. */
const LONG = 1_048_576;
/** The strings of a JSON text, quotes included. */
const STRINGS = /"(?:[^"\\]|\\.)*"/g;

export class Redactor {
  /** Every spelling of every value, and the name that stands in its place. */
  readonly #names = new Map<string, string>();
  /** The spellings that may stand in JSON that is passed on, and the plain ones of these. */
  readonly #certain = new Map<string, string>();
  readonly #plain = new Map<string, string>();
  readonly #all: RegExp | undefined;
  readonly #inJson: RegExp | undefined;
  readonly #plainInJson: RegExp | undefined;

  constructor(secrets: readonly Secret[]) {
    for (const { name, value, certain } of secrets) {
      if (value.length < SHORTEST) continue;
      const shown = `[${name.replace(/[^\w.-]/g, '-')}]`;
      const plain = [value, ...inJsonOf(value)];
      for (const spelling of [...plain, ...encoded(value).flatMap((one) => [one, ...inJsonOf(one)])]) {
        add(this.#names, spelling, shown);
        // Numbers and other values that can stand outside of strings would break the JSON.
        if (!certain || !isText(value)) continue;
        add(this.#certain, spelling, shown);
        if (plain.includes(spelling)) add(this.#plain, spelling, shown);
      }
    }
    this.#all = either(this.#names);
    this.#inJson = either(this.#certain);
    this.#plainInJson = either(this.#plain);
  }

  /** Whether there is anything to take out. */
  get isEmpty(): boolean {
    return this.#all === undefined;
  }

  /** A text for people, or an error for a peer. */
  text(text: string): string {
    if (this.#all === undefined) return text;
    const masked = text.replace(this.#all, (found) => this.#names.get(found) ?? '');
    return masked.includes('…') ? this.#withoutCut(masked) : masked;
  }

  /** JSON text that is passed on: only values that are secrets for certain, and stand in strings. */
  json(text: string): string {
    const expression = text.length > LONG ? this.#plainInJson : this.#inJson;
    if (expression === undefined) return text;
    return text.replace(expression, (found) => this.#certain.get(found) ?? '');
  }

  /** A JSON-RPC error, which is for people: every value that stands in its strings. */
  errorJson(text: string): string {
    return this.#all === undefined ? text : text.replace(STRINGS, (string) => this.text(string));
  }

  /** The beginning of a value that a shortened text ends with. */
  #withoutCut(text: string): string {
    let out = text;
    for (const [spelling, shown] of this.#names) {
      for (let length = spelling.length - 1; length >= SHORTEST_PREFIX; length -= 1)
        out = out.replaceAll(`${spelling.slice(0, length)}…`, `${shown}…`);
    }
    return out;
  }
}

function add(to: Map<string, string>, spelling: string, shown: string): void {
  if (!to.has(spelling)) to.set(spelling, shown);
}

/** Matches the longest first, so that one value that begins another does not leave the rest of it standing. */
function either(spellings: ReadonlyMap<string, string>): RegExp | undefined {
  if (spellings.size === 0) return undefined;
  const sorted = [...spellings.keys()].sort((a, b) => b.length - a.length);
  return new RegExp(sorted.map((one) => one.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
}

function isText(value: string): boolean {
  return /[^\d+\-.eE{}[\]:,\s]/.test(value) && !/^(?:true|false|null)$/.test(value);
}

/**
 * As it may stand inside a JSON string. Besides what must be escaped there, some languages escape slashes (PHP), what
 * means something in HTML (Go; Gson with `=` and `'` too), and what is not ASCII (Python), by default.
 */
function inJsonOf(value: string): string[] {
  const printed = JSON.stringify(value).slice(1, -1);
  const code = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const html = [printed, printed.replace(/[<>&]/g, code), printed.replace(/[<>&='\u2028\u2029]/g, code)];
  const ascii = html.flatMap((text) => [text, text.replace(/[\u0080-\uffff]/g, code)]);
  return [...new Set(ascii.flatMap((text) => [text, text.replaceAll('/', '\\/')]))];
}

/** Percent-encoded, as a form has it, in hex, and in Base64 wherever it may begin. */
function encoded(value: string): string[] {
  const bytes = Buffer.from(value);
  const percent = encodeURIComponent(value);
  const everyByte = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const spellings = [
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    everyByte,
    everyByte.toUpperCase(),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...base64(bytes),
  ];
  return spellings.filter((text) => text !== value && text.length >= SHORTEST_ENCODED);
}

/** The characters of the Base64 text of anything that holds these bytes, for each of the three places they may be at. */
function base64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    // Characters at both ends depend on what stands beside the bytes.
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor((padded.length * 8) / 6);
    const text = padded.toString('base64').slice(first, last);
    return text.length < SHORTEST_ENCODED ? [] : [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
