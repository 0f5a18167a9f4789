// Preloaded into a real process (`--import`): its wall clock is off by what the file in SHIFT_CLOCK says, in milliseconds.
import { readFileSync } from 'node:fs';

const file = process.env.SHIFT_CLOCK;
const now = Date.now;
const shift = () => {
  try {
    return Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    return 0;
  }
};
if (file !== undefined) Date.now = () => now() + shift();
