import { eraseSuggestion } from '../../../commands/directory/upkeep/suggestion.ts';
import { pause } from '../../../ground/back-off.ts';
import { startJob, type Job, type Supervision } from '../../../ground/job.ts';
import { suggestions } from '../../../projections/directory/upkeep/suggestions.ts';
import type { ActionParts } from '../../action.ts';

/** For so long what was suggested can still be read once it was accepted or dismissed. */
export const settledKeptDays = 90;

const roundMs = 3_600_000;
const dayMs = 86_400_000;
/** In one round, so that others who wait for the log are not held up. The next round goes on. */
const mostInARound = 1_000;
/** Erased at the same time: each waits until no process uses the key. */
const atOnce = 25;

type Parts = Pick<ActionParts, 'store' | 'documents' | 'personal'>;

/** Starts the job that erases what accepted and dismissed suggestions said. It runs in one process at a time. */
export const startSettledSuggestions = (parts: Parts, supervision: Supervision): Job =>
  startJob(supervision, {
    name: 'settled-suggestions',
    lease: 'settled-suggestions',
    async work(signal, progress) {
      while (!signal.aborted) {
        await eraseSettledSuggestions(parts, new Date());
        progress.succeeded();
        await pause(roundMs, signal);
      }
    },
  });

/** Erases what was settled `settledKeptDays` ago or earlier: destroys the data keys. Returns how many. */
export async function eraseSettledSuggestions(parts: Parts, at: Date): Promise<number> {
  const collection = parts.documents.collection(suggestions.collection);
  const before = new Date(at.getTime() - settledKeptDays * dayMs).toISOString();
  let erased = 0;
  let after: readonly string[] | undefined;
  while (erased < mostInARound) {
    const docs = await collection.page({
      orderBy: ['sealed_since', 'suggestion'],
      from: firstYear,
      upTo: [before, 'g'],
      limit: atOnce,
      ...(after && { after }),
    });
    await Promise.all(
      docs.map(({ suggestion }) => {
        const context = { actor: job, commandId: crypto.randomUUID(), at };
        return eraseSuggestion(parts, suggestion, {}, context);
      }),
    );
    erased += docs.length;
    const last = docs.at(-1);
    if (!last?.sealed_since || docs.length < atOnce) break;
    after = [last.sealed_since, last.suggestion];
  }
  return erased;
}

const job = { kind: 'system', id: 'suggestion-retention' } as const;
/** Before it are those that are open or erased: empty. */
const firstYear = '0';
