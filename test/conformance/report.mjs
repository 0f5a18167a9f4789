// What a leg came to: one line, and every reason why it is not good enough.

const SUCCESS = new Set(['SUCCESS']);
export const BAD = new Set(['FAILURE', 'WARNING']);
const count = (scenarios, states) =>
  [...scenarios.values()].flat().filter(({ status }) => states.has(status)).length;

/** Keeps the lines and the faults of all legs. */
export class Report {
  faults = [];

  /**
   * Takes the outcome of one leg. `expected`: how many scenarios there are, and how many checks pass at least. `scored`: the
   * same for the scenarios with these `names`. `alone`: the outcome without mcpx, all of which has to pass here. `excused`:
   * checks, as "scenario: check", that cannot pass; one that does is a fault. `faults`: what went wrong beside the checks.
   */
  leg(name, { scenarios, expected, scored, alone = new Map(), excused = [], faults = [], notes = [] }) {
    const gone = missing(alone, scenarios);
    const forgiven = gone.filter((one) => excused.includes(one));
    const bad = [...scenarios].flatMap(([scenario, checks]) =>
      checks
        .filter(({ id, status }) => BAD.has(status) && !excused.includes(`${scenario}: ${id}`))
        .map(({ id, status, errorMessage }) => `${scenario}: ${id}: ${status}: ${errorMessage}`),
    );
    const figures = [
      `${count(scenarios, SUCCESS)} passed`,
      `${bad.length} failed`,
      `${scenarios.size} of ${expected.scenarios} scenarios`,
    ];
    const wrong = [
      ...faults,
      ...short(scenarios, expected, forgiven.length),
      ...gone.filter((one) => !excused.includes(one)).map((one) => `${one}: passes on the fixture alone`),
      ...excused.filter((one) => !gone.includes(one)).map((one) => `${one}: passes; take it off the list`),
      ...bad,
    ];
    if (scored) {
      const counted = new Map([...scenarios].filter(([scenario]) => scored.names.includes(scenario)));
      const of = forgiven.filter((one) => scored.names.includes(one.slice(0, one.indexOf(':'))));
      figures.push(
        `scored ${count(counted, SUCCESS)} passed, ${counted.size} of ${scored.scenarios} scenarios`,
      );
      wrong.push(...short(counted, scored, of.length).map((one) => `scored: ${one}`));
    }
    if (excused.length > 0) figures.push(`${excused.length} cannot pass`);
    console.log(`${name.padEnd(67)} ${[...figures, ...notes].join(', ')}`);
    this.faults.push(...wrong.map((one) => `${name}: ${one}`));
  }
}

function short(scenarios, expected, forgiven) {
  const checks = expected.checks - forgiven;
  return scenarios.size === expected.scenarios && count(scenarios, SUCCESS) >= checks
    ? []
    : [`expected ${checks} passed checks in ${expected.scenarios} scenarios`];
}

/** Passed checks of `alone` that are not among those of `through`, as "scenario: check"; each as often as it is missing. */
function missing(alone, through) {
  const gone = [];
  for (const [scenario, checks] of alone) {
    const left = passedIds(through.get(scenario) ?? []);
    for (const id of passedIds(checks)) {
      const found = left.indexOf(id);
      if (found === -1) gone.push(`${scenario}: ${id}`);
      else left.splice(found, 1);
    }
  }
  return gone;
}

const passedIds = (checks) => checks.filter(({ status }) => SUCCESS.has(status)).map(({ id }) => id);
