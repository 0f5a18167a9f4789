// A moment as people say it: short, and on the clock of the machine they sit at. JSON keeps the ISO text in UTC.

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
