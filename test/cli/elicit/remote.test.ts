// Every `mcpx elicit` command once more, against a gateway far away (`MCPX_URL`): the same tests, word for word.
import { describe } from 'vitest';
import { where } from './where.ts';

where.remote = true;

describe('list', async () => void (await import('./list.test.ts')));
describe('show', async () => void (await import('./show.test.ts')));
describe('accept', async () => void (await import('./accept.test.ts')));
describe('accept a URL', async () => void (await import('./accept-url.test.ts')));
describe('answer', async () => void (await import('./answer.test.ts')));
describe('drafts', async () => void (await import('./kept-entry.test.ts')));
describe('answer a URL', async () => void (await import('./answer-url.test.ts')));
describe('decline and cancel', async () => void (await import('./refuse.test.ts')));
describe('watch and wait', async () => void (await import('./watch.test.ts')));
describe('as processes', async () => void (await import('./spawned.test.ts')));
