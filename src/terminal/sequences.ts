// What a terminal sends, cut by the grammar of ECMA-48 (§5.4 control sequences, §5.6 control strings) into characters,
// controls and whole sequences, however it is split into reads.
import type { Clock, Timer } from '../clock.ts';
import { Utf8 } from './utf8.ts';

export type Token =
  | { readonly type: 'char'; readonly text: string }
  /** A C0 control or DEL, by its code. */
  | { readonly type: 'control'; readonly code: number }
  /** The Esc key: an ESC after which nothing came for a while. */
  | { readonly type: 'esc' }
  /** ESC and one character, which is what Alt with a key sends. */
  | { readonly type: 'alt'; readonly code: number }
  | Sequence;

export interface Sequence {
  readonly type: 'csi' | 'ss3';
  /** Parameters and intermediates, as they came. */
  readonly body: string;
  readonly final: string;
  /** One more ESC in front of it: some terminals send Alt with an arrow like that. */
  readonly meta: boolean;
  /** It came so long after its ESC that this has counted as the Esc key. */
  readonly late: boolean;
}

/** How long after ESC the rest of a sequence may come before it counts as the Esc key. */
const ESCAPE_MS = 60;
/** How long a sequence may pause. One that never ends is then let go, and what came of it is dropped. */
const LET_GO_MS = 1_000;

type Mode = 'ground' | 'escape' | 'late' | 'csi' | 'ss3' | 'designate' | 'one' | 'string' | 'string-escape';

const [ETX, BEL, CAN, SUB, ESC, DEL] = [0x03, 0x07, 0x18, 0x1a, 0x1b, 0x7f];
/** C1 control, and the character that stands for it after ESC, 0x40 less. */
const [SS2, SS3, DCS, SOS, CSI, ST, OSC, PM, APC] = [0x8e, 0x8f, 0x90, 0x98, 0x9b, 0x9c, 0x9d, 0x9e, 0x9f];
const TO_C1 = 0x40;

/** What may continue an ESC that has counted as the Esc key. SS2 is left out: no terminal sends it, and N is a key. */
const LATE = new Set([SS3, DCS, SOS, CSI, ST, OSC, PM, APC]);
/** How the strings begin that terminals send; after a late ESC anything else was typed by a person. */
const LATE_STRINGS: Readonly<Record<number, RegExp>> = { [DCS]: /[ -?]/, [OSC]: /[\dlL]/ };
/** Mouse reports of old: so many bytes of any value follow the final character of a sequence without parameters. */
const RAW_BYTES: Readonly<Record<string, number>> = { M: 3, t: 2, T: 6 };
/** More than any key needs; what is longer is swallowed all the same. */
const LONGEST_BODY = 64;

/** Takes bytes as they are read and says what they are, as soon as it is certain. */
export class Sequences {
  readonly #clock: Clock;
  readonly #found: (token: Token) => void;
  readonly #utf8 = new Utf8();
  #mode: Mode = 'ground';
  #introducer = 0;
  #body = '';
  #meta = false;
  #late = false;
  #isFirst = false;
  /** Bytes of a mouse report that are still to come. */
  #raw = 0;
  #rawEscape = false;
  #timer: Timer | undefined;

  constructor(clock: Clock, found: (token: Token) => void) {
    this.#clock = clock;
    this.#found = found;
  }

  push(bytes: Uint8Array): void {
    this.#timer?.cancel();
    for (const byte of bytes) {
      if (this.#raw > 0) this.#rawByte(byte);
      else for (const code of this.#utf8.push(byte)) this.#code(code);
    }
    this.#arm();
  }

  close(): void {
    this.#timer?.cancel();
  }

  #arm(): void {
    if (this.#mode === 'escape') this.#timer = this.#clock.after(ESCAPE_MS, () => this.#lone());
    else if (this.#mode !== 'ground' || this.#raw > 0)
      this.#timer = this.#clock.after(LET_GO_MS, () => this.#reset());
  }

  /** Nothing followed the ESC. What still comes within a second is swallowed by the same grammar, and gives no key. */
  #lone(): void {
    this.#escapes();
    this.#mode = 'late';
    this.#arm();
  }

  #escapes(): void {
    const times = this.#meta ? 2 : 1;
    this.#reset();
    for (let time = 0; time < times; time += 1) this.#found({ type: 'esc' });
  }

  #reset(): void {
    this.#mode = 'ground';
    this.#meta = false;
    this.#late = false;
    this.#body = '';
    this.#raw = 0;
    this.#rawEscape = false;
  }

  #code(code: number): void {
    const mode = this.#mode;
    const isInside = mode !== 'ground' && mode !== 'late';
    if (code === ESC) this.#escape();
    else if (code >= 0x80 && code < 0xa0) this.#c1(code);
    else if (isInside && (code === CAN || code === SUB)) this.#reset();
    else if (isInside && code === ETX) {
      // Ctrl+C gets through whatever is left unfinished: it can only leave.
      this.#reset();
      this.#found({ type: 'control', code });
    } else this.#step(mode, code);
  }

  #escape(): void {
    const mode = this.#mode;
    if (mode === 'string' || mode === 'string-escape') {
      this.#mode = 'string-escape';
      return;
    }
    if (mode === 'escape') {
      if (this.#meta) this.#found({ type: 'esc' });
      this.#meta = true;
      return;
    }
    this.#reset();
    this.#mode = 'escape';
  }

  #c1(code: number): void {
    if (this.#mode === 'escape') this.#escapes();
    this.#reset();
    this.#begin(code);
  }

  /** What an introducer opens; `#meta` and `#late` are set by then. Other C1 controls are dropped. */
  #begin(code: number): void {
    this.#introducer = code;
    this.#body = '';
    this.#isFirst = true;
    if (code === CSI) this.#mode = 'csi';
    else if (code === SS3) this.#mode = 'ss3';
    else if (code === SS2) this.#mode = 'one';
    else if (code === DCS || code === SOS || code === OSC || code === PM || code === APC)
      this.#mode = 'string';
    else this.#reset();
  }

  #step(mode: Mode, code: number): void {
    switch (mode) {
      case 'ground':
        this.#ground(code);
        break;
      case 'late':
        this.#afterLate(code);
        break;
      case 'escape':
        this.#afterEscape(code);
        break;
      case 'csi':
        this.#inCsi(code);
        break;
      case 'ss3':
        if (isBetween(code, 0x30, 0x3b)) this.#keep(code);
        else if (isBetween(code, 0x20, 0x7e)) this.#end('ss3', code);
        break;
      case 'designate':
        if (isBetween(code, 0x30, 0x7e)) this.#reset();
        break;
      case 'one':
        this.#reset();
        break;
      case 'string':
        this.#inString(code);
        break;
      case 'string-escape':
        this.#reset();
        // Any other sequence breaks the string off, as an end that got lost must not swallow the keys after it.
        if (code !== ST - TO_C1) this.#afterEscape(code);
        break;
    }
  }

  #afterLate(code: number): void {
    this.#reset();
    if (LATE.has(code + TO_C1)) {
      this.#late = true;
      this.#begin(code + TO_C1);
    } else this.#ground(code);
  }

  #ground(code: number): void {
    if (code < 0x20 || code === DEL) this.#found({ type: 'control', code });
    else if (code >= 0x20) this.#found({ type: 'char', text: String.fromCodePoint(code) });
  }

  #afterEscape(code: number): void {
    if (isBetween(code, 0x20, 0x2f)) this.#mode = 'designate';
    else if (isBetween(code, 0x40, 0x5f) && isIntroducer(code + TO_C1)) {
      // Only the keys of a sequence can have a second ESC of their own; before a string it was the Esc key.
      const isKeys = code + TO_C1 === CSI || code + TO_C1 === SS3;
      if (this.#meta && !isKeys) {
        this.#meta = false;
        this.#found({ type: 'esc' });
      }
      this.#begin(code + TO_C1);
    } else {
      if (this.#meta) this.#found({ type: 'esc' });
      this.#reset();
      if (code >= 0) this.#found({ type: 'alt', code });
    }
  }

  #inCsi(code: number): void {
    if (isBetween(code, 0x20, 0x3f)) this.#keep(code);
    if (!isBetween(code, 0x40, 0x7e)) return;
    const final = String.fromCodePoint(code);
    const raw = this.#body === '' ? RAW_BYTES[final] : undefined;
    if (raw !== undefined) {
      this.#reset();
      this.#raw = raw;
    } else if (final === '[' && this.#body === '') {
      // The function keys of the Linux console: one more character.
      this.#mode = 'one';
    } else this.#end('csi', code);
  }

  #inString(code: number): void {
    const begins = LATE_STRINGS[this.#introducer];
    const isTyped =
      this.#late && this.#isFirst && begins?.test(String.fromCodePoint(Math.max(0, code))) === false;
    this.#isFirst = false;
    if (isTyped || (code === BEL && this.#introducer === OSC)) this.#reset();
  }

  #keep(code: number): void {
    if (this.#body.length < LONGEST_BODY) this.#body += String.fromCodePoint(code);
  }

  #end(type: Sequence['type'], code: number): void {
    const token = {
      type,
      body: this.#body,
      final: String.fromCodePoint(code),
      meta: this.#meta,
      late: this.#late,
    };
    this.#reset();
    this.#found(token);
  }

  /** An ESC among the bytes of a mouse report is one of them, unless it begins the next sequence. */
  #rawByte(byte: number): void {
    if (this.#rawEscape) {
      this.#rawEscape = false;
      this.#raw -= 1;
      if (isBetween(byte, 0x40, 0x5f) && isIntroducer(byte + TO_C1)) {
        this.#reset();
        this.#mode = 'escape';
        this.#afterEscape(byte);
        return;
      }
      if (this.#raw === 0) {
        for (const code of this.#utf8.push(byte)) this.#code(code);
        return;
      }
    }
    if (byte === ESC) this.#rawEscape = true;
    else this.#raw -= 1;
  }
}

function isIntroducer(code: number): boolean {
  return code === SS2 || (LATE.has(code) && code !== ST);
}

function isBetween(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}
