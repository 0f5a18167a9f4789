// Answers to questions that ask for a secret: readable only by the gateway that holds the call (docs/broker.md, "Secrets").

import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { McpxError } from '../errors.ts';
import { trustedJson } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';

const CIPHER = 'aes-256-gcm';
const POINT = 32;
const NONCE = 12;
const TAG = 16;

/** The key of one row. Its private half never leaves this object, so that with the process all it sealed is gone. */
export class AnswerKey {
  readonly #pair = generateKeyPairSync('x25519');

  /** 32 bytes, base64url: what stands on the row for everybody to seal with. */
  get publicKey(): string {
    return rawPublic(this.#pair.publicKey);
  }

  /** The content that `sealAnswer` made for this row. McpxError `failure` for anything else. */
  open(rowId: string, sealed: string): JsonText {
    try {
      const bytes = Buffer.from(sealed, 'base64url');
      const theirs = bytes.subarray(0, POINT);
      const body = bytes.subarray(POINT + NONCE, bytes.length - TAG);
      const key = sharedKey(this.#pair.privateKey, fromRaw(theirs), [theirs, this.publicKey], rowId);
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(POINT, POINT + NONCE));
      decipher.setAAD(Buffer.from(rowId));
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG));
      return trustedJson(Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8'));
    } catch (cause) {
      // Neither what was sealed nor why it does not open is for others to read.
      throw new McpxError('failure', `The sealed answer to ${rowId} cannot be opened.`, undefined, { cause });
    }
  }
}

/**
 * Seals the content of an answer to the key that stands on its row: a fresh X25519 key, HKDF-SHA256, AES-256-GCM bound
 * to the id. Base64url of their point, nonce, ciphertext and tag.
 */
export function sealAnswer(publicKey: string, rowId: string, content: JsonText): string {
  const mine = generateKeyPairSync('x25519');
  const point = Buffer.from(rawPublic(mine.publicKey), 'base64url');
  const theirs = fromRaw(Buffer.from(publicKey, 'base64url'));
  const key = sharedKey(mine.privateKey, theirs, [point, publicKey], rowId);
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, key, nonce);
  cipher.setAAD(Buffer.from(rowId));
  const body = Buffer.concat([cipher.update(content, 'utf8'), cipher.final()]);
  return Buffer.concat([point, nonce, body, cipher.getAuthTag()]).toString('base64url');
}

function sharedKey(
  privateKey: KeyObject,
  publicKey: KeyObject,
  [sender, owner]: readonly [Buffer, string],
  rowId: string,
): Buffer {
  const secret = diffieHellman({ privateKey, publicKey });
  // Both public keys are part of the key, as RFC 7748 section 6.1 advises.
  const salt = Buffer.concat([sender, Buffer.from(owner, 'base64url')]);
  return Buffer.from(hkdfSync('sha256', secret, salt, `mcpx answer ${rowId}`, 32));
}

function rawPublic(key: KeyObject): string {
  return key.export({ format: 'jwk' }).x ?? '';
}

function fromRaw(point: Buffer): KeyObject {
  const x = point.toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
}
