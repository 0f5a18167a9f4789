// A terminal's screen, as far as the UI uses one: what was written turned into cells, cursor and modes.
import { graphemeWidth } from '../../src/text/columns.ts';
import { graphemes } from '../../src/text/graphemes.ts';

/** One sequence or a run of text. */
const TOKEN =
  /\u001b\[([?<>=]?)([\d;]*)([A-Za-z])|\u001b\](.*?)(?:\u0007|\u001b\\)|([\u0000-\u001a\u001c-\u001f\u007f])|([^\u0000-\u001f\u007f]+)/gsu;

export class Vt {
  columns: number;
  rows: number;
  cells: string[][] = [];
  x = 0;
  y = 0;
  /** The private modes that are on: 25 the cursor, 1049 the other screen, 2004 bracketed paste. */
  readonly modes = new Set(['25']);
  /** Operating system commands in order: titles, notices, the clipboard. */
  readonly commands: string[] = [];
  bells = 0;
  /** Lines that were pushed out at the top: none may be. */
  scrolled = 0;
  /** Whether any colour or style was ever drawn. */
  styled = false;
  #rest = '';

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
    this.clear();
  }

  clear(): void {
    this.cells = Array.from({ length: this.rows }, () => []);
  }

  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.cells = Array.from({ length: rows }, (_, y) => (this.cells[y] ?? []).slice(0, columns));
    this.y = Math.min(this.y, rows - 1);
  }

  write(text: string): void {
    const whole = this.#rest + text;
    let end = 0;
    for (const match of whole.matchAll(TOKEN)) {
      if (match.index !== end) break;
      end += match[0].length;
      const [, mark = '', numbers = '', letter, command, control, plain] = match;
      if (letter !== undefined) this.#sequence(mark, numbers, letter);
      else if (command !== undefined) this.commands.push(command);
      else if (control !== undefined) this.#control(control);
      else if (plain !== undefined) for (const grapheme of graphemes(plain)) this.#put(grapheme);
    }
    this.#rest = whole.slice(end);
    if (this.#rest !== '' && !this.#rest.startsWith('\u001b'))
      throw new Error(`not understood: ${JSON.stringify(this.#rest)}`);
  }

  /** The lines, spaces at their ends left out. */
  get lines(): string[] {
    return this.cells.map((row) =>
      Array.from(row, (cell) => cell ?? ' ')
        .join('')
        .trimEnd(),
    );
  }

  get text(): string {
    return this.lines.join('\n').trimEnd();
  }

  #put(grapheme: string): void {
    const wide = graphemeWidth(grapheme);
    if (this.x + wide > this.columns) this.#newline();
    const row = this.cells[this.y] ?? [];
    for (let index = row.length; index < this.x; index += 1) row[index] = ' ';
    row[this.x] = grapheme;
    for (let index = 1; index < wide; index += 1) row[this.x + index] = '';
    this.x += wide;
  }

  #newline(): void {
    this.x = 0;
    if (this.y + 1 < this.rows) {
      this.y += 1;
      return;
    }
    this.cells.shift();
    this.cells.push([]);
    this.scrolled += 1;
  }

  #control(code: string): void {
    if (code === '\n') this.#newline();
    else if (code === '\r') this.x = 0;
    else if (code === '\u0007') this.bells += 1;
    else throw new Error(`a control character reached the terminal: ${JSON.stringify(code)}`);
  }

  #sequence(mark: string, numbers: string, letter: string): void {
    const [first, second] = numbers.split(';').map((number) => (number === '' ? undefined : Number(number)));
    const count = first ?? 1;
    if (mark === '?') {
      if (letter === 'h') this.modes.add(numbers);
      else this.modes.delete(numbers);
      return;
    }
    switch (letter) {
      case 'A':
        this.y = Math.max(0, this.y - count);
        return;
      case 'B':
        this.y = Math.min(this.rows - 1, this.y + count);
        return;
      case 'E':
        this.y = Math.min(this.rows - 1, this.y + count);
        this.x = 0;
        return;
      case 'G':
        this.x = count - 1;
        return;
      case 'H':
        this.y = count - 1;
        this.x = (second ?? 1) - 1;
        return;
      case 'J':
        this.clear();
        return;
      case 'K':
        if (first === 2) this.cells[this.y] = [];
        else this.cells[this.y] = (this.cells[this.y] ?? []).slice(0, this.x);
        return;
      case 'm':
        this.styled = true;
        return;
      case 't':
        return;
      default:
        throw new Error(`not understood: ESC [ ${mark}${numbers}${letter}`);
    }
  }
}
