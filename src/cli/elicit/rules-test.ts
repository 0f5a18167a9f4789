// `mcpx elicit rules test`: which rule of the configuration would decide a question, and why the others would not.
import { judgeRules, type RuleAction, type RuleVerdict } from '../../broker/rules.ts';
import { withChecks } from '../../checks/open.ts';
import { loadSettings } from '../../config/load.ts';
import { oneLine } from '../../terminal/one-line.ts';
import type { Io } from '../io.ts';
import { findRow, withBroker } from './broker.ts';
import { tableLines } from './table.ts';

/** Changes nothing; the question may be open or over. */
export async function testRules(io: Io, id: string): Promise<void> {
  const { settings } = loadSettings({ ...io, flags: io.globals, fileOptional: true });
  const row = await withBroker(io, (broker) => findRow(broker, id));
  const verdicts = await withChecks((checks) => judgeRules(settings.elicit, row, checks));
  const fires = verdicts.find(({ result }) => result === 'fires');
  if (io.globals.json) {
    const rules = verdicts.map(({ name, action, result, why }) => ({ name, do: action.do, result, why }));
    return io.printJson(JSON.stringify({ id: row.id, fires: fires?.name ?? null, rules }));
  }
  if (io.globals.quiet) return fires === undefined ? undefined : io.printLine(oneLine(fires.name));
  if (verdicts.length === 0)
    return io.note('There are no rules: elicit.rules in mcpx.json is empty, and people are asked.');
  const lines = tableLines(
    ['RULE', 'WOULD', 'RESULT', 'WHY'],
    verdicts.map(({ name, action, result, why }) => [
      oneLine(name),
      actionWords(action),
      RESULTS[result],
      oneLine(why),
    ]),
  );
  await io.printLine([io.style.bold(lines[0] ?? ''), ...lines.slice(1)].join('\n'));
  await io.note(`\n${conclusion(verdicts, row.id)}`);
}

const RESULTS: Readonly<Record<RuleVerdict['result'], string>> = {
  fires: 'fires',
  void: 'does not answer',
  'no-match': 'no match',
  'not-reached': 'not reached',
};

function actionWords(action: RuleAction): string {
  return action.do === 'ask' ? `ask ${action.audience}` : action.do;
}

function conclusion(verdicts: readonly RuleVerdict[], id: string): string {
  const decides = verdicts.find(({ result }) => result === 'fires' || result === 'void');
  if (decides === undefined) return `No rule matches ${id}: the host and people are asked.`;
  const name = oneLine(decides.name);
  if (decides.undecided)
    return `It could not be decided in time whether the rule ${name} matches ${id}: the host and people are asked.`;
  if (decides.result === 'void')
    return `The rule ${name} matches ${id} and does not answer it: the host and people are asked.`;
  return `The rule ${name} decides ${id}.`;
}
