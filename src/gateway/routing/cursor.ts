// One cursor for several servers: which of them have more to list, and where each goes on.

/** The cursor of each server that has more, by server name; the upstream's own opaque text. */
export type Cursors = ReadonlyMap<string, string>;

/** Packs the cursors of all servers into one opaque cursor; undefined when no server has more. */
export function packCursors(cursors: Cursors): string | undefined {
  if (cursors.size === 0) return undefined;
  return Buffer.from(JSON.stringify([...cursors])).toString('base64url');
}

/** Reads a cursor that `packCursors` made; undefined for any other text (the host gets -32602). */
export function unpackCursors(cursor: string, servers: readonly string[]): Cursors | undefined {
  try {
    const pairs: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (!Array.isArray(pairs) || pairs.length === 0) return undefined;
    const cursors = new Map<string, string>();
    for (const pair of pairs) {
      if (!Array.isArray(pair) || typeof pair[0] !== 'string' || typeof pair[1] !== 'string')
        return undefined;
      if (!servers.includes(pair[0])) return undefined;
      cursors.set(pair[0], pair[1]);
    }
    return cursors;
  } catch {
    return undefined;
  }
}
