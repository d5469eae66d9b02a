import type { System } from '../../container.ts';
import { projections } from '../../projections/all.ts';
import { modelOf, nameOf } from '../../projections/engine/define.ts';
import { failuresTable, type ProjectionFailure } from '../../projections/engine/failures.ts';
import { askForRetry } from '../../projections/engine/retry-requests.ts';

/** There is no read model of this name. */
export class UnknownReadModel extends Error {
  constructor(model: string) {
    super(`There is no read model ${model}.`);
    this.name = 'UnknownReadModel';
  }
}

/**
 * Has the projector try a failed read model at once. Returns whether it has failed: if not, nothing is done.
 * @throws UnknownReadModel
 */
export async function retryProjection({ side }: Pick<System, 'side'>, model: string): Promise<boolean> {
  const projection = projections.find((each) => modelOf(each) === model);
  if (!projection) throw new UnknownReadModel(model);
  const failure = await side.table<ProjectionFailure>(failuresTable).get(nameOf(projection));
  if (failure) await askForRetry(side, projection, new Date());
  return failure !== undefined;
}
