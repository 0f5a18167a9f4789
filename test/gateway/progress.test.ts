import { describe, expect, it } from 'vitest';
import { Progress } from '../../src/gateway/calls/progress.ts';

function recorded(token = '"t"'): { progress: Progress; sent: unknown[] } {
  const sent: unknown[] = [];
  return { progress: new Progress(token, (params) => sent.push(JSON.parse(params))), sent };
}

describe('Progress', () => {
  it("gives the upstream's progress the host's own token, as it was written", () => {
    const { progress, sent } = recorded('7');
    progress.relay('{"progressToken":"cal-1","progress":1,"total":2,"message":"half"}');
    expect(sent).toEqual([{ progressToken: 7, progress: 1, total: 2, message: 'half' }]);
  });

  it('only grows: what is not above the highest value is dropped', () => {
    const { progress, sent } = recorded();
    for (const value of [1, 1, 0.5, 2, '"x"']) progress.relay(`{"progressToken":"c","progress":${value}}`);
    expect(sent).toMatchObject([{ progress: 1 }, { progress: 2 }]);
  });

  it('keeps alive in the next larger number, also far from zero', () => {
    for (const start of [undefined, 0, 3, -5, 1e15, 1e300]) {
      const { progress, sent } = recorded();
      if (start !== undefined) progress.relay(`{"progressToken":"c","progress":${start}}`);
      progress.keepAlive('waiting');
      progress.keepAlive('waiting');
      const values = (sent as { progress: number }[]).map((one) => one.progress);
      expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
      expect(values.every(Number.isFinite)).toBe(true);
    }
  });

  it("lets the upstream's next whole step through after keep-alives", () => {
    const { progress, sent } = recorded();
    progress.relay('{"progressToken":"c","progress":1}');
    for (let tick = 0; tick < 100; tick += 1) progress.keepAlive('waiting');
    progress.relay('{"progressToken":"c","progress":2}');
    expect(sent.at(-1)).toEqual({ progressToken: 't', progress: 2 });
  });
});
