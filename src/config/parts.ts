// What the schema of the file is made of; the messages say what a value must be.
import { z } from 'zod';

export function oneOf<const T extends readonly [string, ...string[]]>(choices: T) {
  const quoted = choices.map((choice) => `"${choice}"`);
  const last = quoted.pop();
  return z.enum(choices, { error: quoted.length === 0 ? `${last}` : `${quoted.join(', ')} or ${last}` });
}

/** An object with these keys and no others; the message of an unknown key is the list of the known ones. */
export function section<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? Object.keys(shape).join(' ') : 'an object'),
  });
}

/** A text that says something. */
export function filled(words: string) {
  return z.string({ error: words }).refine((text) => text.trim() !== '', { error: words });
}
