// The settings that hold where nobody says otherwise, written as in the file (docs/configuration.md).

export const DEFAULTS = {
  elicit: {
    ttl: '10m',
    urlWait: '5m',
    unattended: 'wait',
    audience: 'all',
    sensitive: 'seal',
    keep: '30d',
    rules: [],
  },
  serve: {
    port: 7331,
    host: '127.0.0.1',
    naming: 'auto',
    callTimeout: '120s',
    callCeiling: '1h',
    allowedHosts: [],
    allowedOrigins: [],
    auth: { tokens: [] },
  },
  limits: {
    messageBytes: 65_536,
    schemaBytes: 262_144,
    properties: 500,
    options: 2_000,
    answerBytes: 262_144,
    frameBytes: 16_777_216,
    openPerServer: 200,
    newPerMinute: 600,
    questionsPerRound: 64,
    parkedCalls: 1_000,
    channels: 32,
    sessions: 1_000,
  },
} as const;

export type Section = keyof typeof DEFAULTS;
export const SECTIONS: readonly Section[] = ['elicit', 'serve', 'limits'];
