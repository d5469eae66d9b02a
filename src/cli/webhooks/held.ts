import type { Command } from 'commander';
import { counted } from '../../ground/counted.ts';
import { discardHeld } from '../../dispatch/operations/discard-held.ts';
import { countOf } from '../../dispatch/operations/each-delivery.ts';
import { deliveries } from '../../projections/webhooks/deliveries.ts';
import { withSystem, type CommandLine, type CommandSystem } from '../command-line.ts';
import { option } from '../options.ts';
import { answer } from '../../ground/print.ts';
import { progressBar } from '../progress.ts';
import { subscriptionId } from './given.ts';

export function addDiscardHeld(line: CommandLine, parent: Command): void {
  parent
    .command('discard-held <id>')
    .description('Discard what is held for a paused subscription, instead of sending it when it is resumed.')
    .action((id: string, { json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const wish = option('id', subscriptionId, id);
        await at.waitUntilCurrent(deliveries);
        const discarded = await discardWaiting(at, wish);
        answer(
          json,
          { subscription: wish, discarded },
          `${counted(discarded, 'held delivery', 'held deliveries')} of ${wish} ${discarded === 1 ? 'is' : 'are'} discarded.`,
        );
      }),
    );
}

/**
 * Discards what the read model shows as waiting for a subscription that is paused or deleted, with a bar when it is
 * much.
 */
export async function discardWaiting(at: CommandSystem, subscription: string): Promise<number> {
  const total = await countOf(at.documents, { subscription, status: 'pending' });
  return withBar('Discarding', total, (progress) => discardHeld(at, subscription, at.context(), progress));
}

/** From how many on a bar is shown. */
const many = 200;

/** Runs work on many deliveries, with a bar. */
export async function withBar<Result>(
  what: string,
  total: number,
  work: (progress: (done: number) => void) => Promise<Result>,
): Promise<Result> {
  if (total < many) return work(() => undefined);
  const bar = progressBar(what, total);
  try {
    return await work((done) => bar.update(done));
  } finally {
    bar.stop();
  }
}
