// `requestState`: what mcpx hands a stateless host to bring back, encrypted and authenticated (AES-256-GCM).
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { McpxError } from '../../errors.ts';
import { canonical, member, withoutMembers } from '../../protocol/json-text.ts';
import type { JsonText } from '../../protocol/types.ts';

/** The first byte of every state; another number is another format. */
const VERSION = 1;
const NONCE = 12;
const TAG = 16;

/** Why a state was refused, in the one word that stands in the error (docs/relay.md, "requestState"). */
export type Refusal = 'expired' | 'tampered' | 'mismatch' | 'unknown';

/** What binds a state to the request it was given for. */
export interface Binding {
  readonly method: string;
  /** `salientDigest` of the request's params. */
  readonly digest: string;
  readonly principal: string;
}

/** One question of a sealed round. */
export interface SealedQuestion {
  /** The upstream's own key. */
  readonly key: string;
  readonly row: string | undefined;
  /** What the host was asked, to ask it again; absent for a question that the broker keeps. */
  readonly asked: { readonly method: string; readonly params: JsonText | undefined } | undefined;
  /** Absent for what is no elicitation. */
  readonly mode: 'form' | 'url' | undefined;
}

/** What a state says beside its binding. */
export type Sealed =
  /** A live call of this process to a legacy upstream. */
  | { readonly kind: 'parked'; readonly call: string }
  /** A round of a modern upstream: everything needed to go on, anywhere. */
  | {
      readonly kind: 'round';
      readonly server: string;
      /** Digest of the server's configuration: a state must not reach another server of the same name. */
      readonly config: string;
      readonly call: string;
      /** The upstream's own requestState. */
      readonly state: string | undefined;
      readonly questions: readonly SealedQuestion[];
      /** Answers so far, by key: the text of each response object. */
      readonly answers: readonly (readonly [key: string, response: JsonText])[];
    };

interface SealedText extends Binding {
  readonly sealed: Sealed;
  readonly round: number;
  /** Milliseconds since the epoch: other processes have nothing else to go by. */
  readonly expires: number;
  /** Who sealed it, and until when it is good by the monotonic clock of that process. */
  readonly by?: string;
  readonly until?: number;
}

/** Seals with the first key, opens with any. Keys are 32 bytes. */
export class Sealer {
  readonly #keys: readonly Buffer[];
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #self = randomBytes(8).toString('hex');

  constructor(keys: readonly Buffer[], clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /** `ttl` in milliseconds from now. */
  seal(binding: Binding, sealed: Sealed, round: number, ttl: number): string {
    const [key] = this.#keys;
    const envelope: SealedText = {
      ...binding,
      sealed,
      round,
      expires: this.#clock.now() + ttl,
      by: this.#self,
      until: this.#clock.monotonic() + ttl,
    };
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv('aes-256-gcm', key ?? Buffer.alloc(0), nonce);
    const head = Buffer.from([VERSION]);
    cipher.setAAD(head);
    const body = Buffer.concat([cipher.update(JSON.stringify(envelope), 'utf8'), cipher.final()]);
    return Buffer.concat([head, nonce, body, cipher.getAuthTag()]).toString('base64url');
  }

  /** The content of a state that was sealed for this very request and is still good; else why not. */
  open(state: string, binding: Binding): { readonly sealed: Sealed; readonly round: number } | Refusal {
    const envelope = this.#decrypt(state);
    if (!envelope) return 'tampered';
    const same =
      envelope.method === binding.method &&
      envelope.digest === binding.digest &&
      envelope.principal === binding.principal;
    if (!same) return 'mismatch';
    if (this.#isOver(envelope)) return 'expired';
    return { sealed: envelope.sealed, round: envelope.round };
  }

  /** A state of this process is good for what is left of it, however the wall clock jumps meanwhile (C49). */
  #isOver({ by, until, expires }: SealedText): boolean {
    if (by === this.#self && until !== undefined) return until <= this.#clock.monotonic();
    return expires <= this.#clock.now();
  }

  #decrypt(state: string): SealedText | undefined {
    // Node's decoder skips what is no base64url; such a state is not one of ours.
    if (!/^[A-Za-z0-9_-]+$/.test(state)) return undefined;
    const bytes = Buffer.from(state, 'base64url');
    if (bytes.toString('base64url') !== state) return undefined;
    if (bytes.length < 1 + NONCE + TAG || bytes[0] !== VERSION) return undefined;
    for (const key of this.#keys) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + NONCE), {
          authTagLength: TAG,
        });
        decipher.setAAD(bytes.subarray(0, 1));
        decipher.setAuthTag(bytes.subarray(-TAG));
        const body = [decipher.update(bytes.subarray(1 + NONCE, -TAG)), decipher.final()];
        return JSON.parse(Buffer.concat(body).toString('utf8')) as SealedText;
      } catch {
        // Another key may fit.
      }
    }
    return undefined;
  }
}

/**
 * The keys of `MCPX_STATE_KEY` or of the file at `path`: hexadecimal, the first seals, all open. McpxError `config`
 * where they are none, which names the file.
 */
export function readKeys(text: string, path?: string): Buffer[] {
  const keys = text.split(',').map((part) => part.trim());
  if (keys.every((hex) => /^[0-9a-fA-F]{64}$/.test(hex))) return keys.map((hex) => Buffer.from(hex, 'hex'));
  throw new McpxError(
    'config',
    `${path ?? 'MCPX_STATE_KEY'} must hold 64 hexadecimal digits, or several such keys with commas between them.`,
    path === undefined
      ? 'Make one with: openssl rand -hex 32'
      : 'Delete it, and mcpx makes a new one at its next start; what hosts carry then is refused once.',
  );
}

/**
 * SHA-256 of what makes a request the same request: name or uri and arguments, as canonical JSON with numbers as
 * their text, without `_meta` and without what only a retry carries.
 */
export function salientDigest(params: JsonText | undefined): string {
  const salient =
    params === undefined ? '{}' : withoutMembers(params, ['_meta', 'inputResponses', 'requestState']);
  // An absent and an empty arguments object are one request to every upstream.
  const args = member(salient, 'arguments');
  const plain = args === '{}' ? withoutMembers(salient, ['arguments']) : salient;
  return createHash('sha256').update(canonical(plain)).digest('hex');
}
