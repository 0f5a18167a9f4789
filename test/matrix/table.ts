// What must happen to a question in every cell: host revision × upstream revision × kind of question. Transports change nothing.
export const HOSTS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export const UPSTREAMS = ['2025-06-18', '2025-11-25', '2026-07-28'] as const;
export const TRANSPORTS = ['stdio', 'http'] as const;
export const KINDS = ['form', 'url', 'two', '-32042'] as const;

export type HostRevision = (typeof HOSTS)[number];
export type UpstreamRevision = (typeof UPSTREAMS)[number];
export type Transport = (typeof TRANSPORTS)[number];
export type Kind = (typeof KINDS)[number];

/**
 * - `carried`: the host is asked inline and its answer reaches the upstream
 * - `kept`: the host is never asked; the broker keeps the row, and what is answered there reaches the upstream
 * - `refused as it came`: nobody is asked, nothing runs again; the host gets the upstream's error, code and data intact
 * - `refused in words`: the same, but the host gets -32603 with a sentence that names the server and what it needs
 */
export const OUTCOMES = ['carried', 'kept', 'refused as it came', 'refused in words'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The first letter of each outcome, `as` and `words` for the two refusals. */
const SHORT: Readonly<Record<string, Outcome>> = {
  carried: 'carried',
  kept: 'kept',
  as: 'refused as it came',
  words: 'refused in words',
};

// Every host declares all that its revision knows of elicitation. Why a cell is not `carried`:
// - hosts before 2025-06-18 know no questions, and 2025-06-18 knows no URLs: docs/relay.md, "Asking the host"
// - -32042 is a word of 2025-11-25 alone: from an upstream of another revision it is no question (ELI-12), and only a
//   host of 2025-11-25 that declared url can be told of it; every other host must never be sent that code
const TABLE = `
  host        upstream    form     url      two      -32042
  2024-11-05  2025-06-18  kept     kept     kept     words
  2024-11-05  2025-11-25  kept     kept     kept     kept
  2024-11-05  2026-07-28  kept     kept     kept     words
  2025-03-26  2025-06-18  kept     kept     kept     words
  2025-03-26  2025-11-25  kept     kept     kept     kept
  2025-03-26  2026-07-28  kept     kept     kept     words
  2025-06-18  2025-06-18  carried  kept     carried  words
  2025-06-18  2025-11-25  carried  kept     carried  kept
  2025-06-18  2026-07-28  carried  kept     carried  words
  2025-11-25  2025-06-18  carried  carried  carried  as
  2025-11-25  2025-11-25  carried  carried  carried  carried
  2025-11-25  2026-07-28  carried  carried  carried  as
  2026-07-28  2025-06-18  carried  carried  carried  words
  2026-07-28  2025-11-25  carried  carried  carried  carried
  2026-07-28  2026-07-28  carried  carried  carried  words
`;

export interface Cell {
  readonly host: HostRevision;
  readonly hostTransport: Transport;
  readonly upstream: UpstreamRevision;
  readonly upstreamTransport: Transport;
  readonly kind: Kind;
  readonly must: Outcome;
}

function outcomes(): Map<string, Outcome> {
  const [head = [], ...lines] = TABLE.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const found = new Map<string, Outcome>();
  for (const [host, upstream, ...words] of lines)
    for (const [index, word] of words.entries()) {
      const outcome = SHORT[word];
      if (outcome === undefined) throw new Error(`the table says ${word}`);
      found.set(`${host} ${upstream} ${head[index + 2]}`, outcome);
    }
  return found;
}

/** Every cell; neighbours in the list have different hosts, so that they can be walked side by side. */
export function cells(): Cell[] {
  const table = outcomes();
  const all: Cell[] = [];
  for (const kind of KINDS)
    for (const upstream of UPSTREAMS)
      for (const upstreamTransport of TRANSPORTS)
        for (const hostTransport of TRANSPORTS)
          for (const host of HOSTS) {
            const must = table.get(`${host} ${upstream} ${kind}`);
            if (must === undefined) throw new Error(`the table has no ${host} ${upstream} ${kind}`);
            all.push({ host, hostTransport, upstream, upstreamTransport, kind, must });
          }
  return all;
}
