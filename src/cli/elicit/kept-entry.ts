// What a person enters in line prompts, kept on the disk as the inbox keeps it, until its question is over.
import { Drafts } from '../../broker/drafts.ts';
import type { BrokerClient, Row } from '../../broker/types.ts';
import { stateDir } from '../../config/paths.ts';
import { isMcpxError, type McpxError, messageOf } from '../../errors.ts';
import { initialDraft } from '../../form/draft.ts';
import { type Entered, keptDraft, restoredDraft } from '../../form/kept-draft.ts';
import type { Form } from '../../form/types.ts';
import type { Io } from '../io.ts';
import { remoteUrl } from './broker.ts';

const OVER = new Set(['already_answered', 'expired', 'withdrawn', 'lost', 'undelivered', 'not_found']);

/** Whether a failure says that a question is no longer open. */
export function hasEnded({ code }: McpxError): boolean {
  return OVER.has(code);
}

/** The drafts of the questions that a command is about: of this machine, or of the gateway at `--url`. */
export function draftsOf(io: Io): Drafts {
  return new Drafts(stateDir(io.globals.stateDir, io), remoteUrl(io));
}

/**
 * The same, without those of questions that are over. A gateway removes the drafts of its own machine; those of a gateway
 * elsewhere are for the answering side to remove.
 */
export async function openDrafts(io: Io, broker: BrokerClient): Promise<Drafts> {
  const drafts = draftsOf(io);
  if (remoteUrl(io) === undefined) return drafts;
  await drafts.sweep(async (id) => {
    try {
      return (await broker.get(id)).state === 'pending';
    } catch (error) {
      return !isMcpxError(error) || error.code !== 'not_found';
    }
  });
  return drafts;
}

/** A draft to start from, and where its changes go. */
export interface KeptEntry {
  readonly start: Entered | undefined;
  readonly onChange: (entered: Entered) => void;
  /** Resolves once everything is on the disk. Never rejects. */
  written(): Promise<void>;
}

/** Runs `use` with the draft of a question; it is removed where the question turns out to be over. */
export async function withKeptEntry<T>(
  io: Io,
  drafts: Drafts,
  row: Row,
  form: Form,
  use: (kept: KeptEntry) => Promise<T>,
): Promise<T> {
  const kept = await keptEntry(io, drafts, row, form);
  if (kept.start !== undefined) await io.note('What you had entered before is filled in.');
  try {
    return await use(kept);
  } catch (error) {
    if (isMcpxError(error) && hasEnded(error)) await drafts.remove(row.id);
    throw error;
  }
}

async function keptEntry(io: Io, drafts: Drafts, row: Row, form: Form): Promise<KeptEntry> {
  const untouched = keptDraft(form, { draft: initialDraft(form), texts: new Map() }, row.sensitive);
  const before = await drafts.get(row.id);
  const start = before === undefined ? undefined : restoredDraft(form, before, row.sensitive);
  let wanted = start === undefined ? untouched : before;
  let failure: string | undefined;
  let work = Promise.resolve();
  const write = async (text: string): Promise<void> => {
    // Only the last of what is typed while the disk is busy is written.
    if (wanted !== text || failure !== undefined) return;
    try {
      await (text === untouched ? drafts.remove(row.id) : drafts.put(row.id, text));
    } catch (error) {
      failure = messageOf(error);
    }
  };
  return {
    start,
    onChange(entered) {
      const text = keptDraft(form, entered, row.sensitive);
      if (text === wanted) return;
      wanted = text;
      work = work.then(() => write(text));
    },
    async written() {
      await work;
      if (failure !== undefined) await io.note(`Drafts cannot be kept on the disk: ${failure}`);
    },
  };
}
