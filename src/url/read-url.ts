// A text as a URL, by the one judge that can be relied on.

/**
 * The URL that a text says, relative to `base` if one is given; undefined where it is none. Not by `URL.canParse`: in Node
 * 20 it takes every text with letters of Latin-1 (`https://bücher.example/`) for no URL once it has been called some
 * thousand times and is compiled.
 */
export function readUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
