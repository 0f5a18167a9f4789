// C07: the four formats of the specification are enforced, unknown ones are no error.
import { expect, test } from 'vitest';
import { askedOf } from '../support/asking.ts';

const SCHEMA =
  '{"type":"object","properties":{"when":{"type":"string","format":"date-time"},"day":{"type":"string","format":"date"},"site":{"type":"string","format":"uri"},"mail":{"type":"string","format":"email"},"port":{"type":"integer","format":"int32"}},"required":["when"]}';
const WHEN = 'when=2030-01-26T00:18:49Z';

test('what does not fit is exit 8 and leaves the question; what fits is sent', async () => {
  const { elicit, answer, row } = await askedOf(SCHEMA, { exempt: ['/params/requestedSchema'] });
  const refused = [
    ['when=2030-01-26T00:18:49'],
    ['when=2030-01-26 00:18:49'],
    [WHEN, 'day=2030-02-30'],
    [WHEN, 'site=no uri'],
    [WHEN, 'mail=nobody'],
    [WHEN, 'port=1.5'],
  ];
  for (const fields of refused) {
    const done = await elicit('accept', ...fields.flatMap((field) => ['-F', field]));
    expect(done, fields.join(' ')).toMatchObject({ code: 8 });
  }
  expect((await row()).state).toBe('pending');
  const fields = [WHEN, 'day=2030-02-28', 'site=https://example.com/a', 'mail=ada@example.com', 'port=8080'];
  expect(await elicit('accept', ...fields.flatMap((field) => ['-F', field]))).toMatchObject({ code: 0 });
  expect(JSON.parse(await answer())).toEqual({
    action: 'accept',
    content: {
      when: '2030-01-26T00:18:49Z',
      day: '2030-02-28',
      site: 'https://example.com/a',
      mail: 'ada@example.com',
      port: 8080,
    },
  });
});
