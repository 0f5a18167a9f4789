// Which URI template of a server a resource URI belongs to: enough of RFC 6570 to route, not to expand.

/** A URI template as a test of URIs, and how much of it is literal (the more, the more exact). */
export interface Template {
  readonly text: string;
  readonly literal: number;
  matches(uri: string): boolean;
}

/**
 * Reads a URI template. The text between expressions must stand in the URI in that order, first and last anchored;
 * found with indexOf, so that no template of a server can make matching slow.
 */
export function templateOf(text: string): Template {
  const parts = text.split(/\{[^{}]*\}/);
  const literal = parts.reduce((sum, part) => sum + part.length, 0);
  return {
    text,
    literal,
    matches(uri) {
      const first = parts[0] ?? '';
      if (parts.length === 1) return uri === first;
      const last = parts[parts.length - 1] ?? '';
      if (uri.length < literal || !uri.startsWith(first) || !uri.endsWith(last)) return false;
      let at = first.length;
      for (const part of parts.slice(1, -1)) {
        const found = uri.indexOf(part, at);
        if (found < 0) return false;
        at = found + part.length;
      }
      return at <= uri.length - last.length;
    },
  };
}
