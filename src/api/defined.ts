// Optional members as exactOptionalPropertyTypes has them: there with a value, or not there.

/** The members whose value is not undefined. */
export function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const there = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(there) as { [K in keyof T]: Exclude<T[K], undefined> };
}
