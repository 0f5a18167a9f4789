// Drafts outlive the inbox: kept privately until the question is over, never of secrets, and nothing on the disk breaks it.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Drafts } from '../../src/broker/drafts.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import type { Asked } from './fake-source.ts';
import { type FakeTui, fakeTui } from './fake-tui.ts';

const ID = 'elc-0000000000000001';
const asked = (properties: object): Asked => ({ schema: { properties } });
const HOSTILE = JSON.parse('{"__proto__":{"type":"string"},"count":{"type":"integer"}}') as object;

async function ended(tui: FakeTui): Promise<void> {
  tui.stop();
  await tui.done;
}

test('what was typed is there in the next run, private on the disk, and gone with the question', async () => {
  const dir = testScope().dir();
  const file = join(dir, 'drafts', `${ID}.json`);
  const first = await fakeTui({ asked: [asked(HOSTILE)], drafts: new Drafts(dir) });
  await first.press('enter');
  await first.type('mine');
  await first.press('tab', '1', 'x');
  await until('the file', () => existsSync(file) && readFileSync(file, 'utf8').includes('1x'));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await ended(first);
  const next = await fakeTui({ asked: [asked(HOSTILE)], drafts: new Drafts(dir) });
  expect(next.vt.text).toContain('(draft)');
  await next.press('enter');
  expect(next.vt.text).toContain('│ mine');
  expect(next.vt.text).toContain('! needs a whole number');
  next.source.end(ID, 'expired');
  await until('the file to go', () => !existsSync(file));
});

test('nothing typed for a secret is written, and leaving says so', async () => {
  const dir = testScope().dir();
  const secret = { ...asked({ password: { type: 'string' }, note: { type: 'string' } }), sensitive: true };
  const tui = await fakeTui({ asked: [secret], drafts: new Drafts(dir) });
  expect(tui.vt.text).toContain('form, secret');
  await tui.press('enter');
  await tui.type('hunter2');
  await tui.press('tab');
  await tui.type('a note');
  const file = join(dir, 'drafts', `${ID}.json`);
  await until('the file', () => existsSync(file) && readFileSync(file, 'utf8').includes('a note'));
  expect(readFileSync(file, 'utf8')).not.toContain('hunter2');
  await tui.press('esc', 'q');
  expect(tui.vt.text).toContain('What you entered for a secret is not kept');
});

test.each([
  ['no JSON', '{"version":1'],
  ['another schema', '{"version":1,"schema":"0","values":[["repo","\\"x\\""]],"texts":[]}'],
  ['null', 'null'],
])('a file that is %s is ignored and replaced', async (_name, text) => {
  const dir = testScope().dir();
  mkdirSync(join(dir, 'drafts'));
  const file = join(dir, 'drafts', `${ID}.json`);
  writeFileSync(file, text);
  writeFileSync(join(dir, 'drafts', 'elc-0000000000000009.json'), text);
  const tui = await fakeTui({ asked: [asked({ repo: { type: 'string' } })], drafts: new Drafts(dir) });
  await tui.press('enter');
  expect(tui.vt.text).not.toContain('│ x');
  await tui.type('mine');
  await until('the file', () => existsSync(file) && readFileSync(file, 'utf8').includes('mine'));
  expect(readdirSync(join(dir, 'drafts'))).toEqual([`${ID}.json`]);
});

test('a default that was taken away stays away in the next run, also where it had to be tried', async () => {
  const dir = testScope().dir();
  const doubtful = asked({
    it: { type: 'string', pattern: '^x+$', default: 'xx' },
    note: { type: 'string' },
  });
  const first = await fakeTui({ asked: [doubtful], drafts: new Drafts(dir) });
  await first.press('enter');
  await first.see('│ xx');
  await first.press('ctrl+u');
  const file = join(dir, 'drafts', `${ID}.json`);
  await until('the file', () => existsSync(file) && readFileSync(file, 'utf8').includes('"values":[]'));
  await ended(first);
  const next = await fakeTui({ asked: [doubtful], drafts: new Drafts(dir) });
  await next.press('enter', 'tab');
  await until('the defaults', () => next.state().questions.get(ID)?.initial.has('it'));
  expect(next.state().questions.get(ID)).toMatchObject({ touched: true, draft: new Map() });
  await next.press('enter');
  expect(next.vt.text).toContain('it    (not sent)');
  expect(next.vt.text).toContain('❯ [Go back]');
  expect(existsSync(file)).toBe(true);
});
