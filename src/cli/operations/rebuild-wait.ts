import { upcast } from '../../events/catalogue.ts';
import { streamName } from '../../events/define.ts';
import { projectionStream, type ProjectionEvent } from '../../events/projection.ts';
import { modelOf, nameOf, type AnyProjection } from '../../projections/engine/read-model.ts';
import { failuresTable, type ProjectionFailure } from '../../projections/engine/stalled-projections.ts';
import { rebuildsUnderWay } from '../../projections/engine/rebuild/rebuild-progress.ts';
import type { Position, RecordedEvent } from '../../stores/event-store/port.ts';
import type { CommandSystem } from '../command-line.ts';
import { progressBars, type ProgressBars } from '../progress.ts';

/** A rebuild, with the newest position of its stream when it was asked for. */
export interface AwaitedRebuild {
  readonly projection: AnyProjection;
  readonly position: Position;
  readonly began: number;
}

type DataOf<Type> = Extract<ProjectionEvent, { readonly type: Type }>['data'];

/** What the event that ended it says, and how long it took. */
export type EndedRebuild = { readonly seconds: number } & (
  DataOf<'GenerationSwitched'> | (DataOf<'RebuildCancelled'> & { readonly cancelled: true })
);

interface Options {
  readonly json?: boolean;
  /** With `json`: a line a second. */
  readonly progress?: boolean;
}

const lookEveryMs = 500;

/** Waits for the events that end the rebuilds, and shows the progress meanwhile. `interrupted`: by Ctrl-C. */
export async function untilEnded(
  at: CommandSystem,
  awaited: readonly AwaitedRebuild[],
  options: Options,
): Promise<readonly EndedRebuild[] | 'interrupted'> {
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once('SIGINT', interrupt);
  const bars = options.json ? undefined : progressBars();
  const show = progressOf(at, awaited, options, bars);
  // A look that fails, because the store is away or just closed, shows nothing. The wait below reports what is wrong.
  const looking = setInterval(() => void show().catch(() => undefined), lookEveryMs);
  try {
    const ended = await ends(at, awaited, stop.signal, (model) => bars?.done(model));
    return ended ?? 'interrupted';
  } finally {
    clearInterval(looking);
    process.off('SIGINT', interrupt);
    bars?.stop();
  }
}

/** Undefined when the signal aborts first. */
async function ends(
  { store }: CommandSystem,
  awaited: readonly AwaitedRebuild[],
  signal: AbortSignal,
  onEnd: (model: string) => void,
): Promise<readonly EndedRebuild[] | undefined> {
  const waiting = new Map(
    awaited.map((each) => [streamName(projectionStream, modelOf(each.projection)), each] as const),
  );
  const ended = new Map<AnyProjection, EndedRebuild>();
  const after = awaited.reduce(
    (least, { position }) => (position < least ? position : least),
    2n ** 63n - 1n,
  );
  const done = new AbortController();
  const filter = { streamPrefixes: [...waiting.keys()] };
  const until = AbortSignal.any([signal, done.signal]);
  for await (const { events } of store.subscribe({ after, filter, signal: until })) {
    for (const event of events) {
      const each = waiting.get(event.stream);
      const end = each && event.position > each.position ? endOf(each, event) : undefined;
      if (!each || !end) continue;
      waiting.delete(event.stream);
      ended.set(each.projection, end);
      onEnd(end.projection);
    }
    if (waiting.size === 0) break;
  }
  done.abort();
  if (waiting.size > 0) return undefined;
  return awaited.flatMap(({ projection }) => ended.get(projection) ?? []);
}

function endOf({ began }: AwaitedRebuild, recorded: RecordedEvent): EndedRebuild | undefined {
  const { type, data } = upcast(recorded) as ProjectionEvent;
  const seconds = (Date.now() - began) / 1_000;
  switch (type) {
    case 'RebuildStarted':
      return undefined;
    case 'GenerationSwitched':
      return { ...data, seconds };
    case 'RebuildCancelled':
      return { ...data, seconds, cancelled: true };
  }
}

/** Shows how far the rebuilds are, and tells each failure once. */
function progressOf(
  at: CommandSystem,
  awaited: readonly AwaitedRebuild[],
  { json, progress }: Options,
  bars: ProgressBars | undefined,
): () => Promise<void> {
  const projections = awaited.map(({ projection }) => projection);
  const printed = new Set<string>();
  return async () => {
    const underWay = await rebuildsUnderWay(at, projections);
    if (json && progress) for (const each of underWay) console.error(JSON.stringify(each));
    for (const { projection, events, rate, state } of underWay)
      bars?.update(projection, { ...events, rate, what: state });
    for (const projection of projections) {
      const failure = await at.side.table<ProjectionFailure>(failuresTable).get(nameOf(projection));
      if (!failure?.rebuilding || json) continue;
      const model = modelOf(projection);
      const line = `The rebuild of ${model} has failed since ${failure.since}: ${failure.error}`;
      if (printed.has(line)) continue;
      printed.add(line);
      bars?.say(`${line}\nIt is tried again. To cancel it: commonweal rebuild ${model} --cancel`);
    }
  };
}
