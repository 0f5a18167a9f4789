// Long texts in pieces, so that a peer that reads slowly is seen to read and one that does not costs little.

/** Where the piece of at most about `length` characters ends that begins at `from`; the halves of a character stay together. */
export function pieceEnd(text: string, from: number, length: number): number {
  const end = Math.min(from + length, text.length);
  const isSplit = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isSplit ? end + 1 : end;
}
