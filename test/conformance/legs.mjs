// What is run, how much of it there has to be, and what cannot pass. Figures are those of a good server and client alone.

/** Server scenarios: once on the fixture alone, then through mcpx with the fixture in each of these ways. */
export const SERVER_LEGS = [
  { revision: '2025-03-26', selects: ['--spec-version', '2025-03-26'], scenarios: 1, checks: 3 },
  { revision: '2025-06-18', selects: ['--spec-version', '2025-06-18'], scenarios: 27, checks: 56 },
  {
    revision: '2025-11-25',
    selects: ['--requirements', '2025-11-25'],
    scenarios: 33,
    checks: 84,
    scored: { scenarios: 30, checks: 70 },
  },
  {
    revision: '2026-07-28',
    selects: ['--suite', 'all', '--spec-version', '2026-07-28'],
    scenarios: 40,
    checks: 152,
    scored: { scenarios: 37, checks: 120 },
  },
];

/** How mcpx reaches the fixture; `flags` are the fixture's, `revisions` the ones this is of interest for. */
export const SERVER_WAYS = [
  { name: 'over HTTP', http: true, flags: [] },
  { name: 'over stdio', http: false, flags: [] },
  { name: 'over HTTP, at 2025-11-25', http: true, flags: ['--legacy'], revisions: ['2026-07-28'] },
];

/** Client scenarios and the checks of each. The suite has none for 2025-03-26 but those left out below. */
export const CLIENT_LEGS = [
  { revision: '2025-06-18', scenarios: { initialize: 1, tools_call: 2 } },
  {
    revision: '2025-11-25',
    scenarios: {
      initialize: 1,
      tools_call: 2,
      'elicitation-sep1034-client-defaults': 5,
      'sse-retry': 3,
      'json-schema-2020-12-preservation': 9,
    },
  },
  {
    revision: '2026-07-28',
    scenarios: {
      tools_call: 2,
      'request-metadata': 8,
      'sep-2322-client-request-state': 5,
      'http-standard-headers': 10,
      'http-custom-headers': 18,
      'http-invalid-tool-headers': 12,
      'json-schema-ref-no-deref': 1,
      'json-schema-2020-12-preservation': 9,
    },
  },
];

const LEGACY = ['2025-06-18', '2025-11-25'];

/** How the driver of the client scenarios is run (fixtures/conformance/client.mjs), and for which revisions. */
export const CLIENT_WAYS = [
  { name: 'host over stdio', flags: [], revisions: LEGACY },
  { name: 'host over HTTP, answered by mcpx elicit', flags: ['--http', '--broker'], revisions: LEGACY },
  { name: 'host over HTTP', flags: ['--http'], revisions: ['2026-07-28'] },
  { name: 'host over stdio, at 2025-11-25', flags: ['--legacy'], revisions: ['2026-07-28'] },
];

/** Scenarios that are not run. */
export const LEFT_OUT = [
  {
    scenario: /^auth\//,
    reason: 'mcpx does not log in at servers; it sends the headers that it is configured with',
  },
];

/** Checks that pass on the fixture alone and cannot pass through mcpx; one that does pass is a failure of this list. */
export const EXCEPTIONS = [
  {
    scenario: 'server-sse-polling',
    check: 'server-sse-disconnect-resume',
    ways: ['over HTTP', 'over stdio'],
    revisions: ['2025-11-25'],
    reason: 'the server cuts its stream to mcpx, which resumes it; the stream to the host is never cut',
  },
  ...['sep-2322-elicitation-incomplete', 'sep-2322-elicitation-complete'].map((check) => ({
    scenario: 'input-required-result-basic-elicitation',
    check,
    ways: ['over HTTP, at 2025-11-25'],
    reason: 'wants the key "user_name"; servers of 2025-11-25 give their questions no keys',
  })),
  {
    scenario: 'input-required-result-ignore-extra-params',
    check: 'sep-2322-ignore-unexpected-params',
    ways: ['over HTTP, at 2025-11-25'],
    reason: 'brings the answer without having been asked; servers of 2025-11-25 cannot be told unasked',
  },
  ...['sep-2575-server-rejects-undeclared-capability', 'sep-2575-missing-capability-http-400'].map(
    (check) => ({
      scenario: 'server-stateless',
      check,
      ways: ['over HTTP, at 2025-11-25'],
      reason: 'servers of 2025-11-25 have no error that names the capability they lack',
    }),
  ),
];

/** Scenarios that measure time too finely for a busy machine: good if good in one of a few tries. */
export const TIMED = [
  {
    scenario: 'sse-retry',
    tries: 3,
    reason: 'a client has to be back within 200 ms of the time it was told',
  },
  {
    scenario: 'server-stateless',
    tries: 3,
    reason: 'a stream has to begin within 1 s, a server be started for it',
  },
];
