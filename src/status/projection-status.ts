import type { Documents, Generation } from '../stores/documents/port.ts';
import { beginning, type EventStore, type Position } from '../stores/event-store/port.ts';
import type { SideStore } from '../stores/side/port.ts';
import { modelOf, nameOf, type AnyProjection } from '../projections/engine/read-model.ts';
import { failuresTable, type ProjectionFailure } from '../projections/engine/stalled-projections.ts';
import type { Follower, Lag } from './lag.ts';
import { ratesNow } from './projection-rates.ts';
import { shownBy } from './read-model-words.ts';

export interface ProjectionStatus {
  /** The name under which it is stored. */
  readonly name: string;
  /** The name in commands. */
  readonly model: string;
  /** What it shows, in words. */
  readonly shows: string;
  /** Of the serving generation. */
  readonly generation: number | null;
  readonly checkpoint: string | null;
  /** Events that the read model has not folded yet. */
  readonly lag: number;
  /** Whether there may be more of them: counting is bounded. */
  readonly lag_is_minimum: boolean;
  /** The age of the oldest of them. */
  readonly lag_seconds: number;
  /** Events folded in a second, over the last five; 0 when there was nothing to fold. */
  readonly events_per_second: number;
  /** Generations that are being built beside the serving one. */
  readonly building: readonly BuildingStatus[];
  readonly failure?: ProjectionFailure;
}

interface BuildingStatus {
  readonly generation: number;
  readonly checkpoint: string;
  /** The part of the log that it has passed, from 0 to 1, by positions. */
  readonly progress: number;
}

/** The serving generations, as followers of the log. */
export async function followersOf(
  documents: Documents,
  projections: readonly AnyProjection[],
): Promise<Follower[]> {
  const progress = await documents.progress();
  return projections.map((each) => ({
    name: nameOf(each),
    after: progress.get(nameOf(each))?.checkpoint ?? beginning,
    types: new Set<string>(each.events),
  }));
}

export async function projectionStatuses(
  {
    documents,
    side,
  }: { readonly store: EventStore; readonly documents: Documents; readonly side: SideStore },
  projections: readonly AnyProjection[],
  { head, lags }: { readonly head: Position; readonly lags: ReadonlyMap<string, Lag> },
): Promise<ProjectionStatus[]> {
  const [failures, rates] = await Promise.all([
    side.table<ProjectionFailure>(failuresTable).list(),
    ratesNow(side),
  ]);
  const failureOf = new Map(failures.map(({ id, value }) => [id, value]));
  return Promise.all(
    projections.map(async (projection) => {
      const name = nameOf(projection);
      const { serving, building } = await documents.generations(name);
      const lag = lags.get(name);
      const failure = failureOf.get(name);
      return {
        name,
        model: modelOf(projection),
        shows: shownBy(name),
        generation: serving?.generation ?? null,
        checkpoint: serving?.checkpoint.toString() ?? null,
        lag: lag?.events ?? 0,
        lag_is_minimum: lag?.isMinimum ?? false,
        lag_seconds: lag?.seconds ?? 0,
        events_per_second: rates[name] ?? 0,
        building: building.map((each) => buildingStatus(each, head)),
        ...(failure ? { failure } : {}),
      };
    }),
  );
}

const buildingStatus = ({ generation, checkpoint }: Generation, head: Position): BuildingStatus => ({
  generation,
  checkpoint: checkpoint.toString(),
  progress: head <= 0n || checkpoint < 0n ? 0 : Math.min(1, Number((checkpoint * 10_000n) / head) / 10_000),
});
