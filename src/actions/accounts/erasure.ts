import { z } from 'zod';
import { liftHold, placeHold, withdrawErasure } from '../../commands/accounts/erasure.ts';
import { requirePerson } from '../../commands/accounts/person.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { askForErasure, eraseNow } from '../../erasure/erase-person.ts';
import { isFree, keysMadeBy, obstaclesOf, obstacleSentences } from '../../erasure/obstacles.ts';
import { ownData } from '../../erasure/own-data.ts';
import type { ErasureParts } from '../../erasure/parts.ts';
import { action, done, personOf, type ActionParts, type Who } from '../action.ts';

/** The person themselves, or whom the operator names. */
const whose = (who: Who, user: string | undefined): string =>
  who.kind === 'operator' && user !== undefined ? user : personOf(who);

interface Parts extends ActionParts, ErasureParts {
  /** Where people sign in. */
  readonly issuer: () => string;
}

/**
 * Has an account erased after a time of grace. The operator can have it done at once, and even if nobody else can do what
 * the person can. Its value: the keys that go on working, and when it is due.
 */
export const eraseAccount = action({
  name: 'account.erase',
  input: z.object({
    user: z.string().optional(),
    now: z.boolean().default(false),
    evenIfLast: z.boolean().default(false),
  }),
  async run(parts: Parts, { now, evenIfLast, ...input }, { who, context }) {
    const isOperator = who.kind === 'operator';
    const user = whose(who, input.user);
    const obstacles = await obstaclesOf(parts, user);
    if (!isFree(obstacles) && !(isOperator && evenIfLast)) {
      const hint = isOperator ? ['Or repeat this with --even-if-last.'] : [];
      throw new CommandRefused('conflict', [...obstacleSentences(obstacles), ...hint].join(' '));
    }
    const keys = await keysMadeBy(parts, user, context.at);
    const outcome =
      isOperator && now
        ? { ...(await eraseNow(parts, user, context)), dueAt: undefined }
        : await askForErasure(parts, user, context, parts.issuer());
    return { changes: outcome, value: () => ({ keys, dueAt: outcome.dueAt }) };
  },
});

/** Withdraws the request: the account stays. */
export const keepAccount = action({
  name: 'account.keep',
  input: z.object({ user: z.string().optional() }),
  run: async (parts: ActionParts, { user }, { who, context }) =>
    done(await withdrawErasure(parts, whose(who, user), context)),
});

/** Everything that is stored about a person, piece by piece. */
export const exportOwnData = action({
  name: 'account.own-data',
  input: z.object({ user: z.string().optional() }),
  async run(parts: ActionParts, { user }, { who, context }) {
    const pieces = await ownData(parts, whose(who, user), context);
    return { changes: [], value: () => pieces };
  },
});

export const placeLegalHold = action({
  name: 'holds.place',
  right: 'administrator',
  input: z.object({ user: z.string(), reason: z.string() }),
  async run(parts: ActionParts, { user, reason }, { context }) {
    const { hold, outcome } = await placeHold(parts, user, { reason }, context);
    return { changes: outcome, value: () => ({ user, hold }) };
  },
});

/** Its value: which was lifted, and how many the person is still under. */
export const liftLegalHold = action({
  name: 'holds.lift',
  right: 'administrator',
  input: z.object({ user: z.string(), hold: z.uuid().optional() }),
  async run(parts: ActionParts, { user, hold: named }, { context }) {
    const { holds } = await requirePerson(parts, user);
    const hold = named ?? onlyOne(holds);
    const changes = await liftHold(parts, user, { hold }, context);
    return { changes, value: () => ({ user, hold, holds_left: holds.length - 1 }) };
  },
});

function onlyOne(holds: readonly string[]): string {
  const [first, second] = holds;
  if (first === undefined) throw new CommandRefused('not_found', 'This person is under no legal hold.');
  if (second === undefined) return first;
  throw new CommandRefused(
    'conflict',
    `There are several legal holds. Say which: --hold ${holds.join(' or ')}.`,
  );
}
