// What a leg came to: one line, and every reason why it is not good enough.

const SUCCESS = new Set(['SUCCESS']);
const BAD = new Set(['FAILURE', 'WARNING']);
const count = (scenarios, states) =>
  [...scenarios.values()].flat().filter(({ status }) => states.has(status)).length;

/** Keeps the lines and the faults of all legs. */
export class Report {
  faults = [];

  /**
   * Takes the outcome of one leg. `expected` is the number of scenarios and of passed checks there have to be, `scored` the
   * names that count where not all do, `faults` what went wrong beside the checks, `notes` go to the end of the line.
   */
  leg(name, { scenarios, expected, scored, faults = [], notes = [] }) {
    const passed = count(scenarios, SUCCESS);
    const figures = [
      `${passed} passed`,
      `${count(scenarios, BAD)} failed`,
      `${scenarios.size} of ${expected.scenarios} scenarios`,
    ];
    if (scored) {
      const counted = new Map([...scenarios].filter(([scenario]) => scored.names.includes(scenario)));
      figures.push(
        `scored ${count(counted, SUCCESS)} passed, ${counted.size} of ${scored.scenarios} scenarios`,
      );
      if (counted.size !== scored.scenarios || count(counted, SUCCESS) !== scored.checks)
        faults.push(`scored: expected ${scored.checks} passed checks in ${scored.scenarios} scenarios`);
    }
    console.log(`${name.padEnd(64)} ${[...figures, ...notes].join(', ')}`);
    if (scenarios.size !== expected.scenarios || passed !== expected.checks)
      faults.push(`expected ${expected.checks} passed checks in ${expected.scenarios} scenarios`);
    for (const [scenario, checks] of scenarios)
      for (const { id, status, errorMessage } of checks)
        if (BAD.has(status)) faults.push(`${scenario}: ${id}: ${status}: ${errorMessage}`);
    this.faults.push(...faults.map((fault) => `${name}: ${fault}`));
  }
}

/** Passed checks of `alone` that are not among those of `through`, as "scenario: check"; each as often as it is missing. */
export function missing(alone, through) {
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
