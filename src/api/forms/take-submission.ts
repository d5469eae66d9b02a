import { LRUCache } from 'lru-cache';
import { entries } from '../../ground/capacity.ts';
import type { Answers } from '../../events/forms/answers.ts';
import { submissionIdOf, submitForm, type SubmissionParts } from '../../commands/forms-submissions.ts';
import type { CommandContext } from '../../events/metadata.ts';
import type { FormDocument } from '../../projections/forms.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { Limits } from '../../stores/limits/port.ts';
import { DailyCaps, untilTomorrow } from './daily-caps.ts';
import { FormReceipts, type ReceiptParts, type WantedReceipt } from './receipts.ts';
import { networksOf } from '../../ground/network.ts';

export interface TakingParts extends SubmissionParts, ReceiptParts {
  readonly documents: Documents;
  readonly limits: Limits;
}

export type Taken =
  | { readonly kind: 'taken'; readonly submission: string }
  /** Nothing was appended. `retryAfter`: seconds. */
  | { readonly kind: 'network' | 'share' | 'full'; readonly retryAfter: number };

/** Takes checked answers to a form, within the limits. */
export type TakeSubmission = (
  form: FormDocument,
  answers: Answers,
  address: string,
  context: CommandContext,
  /** Undefined: the sender wants none. */
  receipt?: WantedReceipt,
) => Promise<Taken>;

/** Commands that are known to be done. A repeat of them counts towards no limit. */
const rememberedCommands = 10_000;

/** The limits are counted over the page and the sites of the teams together. */
export function takeSubmissions(parts: TakingParts): TakeSubmission {
  const { documents, limits } = parts;
  const caps = new DailyCaps(documents, limits);
  const done = new LRUCache<string, true>(entries(rememberedCommands));

  const receipts = new FormReceipts(parts);
  return async (form, answers, address, context, receipt) => {
    const taken: Taken = { kind: 'taken', submission: submissionIdOf(context) };
    if (done.has(context.commandId)) return taken;
    const networks = networksOf(address);
    const [narrow, wide] = networks;
    const { seconds } = await limits.take(['form-network', narrow], ['form-wide-network', wide]);
    if (seconds > 0) return { kind: 'network', retryAfter: seconds };
    const place = await caps.take(form, networks, context.at);
    if (typeof place === 'string') return { kind: place, retryAfter: untilTomorrow(context.at) };
    try {
      const of = { team: form.team, form: form.form, version: form.version };
      const { position, repeated } = await submitForm(parts, of, answers, context);
      if (repeated) await place.free();
      else place.taken(position);
      if (receipt && !repeated)
        await receipts.send(
          form,
          answers,
          networks,
          { submission: taken.submission, at: context.at },
          receipt,
        );
      done.set(context.commandId, true);
      return taken;
    } catch (error) {
      await place.free();
      throw error;
    }
  };
}
