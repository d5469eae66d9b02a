import { z } from 'zod';
import { ProofError } from '../../audit/proof-log/errors.ts';
import { openNote, parseVkey } from '../../audit/proof-log/format/note.ts';
import { succeedingKey } from '../../audit/proof-log/format/succession.ts';
import { readList, type Other } from './feed.ts';

const keyList = z.object({
  keys: z
    .array(z.object({ vkey: z.string().max(500), succession: z.string().max(4_000).nullish() }))
    .max(1_000),
});

/**
 * The key of a log to which the trusted one has handed over, directly or by keys between them, and which `signs`. Each hand-over
 * is a note that the earlier key has signed, so a key that somebody else has put into the list counts for nothing.
 * Undefined: there is none. @throws FeedError
 */
export async function keyAfter(
  other: Other,
  trusted: string,
  signs: (vkey: string) => boolean,
): Promise<string | undefined> {
  const list = await readList(other, '/audit/log/vkeys', keyList);
  // Newest first: from the trusted one on, each hand-over leads to the next.
  for (const { succession } of [...(list?.keys ?? [])].reverse()) {
    if (!succession) continue;
    const next = nextIn(succession, trusted);
    if (next === undefined) continue;
    trusted = next;
    if (signs(trusted)) return trusted;
  }
  return undefined;
}

/** The key that a note of hand-over names, where the trusted key has signed it. */
function nextIn(note: string, trusted: string): string | undefined {
  try {
    const verifier = parseVkey(trusted);
    const next = succeedingKey(openNote(note, [verifier]));
    return next !== undefined && parseVkey(next).name === verifier.name ? next : undefined;
  } catch (error) {
    if (error instanceof ProofError) return undefined;
    throw error;
  }
}
