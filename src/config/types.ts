// The effective settings, as every other module receives them (docs/configuration.md).
import type { Rule } from '../broker/rules.ts';
import type { Audience } from '../broker/types.ts';
import type { Secret } from '../text/redact.ts';

export type ServerConfig = {
  readonly name: string;
  /** Which revisions are spoken to it: those that the host's call prefers, or those of one era only. */
  readonly era: 'follow' | 'legacy' | 'modern';
  /** `undefined` leaves it to the transport's default. */
  readonly isolation: 'session' | 'shared' | undefined;
  /** Milliseconds. */
  readonly callTimeout: number;
  readonly disabled: boolean;
  /** What of `headers` and `env` must not come back out of mcpx. */
  readonly secrets?: readonly Secret[];
} & (
  | {
      readonly transport: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string;
    }
  | { readonly transport: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
);

/** Numbers of docs/broker.md, "Limits"; bytes or counts. */
export interface Limits {
  readonly messageBytes: number;
  readonly schemaBytes: number;
  readonly properties: number;
  readonly options: number;
  readonly answerBytes: number;
  readonly frameBytes: number;
  readonly openPerServer: number;
  readonly newPerMinute: number;
  /** Of one `input_required` or -32042, and of one call that its host is asked at once. */
  readonly questionsPerRound: number;
  readonly parkedCalls: number;
  readonly channels: number;
  readonly sessions: number;
}

/** Who may use `/mcp`: a principal and the SHA-256 of its bearer token, in lower-case hex. */
export interface TokenConfig {
  readonly name: string;
  readonly sha256: string;
}

/** All durations are milliseconds. */
export interface Settings {
  readonly servers: readonly ServerConfig[];
  readonly elicit: {
    readonly ttl: number;
    readonly urlWait: number;
    readonly unattended: 'wait' | 'cancel';
    readonly audience: 'all' | Extract<Audience, 'host'>;
    readonly sensitive: 'seal' | 'decline';
    readonly keep: number;
    /** In the order in which they are tried; `content` is filled in JSON text. */
    readonly rules: readonly Rule[];
  };
  readonly serve: {
    readonly port: number;
    readonly host: string;
    readonly naming: 'auto' | 'plain' | 'prefix';
    readonly callTimeout: number;
    readonly callCeiling: number;
    readonly allowedHosts: readonly string[];
    readonly allowedOrigins: readonly string[];
    readonly auth: { readonly tokens: readonly TokenConfig[] };
  };
  readonly limits: Limits;
  readonly stateDir: string;
}

/** Where a value came from; a flag wins over the environment, that over the file, that over the default. */
export interface Source {
  readonly from: 'flag' | 'environment' | 'config' | 'default';
  /** `--port`, `MCPX_PORT`, `/home/me/mcpx.json:12`; absent for a default. */
  readonly at?: string;
}

/** One effective value as `mcpx config` shows it: the text that was written, so never a filled-in secret. */
export interface Shown {
  /** Path of the key: `serve.port`, `mcpServers.github.args`. */
  readonly key: string;
  readonly value: unknown;
  readonly source: Source;
}

/** What `loadSettings` gives. */
export interface Loaded {
  readonly settings: Settings;
  /** The file that was read, absolute. */
  readonly file: string | undefined;
  readonly shown: readonly Shown[];
}
