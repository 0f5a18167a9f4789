// What is run, how much of it there has to be, and what cannot pass. Figures are those of a good server and client alone.

/** Server scenarios: once on the fixture alone, then through mcpx with the fixture over each transport. */
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
];

/** How the driver of the client scenarios is run (fixtures/conformance/client.mjs). */
export const CLIENT_WAYS = [
  { name: 'host over stdio', flags: [] },
  { name: 'host over HTTP, answered by mcpx elicit', flags: ['--http', '--broker'] },
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
    reason: 'the server cuts its stream to mcpx, which resumes it; the stream to the host is never cut',
  },
];

/** Scenarios that measure time too finely for a busy machine: good if good in one of a few tries. */
export const TIMED = [
  {
    scenario: 'sse-retry',
    tries: 3,
    reason: 'a client has to be back within 200 ms of the time it was told',
  },
];
