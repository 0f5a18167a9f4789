#!/usr/bin/env node
// Runs the official conformance suite on the fixture alone, on mcpx in front of it, and on mcpx as the client of the suite's
// own servers. One line a leg; exit 1 when anything failed or is missing. What passes on the fixture alone has to pass
// through mcpx. `npm run conformance -- --only TEXT` runs the legs with that in their name.
import { CLIENT_LEGS, CLIENT_WAYS, EXCEPTIONS, LEFT_OUT, SERVER_LEGS, SERVER_WAYS, TIMED } from './legs.mjs';
import { BAD, Report } from './report.mjs';
import { DRIVER, newFolder, startMcpx, startUpstream, stdioUpstream } from './servers.mjs';
import { conformance, listed, nodeForSuite, required } from './suite.mjs';

const only = process.argv[2] === '--only' ? process.argv[3] : '';
const report = new Report();

const fits = ({ revisions }, revision) => revisions === undefined || revisions.includes(revision);

/** The scenarios of a server; those that measure time once more where they went wrong. */
async function runOn(node, url, revision, selects, excused = []) {
  const { scenarios } = await conformance(node, ['server', '--url', url, ...selects], newFolder());
  for (const { scenario, tries } of TIMED) {
    for (let count = 1; count < tries && failed(scenario, scenarios, excused); count += 1) {
      const alone = ['server', '--url', url, '--scenario', scenario, '--spec-version', revision];
      for (const entry of (await conformance(node, alone, newFolder())).scenarios) scenarios.set(...entry);
    }
  }
  return scenarios;
}

const failed = (scenario, scenarios, excused) =>
  scenarios
    .get(scenario)
    ?.some(({ id, status }) => BAD.has(status) && !excused.includes(`${scenario}: ${id}`));

/** One revision on the fixture alone, then on mcpx with the fixture behind it in each way. */
async function serverLegs(node, { revision, selects, scenarios, checks, scored }) {
  const figures = {
    expected: { scenarios, checks },
    scored: scored && { ...scored, names: required('server', revision) },
  };
  const fixture = await startUpstream();
  const alone = await runOn(node, fixture.url, revision, selects);
  await fixture.stop();
  report.leg(`server ${revision}, the fixture alone`, { ...figures, scenarios: alone });
  for (const way of SERVER_WAYS.filter((one) => fits(one, revision))) {
    const upstream = way.http ? await startUpstream(...way.flags) : undefined;
    const mcpx = await startMcpx(upstream ? { url: upstream.url } : stdioUpstream(...way.flags));
    const excused = EXCEPTIONS.filter((one) => one.ways.includes(way.name) && fits(one, revision)).map(
      ({ scenario, check }) => `${scenario}: ${check}`,
    );
    report.leg(`server ${revision}, through mcpx, upstream ${way.name}`, {
      ...figures,
      scenarios: await runOn(node, mcpx.url, revision, selects, excused),
      alone,
      excused,
    });
    await mcpx.stop();
    await upstream?.stop();
  }
}

/** One revision with mcpx as the client: two scenarios at a time, and alone the ones that measure time. */
async function clientLeg(node, { revision, scenarios: wanted }, { name, flags }) {
  const offered = await listed(node, 'client', revision);
  const left = offered.filter((scenario) => LEFT_OUT.some((one) => one.scenario.test(scenario)));
  const faults = offered
    .filter((scenario) => !left.includes(scenario) && !Object.hasOwn(wanted, scenario))
    .map((scenario) => `${scenario}: the suite has it, and it is neither run nor left out`);
  const command = [process.execPath, DRIVER, ...flags].map((part) => `"${part}"`).join(' ');
  const scenarios = new Map();
  const play = async (scenario) => {
    const args = ['client', '--command', command, '--scenario', scenario, '--spec-version', revision];
    const tries = TIMED.find((one) => one.scenario === scenario)?.tries ?? 1;
    let outcome;
    for (let count = 0; count < tries && outcome?.code !== 0; count += 1)
      outcome = await conformance(node, args, newFolder());
    for (const entry of outcome.scenarios) scenarios.set(...entry);
    if (outcome.code !== 0)
      faults.push(`${scenario}: the suite ended with ${outcome.code}:\n${outcome.output.slice(-4000)}`);
  };
  const isTimed = (scenario) => TIMED.some((one) => one.scenario === scenario);
  const queue = Object.keys(wanted).filter((scenario) => !isTimed(scenario));
  const work = async () => {
    for (let scenario = queue.shift(); scenario; scenario = queue.shift()) await play(scenario);
  };
  await Promise.all([work(), work()]);
  for (const scenario of Object.keys(wanted).filter(isTimed)) await play(scenario);
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
    for (const leg of CLIENT_LEGS.filter(({ revision }) => fits(way, revision)))
      if (`client ${leg.revision}, ${way.name}`.includes(only)) await clientLeg(node, leg, way);
  for (const { scenario, check, ways, reason } of EXCEPTIONS)
    console.log(`cannot pass: ${scenario}: ${check} (upstream ${ways.join(' or ')}): ${reason}`);
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
