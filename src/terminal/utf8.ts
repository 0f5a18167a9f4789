// UTF-8 read byte by byte, so that a character may come in as many reads as it likes.

/** Stands for bytes that are no UTF-8; they are no key and no text. */
const INVALID = -1;

/** The lowest and the highest second byte that a lead byte allows, where it is not 0x80 to 0xBF (Unicode, table 3-7). */
const SECOND: Readonly<Record<number, readonly [low: number, high: number]>> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
};

/** Takes bytes and gives code points. A byte that belongs to no character gives `INVALID`, or a C1 control in its 8-bit form. */
export class Utf8 {
  #code = 0;
  #left = 0;
  #low = 0x80;
  #high = 0xbf;

  /** The code points that are known with this byte: none inside a character, two where it breaks one off. */
  push(byte: number): readonly number[] {
    if (this.#left === 0) return this.#first(byte);
    if (byte < this.#low || byte > this.#high) {
      this.#left = 0;
      return [INVALID, ...this.#first(byte)];
    }
    this.#code = (this.#code << 6) | (byte & 0x3f);
    this.#left -= 1;
    [this.#low, this.#high] = [0x80, 0xbf];
    return this.#left === 0 ? [this.#code] : [];
  }

  #first(byte: number): readonly number[] {
    if (byte < 0x80) return [byte];
    // A terminal that is not set to UTF-8 sends its C1 controls as single bytes.
    if (byte < 0xa0) return [byte];
    if (byte < 0xc2 || byte > 0xf4) return [INVALID];
    this.#left = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    this.#code = byte & (0x3f >> this.#left);
    [this.#low, this.#high] = SECOND[byte] ?? [0x80, 0xbf];
    return [];
  }
}
