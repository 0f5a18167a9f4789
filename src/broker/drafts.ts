// Drafts on the disk: one private file for each open question, so that what was typed outlives the program that asked.
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareStateDir } from './state-dir.ts';

const FILE = /^(elc-[0-9a-z]+)\.json$/;
const PART = /^\.[\w-]+\.part$/;
/** The most of a draft that is read or written. */
const MOST_BYTES = 4_000_000;
/** A part this old, in milliseconds, is of a process that ended while it wrote. */
const OLD_PART = 60_000;

/** Texts by the id of their question. What they say is `form/kept-draft.ts`. */
export class Drafts {
  readonly #stateDir: string;
  readonly #dir: string;

  /** @param gateway the address of a gateway elsewhere; the questions of this machine without */
  constructor(stateDir: string, gateway?: string) {
    this.#stateDir = stateDir;
    const all = join(stateDir, 'drafts');
    this.#dir =
      gateway === undefined
        ? all
        : join(all, createHash('sha256').update(gateway).digest('hex').slice(0, 32));
  }

  /** All texts; what cannot be read is left out. */
  async all(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const name of await this.#names()) {
      const id = FILE.exec(name)?.[1];
      const text = id === undefined ? undefined : await this.get(id);
      if (id !== undefined && text !== undefined) found.set(id, text);
    }
    return found;
  }

  async get(id: string): Promise<string | undefined> {
    const path = this.#path(id);
    if (path === undefined) return undefined;
    try {
      if ((await stat(path)).size > MOST_BYTES) return undefined;
      return await readFile(path, 'utf8');
    } catch {
      return undefined;
    }
  }

  /** Replaces the text as a whole or not at all. Rejects when it cannot be written. */
  async put(id: string, text: string): Promise<void> {
    const path = this.#path(id);
    if (path === undefined) return;
    if (Buffer.byteLength(text) > MOST_BYTES) return this.remove(id);
    prepareStateDir(this.#stateDir);
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const part = join(this.#dir, `.${id}-${randomBytes(6).toString('hex')}.part`);
    try {
      const file = await open(part, 'wx', 0o600);
      try {
        await file.writeFile(text);
      } finally {
        await file.close();
      }
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  async remove(id: string): Promise<void> {
    const path = this.#path(id);
    if (path !== undefined) await rm(path, { force: true, recursive: true }).catch(() => undefined);
  }

  /** Removes the drafts of questions that are not open, and what was left half written. */
  async sweep(isOpen: (id: string) => boolean | Promise<boolean>): Promise<void> {
    for (const name of await this.#names()) {
      const id = FILE.exec(name)?.[1];
      if (id !== undefined && !(await isOpen(id))) await this.remove(id);
      else if (PART.test(name)) await this.#removeOld(join(this.#dir, name));
    }
  }

  async #removeOld(path: string): Promise<void> {
    const made = await stat(path).then(
      ({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs),
      () => undefined,
    );
    const now = await stat(this.#dir).then(
      ({ atimeMs, mtimeMs }) => Math.max(atimeMs, mtimeMs),
      () => 0,
    );
    if (made !== undefined && now - made > OLD_PART) await rm(path, { force: true }).catch(() => undefined);
  }

  async #names(): Promise<readonly string[]> {
    return readdir(this.#dir).catch(() => []);
  }

  /** Ids come from a gateway that may be anybody's: what is none names no file. */
  #path(id: string): string | undefined {
    const name = `${id}.json`;
    return FILE.test(name) && name.length < 128 ? join(this.#dir, name) : undefined;
  }
}
