// Durations and times as people write and read them; every number is milliseconds.

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * The milliseconds of `250ms`, `90s`, `10m`, `1h` or `30d`; `undefined` for anything else (docs/broker.md,
 * "Time").
 */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,12})(ms|s|m|h|d)$/.exec(text);
  if (match === null) return undefined;
  const ms = Number(match[1]) * UNITS[match[2] as keyof typeof UNITS];
  return Number.isSafeInteger(ms) ? ms : undefined;
}

/**
 * A length of time in few characters: `42s`, `2m`, `4:12`, `1h`, `1:02:03`, `30d`, `3d 4h`; below zero is `0s`.
 */
export function duration(ms: number): string {
  const seconds = wholeSeconds(ms);
  const days = Math.floor(seconds / 86_400);
  if (days > 0) {
    const hours = Math.floor((seconds % 86_400) / 3_600);
    return hours === 0 ? `${days}d` : `${days}d ${hours}h`;
  }
  if (seconds < 60) return `${seconds}s`;
  if (seconds % 3_600 === 0) return `${seconds / 3_600}h`;
  return seconds < 3_600 && seconds % 60 === 0 ? `${seconds / 60}m` : countdown(ms);
}

/**
 * The time left as a clock that does not change its shape from second to second: `0:09`, `4:12`, `1:02:03`, `3d
 * 4h`.
 */
export function countdown(ms: number): string {
  const seconds = wholeSeconds(ms);
  if (seconds >= 86_400) return duration(ms);
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  const rest = String(seconds % 60).padStart(2, '0');
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`;
}

/** An age in its largest unit, rounded down: `now` below a second, `12s`, `4m`, `2h`, `3d`. */
export function ago(ms: number): string {
  if (ms >= UNITS.d) return `${Math.floor(ms / UNITS.d)}d`;
  if (ms >= UNITS.h) return `${Math.floor(ms / UNITS.h)}h`;
  if (ms >= UNITS.m) return `${Math.floor(ms / UNITS.m)}m`;
  return ms >= UNITS.s ? `${Math.floor(ms / UNITS.s)}s` : 'now';
}

// Rounded up, so that a deadline reads `0s` only once it has passed.
function wholeSeconds(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1_000));
}

/** Not from `Intl`: the words around it are English whatever the locale, and Node may be built with little of it. */
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/**
 * `14:05` on the day of `now`, `30 Nov 14:05` on any other or where `now` is not known, with the year where that is
 * another one. In local time.
 *
 * @param iso a date and time as JSON has it; what is none is given back as it is
 * @param now milliseconds since the epoch
 */
export function shortTime(iso: string, now?: number): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}`;
  const day = `${at.getDate()} ${MONTHS[at.getMonth()]}`;
  const today = now === undefined ? undefined : new Date(now);
  if (today === undefined) return `${day} ${clock}`;
  if (today.getFullYear() !== at.getFullYear()) return `${day} ${at.getFullYear()} ${clock}`;
  return today.getMonth() === at.getMonth() && today.getDate() === at.getDate() ? clock : `${day} ${clock}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
