// The types of report.mjs, for its test.
interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}
type Scenarios = ReadonlyMap<string, readonly Check[]>;

export declare class Report {
  readonly faults: string[];
  leg(
    name: string,
    outcome: {
      scenarios: Scenarios;
      expected: { scenarios: number; checks: number };
      scored?: { names: readonly string[]; scenarios: number; checks: number };
      alone?: Scenarios;
      excused?: readonly string[];
      faults?: string[];
      notes?: string[];
    },
  ): void;
}
