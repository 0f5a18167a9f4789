#!/usr/bin/env node
// Runs the official conformance suite on the fixture alone, on mcpx in front of it, and on mcpx as the client of the suite's
// own servers. One line a leg; exit 1 when anything failed or is missing. What passes on the fixture alone has to pass
// through mcpx. `npm run conformance -- --only TEXT` runs the legs with that in their name.
import { CLIENT_LEGS, CLIENT_WAYS, EXCEPTIONS, LEFT_OUT, SERVER_LEGS, TIMED } from './legs.mjs';
import { missing, Report } from './report.mjs';
import { DRIVER, newFolder, STDIO_UPSTREAM, startMcpx, startUpstream } from './servers.mjs';
import { conformance, listed, nodeForSuite, required } from './suite.mjs';

const only = process.argv[2] === '--only' ? process.argv[3] : '';
const report = new Report();

/** One revision on the fixture alone, then on mcpx with the fixture over HTTP and over stdio. */
async function serverLegs(node, { revision, selects, scenarios, checks, scored }) {
  const runOn = async (url) => conformance(node, ['server', '--url', url, ...selects], newFolder());
  const names = scored && { ...scored, names: required('server', revision) };
  const upstream = await startUpstream();
  const alone = (await runOn(upstream.url)).scenarios;
  report.leg(`server ${revision}, the fixture alone`, {
    scenarios: alone,
    expected: { scenarios, checks },
    scored: names,
  });
  const excused = EXCEPTIONS.filter(({ scenario }) => alone.has(scenario));
  for (const [way, server] of [
    ['over HTTP', { url: upstream.url }],
    ['over stdio', STDIO_UPSTREAM],
  ]) {
    const mcpx = await startMcpx(server);
    const through = (await runOn(mcpx.url)).scenarios;
    await mcpx.stop();
    const gone = missing(alone, through);
    const known = excused.map(({ scenario, check }) => `${scenario}: ${check}`);
    report.leg(`server ${revision}, through mcpx, upstream ${way}`, {
      scenarios: through,
      expected: { scenarios, checks: checks - known.length },
      scored: names,
      faults: [
        ...gone.filter((one) => !known.includes(one)).map((one) => `${one}: passes on the fixture alone`),
        ...known.filter((one) => !gone.includes(one)).map((one) => `${one}: passes; take it off the list`),
      ],
      notes: known.length > 0 ? [`${known.length} cannot pass`] : [],
    });
  }
  await upstream.stop();
}

/** One revision with mcpx as the client, one scenario after the other: some measure time. */
async function clientLeg(node, { revision, scenarios: wanted }, { name, flags }) {
  const offered = await listed(node, 'client', revision);
  const left = offered.filter((scenario) => LEFT_OUT.some((one) => one.scenario.test(scenario)));
  const faults = offered
    .filter((scenario) => !left.includes(scenario) && !Object.hasOwn(wanted, scenario))
    .map((scenario) => `${scenario}: the suite has it, and it is neither run nor left out`);
  const command = [process.execPath, DRIVER, ...flags].map((part) => `"${part}"`).join(' ');
  const scenarios = new Map();
  for (const scenario of Object.keys(wanted)) {
    const args = ['client', '--command', command, '--scenario', scenario, '--spec-version', revision];
    const tries = TIMED.find((one) => one.scenario === scenario)?.tries ?? 1;
    let outcome;
    for (let count = 0; count < tries && outcome?.code !== 0; count += 1)
      outcome = await conformance(node, args, newFolder());
    for (const entry of outcome.scenarios) scenarios.set(...entry);
    if (outcome.code !== 0)
      faults.push(`${scenario}: the suite ended with ${outcome.code}:\n${outcome.output.slice(-4000)}`);
  }
  const checks = Object.values(wanted).reduce((sum, count) => sum + count, 0);
  report.leg(`client ${revision}, ${name}`, {
    scenarios,
    expected: { scenarios: Object.keys(wanted).length, checks },
    faults,
    notes: left.length > 0 ? [`${left.length} left out`] : [],
  });
}

async function main() {
  const node = await nodeForSuite();
  const start = Date.now();
  for (const leg of SERVER_LEGS) if (`server ${leg.revision}`.includes(only)) await serverLegs(node, leg);
  for (const way of CLIENT_WAYS)
    for (const leg of CLIENT_LEGS)
      if (`client ${leg.revision}, ${way.name}`.includes(only)) await clientLeg(node, leg, way);
  for (const { check, reason } of EXCEPTIONS) console.log(`cannot pass: ${check}: ${reason}`);
  for (const { scenario, reason } of LEFT_OUT) console.log(`left out: ${scenario.source}: ${reason}`);
  for (const fault of report.faults) console.error(`conformance: ${fault}`);
  console.log(
    `${report.faults.length === 0 ? 'conformant' : 'not conformant'}, in ${Math.round((Date.now() - start) / 1000)} s`,
  );
  return report.faults.length === 0 ? 0 : 1;
}

process.exit(
  await main().catch((error) => {
    console.error(`conformance: ${error.message}`);
    return 1;
  }),
);
