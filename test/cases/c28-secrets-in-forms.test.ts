// C28, ELI-13: a secret that a server asks for in a form is warned of, masked, and stands nowhere after it was sent.
import { expect, test } from 'vitest';
import { answersOf, CAN_ASK, type Scene, scene } from '../support/scene.ts';
import { holding } from '../support/traces.ts';
import { until } from '../support/until.ts';

const schema =
  '{"type":"object","properties":{"apiKey":{"type":"string","description":"Your API key"},"password":{"type":"string"},"email":{"type":"string","format":"email"}},"required":["apiKey"]}';
const params = `{"message":"Sign in","requestedSchema":${schema}}`;
const NEEDLE = 'sk-test-123-e7d1';
const content = `{"apiKey":"${NEEDLE}"}`;
const accepted = `{"action":"accept","content":${content}}`;

/** Everything that mcpx says of its rows, by every way there is. */
async function everythingSaid({ gateway }: Scene, id: string): Promise<string> {
  const runs = await Promise.all(
    [
      ['elicit', 'show', id],
      ['elicit', 'show', id, '--json'],
      ['elicit', 'list', '--all'],
      ['elicit', 'list', '--all', '--json'],
      ['elicit', 'accept', id, '-F', 'apiKey=@-'],
      ['elicit', 'rules', 'test', id],
    ].map((args) => gateway.mcpx(args, { input: 'another' })),
  );
  return runs.map(({ stdout, stderr }) => stdout + stderr).join('\n') + gateway.process.stderr();
}

test('typed on the command line: warned of, delivered, and nowhere afterwards', async () => {
  const it = await scene();
  const { gateway, host, upstream } = it;
  const watch = gateway.start(['elicit', 'watch', '--json']);
  const call = host.startCall('ask', { params });
  const { id } = await it.row();
  await watch.line((line) => line.includes(id));

  const shown = await gateway.mcpx(['elicit', 'show', id]);
  expect(shown.stdout).toContain('Warning: this form seems to ask for a secret (apiKey, password)');
  expect((await gateway.mcpx(['elicit', 'list'])).stdout).toContain('form, secret');
  const sent = await gateway.mcpx(['elicit', 'accept', id, '--input', '-', '--json'], { input: content });
  expect(sent.code).toBe(0);
  expect(sent.stderr).toContain('Warning');
  expect(JSON.parse(sent.stdout)).toMatchObject({
    sensitive: true,
    state: 'accepted',
    deliveredAt: expect.any(String),
    answer: { action: 'accept', redacted: true, by: 'cli' },
  });
  expect(await answersOf(call.reply)).toEqual([accepted]);
  expect(upstream.journal().some(({ text }) => text.includes(NEEDLE))).toBe(true);

  await watch.line((line) => line.includes('"delivered"'));
  const said = (await everythingSaid(it, id)) + watch.stdout() + watch.stderr() + sent.stdout + sent.stderr;
  expect(said).not.toContain(NEEDLE);
  expect(said).toContain('"redacted":true');
  expect(holding(gateway.stateDir, NEEDLE)).toEqual([]);
});

test('typed in the host: the same', async () => {
  const it = await scene({ host: { capabilities: CAN_ASK, answer: () => ({ result: accepted }) } });
  expect((await it.host.ask({ params })).answers).toEqual([accepted]);
  const row = await it.rowIn('accepted');
  expect(row).toMatchObject({ answer: { action: 'accept', redacted: true, by: 'host' } });
  expect(await everythingSaid(it, row.id)).not.toContain(NEEDLE);
  expect(holding(it.gateway.stateDir, NEEDLE)).toEqual([]);
});

test('a gateway killed with the answer committed and not yet sent: nobody can read it, and it is erased', async () => {
  const it = await scene({ spawn: true, upstream: { transport: 'http' } });
  const { gateway, host, upstream } = it;
  host.startCall('ask', { params });
  const { id } = await it.row();
  gateway.process.child.kill('SIGSTOP');
  const sent = await gateway.mcpx(['elicit', 'accept', id, '--input', '-'], { input: content });
  expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining('has not taken it yet') });
  expect(holding(gateway.stateDir, NEEDLE)).toEqual([]);
  await gateway.process.stop('SIGKILL');
  expect(holding(gateway.stateDir, NEEDLE)).toEqual([]);
  expect(await gateway.row(id)).toMatchObject({ state: 'accepted', answer: { redacted: true } });
  expect((await gateway.row(id)).deliveredAt).toBeUndefined();
  expect(await everythingSaid(it, id)).not.toContain(NEEDLE);
  expect(upstream.journal().some(({ text }) => text.includes(NEEDLE))).toBe(false);
});

test('an answering command killed at any moment leaves it nowhere', async () => {
  const it = await scene({ spawn: true });
  const { gateway, host } = it;
  const call = host.startCall('ask', { params, count: 4 });
  const rows = await it.pending(4);
  for (const [index, { id }] of rows.entries()) {
    const command = gateway.start(['elicit', 'accept', id, '--input', '-']);
    command.child.stdin.end(content);
    if (index > 0)
      await until('the command to end or get far', async () => {
        const { state } = await gateway.row(id);
        return state !== 'pending' || command.child.exitCode !== null;
      });
    await command.stop('SIGKILL');
    expect(holding(gateway.stateDir, NEEDLE)).toEqual([]);
    expect(command.stdout() + command.stderr()).not.toContain(NEEDLE);
  }
  for (const { id } of await gateway.rows()) await gateway.mcpx(['elicit', 'decline', id]);
  for (const answer of await answersOf(call.reply))
    expect([accepted, '{"action":"decline"}']).toContain(answer);
  expect(holding(gateway.stateDir, NEEDLE)).toEqual([]);
}, 60_000);
