// C41: there is no setting that opens URLs, or consents to one, by itself.
import { expect, test } from 'vitest';
import { DEFAULTS } from '../../src/config/layers.ts';
import { install } from '../support/gateway.ts';
import { testScope } from '../support/scope.ts';

test('no setting speaks of opening, browsers or consent', () => {
  const keys = Object.entries(DEFAULTS).flatMap(([section, values]) =>
    Object.keys(values).map((key) => `${section}.${key}`),
  );
  expect(keys.filter((key) => /open(?!PerServer)|browser|launch|consent|yes/i.test(key))).toEqual([]);
});

test.each(['open', 'openUrls', 'autoOpen', 'browser', 'autoAccept'])(
  'elicit.%s is an unknown key',
  async (key) => {
    const { mcpx } = install(testScope(), {
      servers: { one: { command: 'true' } },
      config: { elicit: { [key]: true } },
    });
    expect(await mcpx(['config'])).toMatchObject({ code: 2 });
  },
);
