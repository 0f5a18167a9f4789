// Text cut into the characters that a person sees (grapheme clusters).

/** Code units. V8's segmenter takes time by the square of the text's length, so it is given a window at a time. */
const WINDOW = 512;

/** The characters of a text as a person counts them: a joined emoji or a letter with its accents is one. */
export function graphemes(text: string): string[] {
  if (/^[\x20-\x7e]*$/.test(text)) return text.split('');
  return [...eachGrapheme(text)];
}

/** The same one by one, for whoever needs only the first of a long text. */
export function* eachGrapheme(text: string): Generator<string> {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  let start = 0;
  let window = WINDOW;
  while (start < text.length) {
    // Half an emoji at the end would look like something else, and end the character before it.
    const end = start + window - (isHalf(text.charCodeAt(start + window - 1)) ? 1 : 0);
    const part = text.slice(start, end);
    const isLast = end >= text.length;
    let used = 0;
    for (const { segment } of segmenter.segment(part)) {
      // What reaches the end of the window may go on behind it; it is read again as the start of the next one.
      if (!isLast && used + segment.length === part.length) break;
      used += segment.length;
      yield segment;
    }
    start += used;
    window = used === 0 ? window * 2 : WINDOW;
  }
}

function isHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
