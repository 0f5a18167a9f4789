// Scrolling by hand.

/** The first line to show after a key, of `most` that could be it; `room` is how many lines are shown. */
export function scrolledTo(does: string, top: number, most: number, room: number): number {
  const by = { up: -1, down: 1, 'page-up': 1 - room, 'page-down': room - 1 }[does] ?? 0;
  return Math.min(most, Math.max(0, top + by));
}
