// What the upstreams of the matrix ask, and what a host of each revision must be shown of it, spelled out.
import type { Cell } from './table.ts';

/** One question: the raw params that the upstream sends, and the answer that goes back to it. */
export interface Asked {
  /** Stands in the message, so that the question is known again wherever it shows up. */
  readonly mark: string;
  readonly params: string;
  /** What a host of the cell's revision is shown; `elicitationId` left out. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** The answer as raw JSON, from whoever answers. */
  readonly answer: string;
}

const TITLES = [
  { const: 'pub', title: 'For all' },
  { const: 'priv', title: 'For me' },
];

/** The schema as an upstream of this revision writes it: with all that it may use beyond its predecessors. */
function schemaOf(upstream: Cell['upstream']): object {
  if (upstream === '2025-06-18')
    return {
      type: 'object',
      properties: {
        repo: { type: 'string', title: 'Repository', minLength: 1 },
        kind: { type: 'string', enum: ['pub', 'priv'], enumNames: ['For all', 'For me'] },
        sure: { type: 'boolean', default: false },
      },
      required: ['repo'],
    };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      repo: { type: 'string', title: 'Repository', minLength: 1, default: 'me/thing' },
      kind: { type: 'string', oneOf: TITLES },
      sure: { type: 'boolean', default: false },
    },
    required: ['repo'],
  };
}

/** The schema in the words of 2025-06-18, whoever wrote it (ELI-04, ELI-05, ELI-07). */
const SCHEMA_OF_2025_06_18 = schemaOf('2025-06-18');

export function formFor(cell: Cell, server: string, mark: string): Asked {
  const requestedSchema = schemaOf(cell.upstream);
  const mode = cell.upstream === '2025-06-18' ? {} : { mode: 'form' };
  const message = `Which repository? [${mark}]`;
  const old = cell.host === '2025-06-18';
  return {
    mark,
    params: JSON.stringify({ ...mode, message, requestedSchema }),
    shown: {
      ...(old ? {} : mode),
      message: `${server} (via mcpx) asks: ${message}`,
      requestedSchema: old ? SCHEMA_OF_2025_06_18 : requestedSchema,
    },
    answer: JSON.stringify({ action: 'accept', content: { repo: `me/${mark}`, kind: 'priv', sure: true } }),
  };
}

export function urlFor(cell: Cell, server: string, mark: string): Asked {
  const message = `Link the account [${mark}]`;
  const url = `https://mcp.example.com/connect?mark=${mark}&x=1`;
  // 2026-07-28 took the id away; an entry of a -32042 has one, whoever sends it.
  const id = cell.upstream === '2026-07-28' && cell.kind === 'url' ? {} : { elicitationId: `u-${mark}` };
  return {
    mark,
    params: JSON.stringify({ mode: 'url', ...id, url, message }),
    shown: { mode: 'url', url, message: `${server} (via mcpx) asks: ${message}` },
    answer: '{"action":"accept"}',
  };
}

/** A -32042 that names these questions, in a spelling that no printer would give it. */
export function requiring(asked: readonly Asked[]): string {
  const entries = asked.map(({ params }) => params).join(', ');
  return `{"message":"More info needed", "code":-32042,"data":{"x":1.0,"elicitations":[${entries}]}}`;
}
