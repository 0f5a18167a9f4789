// What the terminal is switched to while the UI is on it, and back.

const ESC = '\u001b';
const BEL = '\u0007';

/** The other screen, so that what was on the terminal is there again afterwards; pastes told from typing. */
export const ENTER = `${ESC}[?1049h${ESC}[2J${ESC}[H${ESC}[?2004h`;
/** Everything back, the cursor too; harmless where it is so already. */
export const LEAVE = `${ESC}[?2026l${ESC}[?2004l${ESC}[?25h${ESC}[?1049l`;
export const CLEAR = `${ESC}[2J${ESC}[H`;

/** Keeps the window's title, and gives it back. */
export const SAVE_TITLE = `${ESC}[22;2t`;
export const RESTORE_TITLE = `${ESC}[23;2t`;

/** `text` must be inert. */
export function title(text: string): string {
  return `${ESC}]2;${text}${BEL}`;
}

/** Rings, and tells terminals that show notices (OSC 9); `text` must be inert. */
export function notice(text: string): string {
  return `${BEL}${ESC}]9;${text}${BEL}`;
}

/** Puts a text on the clipboard of the machine the terminal runs on, over SSH as well (OSC 52). */
export function clipboard(text: string): string {
  return `${ESC}]52;c;${Buffer.from(text).toString('base64')}${BEL}`;
}
