import { z } from 'zod';
import { ProofError } from '../../audit/proof-log/errors.ts';
import { openCheckpoint, parseCheckpoint, type Checkpoint } from '../../audit/proof-log/format/checkpoint.ts';
import { consistencyProof, verifyConsistency } from '../../audit/proof-log/format/merkle.ts';
import { parseVkey, textOfNote } from '../../audit/proof-log/format/note.ts';
import { formerLogForm, inWords } from '../../audit/proof-log/former-log.ts';
import type { PauseReason } from '../../events/directory/upkeep/following.ts';
import { counted } from '../../ground/counted.ts';
import { FeedError, readCheckpoint, readList, tilesOf, type Other } from './feed.ts';
import { keyAfter } from './key-succession.ts';

/** What the newest checkpoint of a followed log comes to. */
export type CheckedCheckpoint =
  | {
      readonly kind: 'continues';
      readonly note: string;
      readonly size: number;
      /** It is newer than the one before. */
      readonly isNew: boolean;
      /** The key that has signed it, where the earlier one has handed over to it. */
      readonly vkey?: string;
    }
  | { readonly kind: 'stop'; readonly why: PauseReason; readonly detail: string };

/**
 * Reads the newest checkpoint of the other log, and checks that the key that was confirmed here has signed it, and that it
 * continues the one before (RFC 9162, section 2.1.4.2). `before`: a note that was checked so.
 * @throws FeedError
 */
export async function checkCheckpoint(
  other: Other,
  { vkey, before }: { readonly vkey: string; readonly before: string | undefined },
): Promise<CheckedCheckpoint> {
  const pinned = parseVkey(vkey);
  const former = before === undefined ? undefined : parseCheckpoint(textOfNote(before));
  const note = await readCheckpoint(other, former?.size);
  const { origin } = parsed(note);
  if (origin !== pinned.name)
    return { kind: 'stop', why: 'another-log', detail: await whyAnother(other, pinned.name, origin) };
  const opened = openedWith(note, vkey);
  const next = opened ? undefined : await keyAfter(other, vkey, (key) => openedWith(note, key) !== undefined);
  const checkpoint = opened ?? (next && openedWith(note, next));
  if (!checkpoint)
    return {
      kind: 'stop',
      why: 'another-key',
      detail: `Its checkpoint of ${entries(parsed(note).size)} is not signed by the key that was confirmed here, nor by one to which that key has handed over.`,
    };
  const forked = former && (await contradiction(other, former, checkpoint));
  if (forked !== undefined) return { kind: 'stop', why: 'rewritten', detail: forked };
  return {
    kind: 'continues',
    note,
    size: checkpoint.size,
    isNew: checkpoint.size > (former?.size ?? -1),
    ...(next === undefined ? {} : { vkey: next }),
  };
}

/** Undefined: the newer tree continues the older one. @throws FeedError */
async function contradiction(
  other: Other,
  older: Checkpoint,
  newer: Checkpoint,
): Promise<string | undefined> {
  if (newer.size < older.size)
    return `Its proof log has ${entries(newer.size)}, and had signed ${older.size.toLocaleString('en')} before.`;
  try {
    const proof = await consistencyProof(older.size, newer.size, tilesOf(other));
    verifyConsistency(older, newer, proof);
    return undefined;
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return `Its checkpoint of ${entries(newer.size)} does not continue the one of ${older.size.toLocaleString('en')} that it had signed before.`;
  }
}

/** @throws FeedError */
function parsed(note: string): Checkpoint {
  try {
    return parseCheckpoint(textOfNote(note));
  } catch (error) {
    if (error instanceof ProofError)
      throw new FeedError('Its proof log answered something else than a checkpoint.');
    throw error;
  }
}

/** The checkpoint in a note that this key has signed. Undefined: it has not. */
export function openedWith(note: string, vkey: string): Checkpoint | undefined {
  try {
    return openCheckpoint(note, parseVkey(vkey));
  } catch (error) {
    if (error instanceof ProofError) return undefined;
    throw error;
  }
}

const formerLogs = z.object({ former: z.array(formerLogForm).max(1_000) });

/** In a sentence: why the log that was followed ended, as far as the other one says it. */
async function whyAnother(other: Other, followed: string, now: string): Promise<string> {
  const list = await readList(other, '/audit/log/former', formerLogs);
  const ended = list?.former.find(({ log }) => log === followed);
  const sentence = ended
    ? inWords(ended)
    : `It shows the proof log ${now} where ${followed} was followed, and does not say why.`;
  return sentence.slice(0, 600);
}

const entries = (size: number): string => counted(size, 'entry', 'entries');
