import { z } from 'zod';
import { CommandRefused } from '../ground/refusals.ts';
import { cancelRebuild, startRebuild } from '../commands/rebuild.ts';
import { untilDecisionsShown } from '../dispatch/operations/parked-deliveries.ts';
import { decideParked, listParked } from '../dispatch/operations/parked-work.ts';
import { partOf } from '../dispatch/operations/resend.ts';
import { examinations } from '../doctor/record.ts';
import { defined } from '../ground/defined.ts';
import { suggestions } from '../ground/suggestions.ts';
import { projections } from '../projections/all.ts';
import { modelOf, type AnyProjection } from '../projections/engine/read-model.ts';
import { requestedRebuilds, keptToServeAgain } from '../projections/engine/rebuild/requested-rebuilds.ts';
import { retryProjection } from '../projections/retry-projection.ts';
import { action } from './action.ts';

const right = 'administrator';

/** In the place of a name or an id: every read model, or all parked work. */
export const all = 'all';

/** Has a failed read model tried again at once. Its value: whether it had failed. */
export const retryModel = action({
  name: 'operations.retry',
  right,
  input: z.object({ model: z.string() }),
  async run(parts, { model }) {
    const failed = await retryProjection(parts, modelOf(requireModel(model)));
    return { changes: [], value: () => failed };
  },
});

/** Asks for rebuilds. Its value: of how many read models. */
export const rebuildModels = action({
  name: 'operations.rebuild',
  right,
  input: z.object({
    model: z.string(),
    full: z.boolean().default(false),
    keepSeconds: z.int().positive().optional(),
  }),
  once: true,
  async run({ store }, { model, full, keepSeconds }, { another }) {
    const models = modelsNamed(model);
    const how = { full, ...defined({ keepSeconds }) };
    // Together, so that they read the log once.
    const refused = await refusedOf(models, (each) => startRebuild(store, each, how, another()));
    if (refused.length > 0) throw otherRunning(refused);
    return { changes: [], value: () => models.length };
  },
});

/** Has the generation before serve again. */
export const goBack = action({
  name: 'operations.go-back',
  right,
  input: z.object({ model: z.string() }),
  once: true,
  async run(parts, { model }, { context }) {
    const { store } = parts;
    const projection = requireModel(model);
    const running = await requestedRebuilds(store, [projection]);
    if (running.length === 0 && !(await keptToServeAgain(parts, projection)))
      throw new CommandRefused('conflict', `No earlier generation of ${model} is kept.`);
    const refused = await refusedOf([model], (each) => startRebuild(store, each, { back: true }, context));
    if (refused.length > 0) throw otherRunning(refused);
    return { changes: [], value: () => undefined };
  },
});

/** Cancels the rebuild of a read model, or all that run. Its value: of which read models. */
export const cancelRebuilds = action({
  name: 'operations.cancel-rebuild',
  right,
  input: z.object({ model: z.string() }),
  async run({ store }, { model }, { another }) {
    const models = modelsNamed(model);
    const refused = await refusedOf(models, (each) => cancelRebuild(store, each, another()));
    const cancelled = models.filter((each) => !refused.includes(each));
    const of = model === all ? '' : ` of ${model}`;
    if (cancelled.length === 0) throw new CommandRefused('conflict', `No rebuild${of} is running.`);
    return { changes: [], value: () => cancelled };
  },
});

/** Parked deliveries that one decision on all is about. */
const decidedAtOnce = 500;

/** Tries parked work again, or gives it up: one piece, or all. Its value: how much was decided on. */
export const decideParkedWork = action({
  name: 'operations.decide-parked',
  right,
  input: z.object({ id: z.string(), decision: z.enum(['replay', 'discard']) }),
  async run(parts, { id, decision }, { context }) {
    const parked = await listParked(parts, id === all ? decidedAtOnce : Infinity);
    const chosen = id === all ? parked : parked.filter((each) => each.id === id);
    const decided = await decideParked(parts.store, decision, chosen, (of) => partOf(context, of));
    if (decided.events + decided.deliveries === 0)
      throw new CommandRefused('not_found', 'It is no longer set aside.');
    if (decided.deliveries > 0) await untilDecisionsShown(parts);
    return { changes: [], value: () => decided };
  },
});

/** Asks the job that runs the doctor every day to run it now. */
export const examine = action({
  name: 'operations.examine',
  right,
  input: z.object({}),
  async run({ side }, _, { context }) {
    await examinations(side).ask(context.at);
    return { changes: [], value: () => undefined };
  },
});

/** The read model with this name. @throws CommandRefused not_found, with similar names */
export function requireModel(name: string): AnyProjection {
  const found = projections.find((each) => modelOf(each) === name);
  if (found) return found;
  const similar = suggestions(name, projections.map(modelOf));
  const meant = similar.length > 0 ? ` Did you mean ${similar.join(' or ')}?` : '';
  throw new CommandRefused(
    'not_found',
    `There is no read model ${name}.${meant} "commonweal projections list" has them all.`,
  );
}

/** @throws CommandRefused not_found */
const modelsNamed = (name: string): readonly string[] =>
  name === all ? projections.map(modelOf) : [modelOf(requireModel(name))];

const otherRunning = (models: readonly string[]): CommandRefused =>
  new CommandRefused(
    'conflict',
    `Another rebuild is running: ${models.join(', ')}. Wait for its end, or cancel it.`,
  );

/** For which read models a command was refused because of what runs, or does not run. */
async function refusedOf(
  models: readonly string[],
  command: (model: string) => Promise<unknown>,
): Promise<string[]> {
  const each = models.map(async (model) => {
    try {
      await command(model);
      return [];
    } catch (error) {
      if (error instanceof CommandRefused && error.code === 'conflict') return [model];
      throw error;
    }
  });
  return (await Promise.all(each)).flat();
}
