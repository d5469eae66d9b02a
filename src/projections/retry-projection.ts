import { projections } from './all.ts';
import { modelOf, nameOf } from './engine/read-model.ts';
import { failuresTable, type ProjectionFailure } from './engine/stalled-projections.ts';
import { askForRetry } from './engine/retry-requests.ts';
import type { SideStore } from '../stores/side/port.ts';

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
export async function retryProjection(
  { side }: { readonly side: SideStore },
  model: string,
): Promise<boolean> {
  const projection = projections.find((each) => modelOf(each) === model);
  if (!projection) throw new UnknownReadModel(model);
  const failure = await side.table<ProjectionFailure>(failuresTable).get(nameOf(projection));
  if (failure) await askForRetry(side, projection, new Date());
  return failure !== undefined;
}
