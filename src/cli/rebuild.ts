import { Command } from 'commander';
import { streamName } from '../events/define.ts';
import { newEvent } from '../events/new-event.ts';
import { projectionStream } from '../events/projection.ts';
import { projections } from '../projections/all.ts';
import { modelOf, nameOf, type AnyProjection } from '../projections/engine/define.ts';
import type { Position } from '../stores/event-store/port.ts';
import { withSystem, type CommandSystem, type CommandLine } from './command-line.ts';
import { UsageError } from './options.ts';
import { answer } from './print.ts';
import { progressBar } from './progress.ts';

export function rebuildCommand(line: CommandLine): Command {
  return new Command('rebuild')
    .description('Rebuild read models from the first event. The current ones serve until then.')
    .argument('[projection]', `one of ${projections.map(modelOf).join(', ')}; default: all`)
    .action((name: string | undefined, { json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const asked = projections.filter((each) => name === undefined || modelOf(each) === name);
        if (asked.length === 0) throw new UsageError(`There is no read model ${name ?? ''}.`);
        // Rebuilds that are requested together read the log once.
        const requests = await Promise.all(asked.map((each) => ask(at, each)));
        const rebuilt: { projection: string; generation: number; seconds: number }[] = [];
        for (const each of requests) rebuilt.push(await untilRebuilt(at, each, !json));
        answer(
          json,
          rebuilt,
          rebuilt.map(
            (each) => `${each.projection}: generation ${each.generation} serves after ${each.seconds} s.`,
          ),
        );
      }),
    );
}

interface Request {
  readonly projection: AnyProjection;
  readonly position: Position;
  readonly began: number;
}

/** Requests a rebuild by appending an event. The projector starts it. */
async function ask(at: CommandSystem, projection: AnyProjection): Promise<Request> {
  const name = modelOf(projection);
  const stream = streamName(projectionStream, name);
  const began = Date.now();
  const event = { type: 'RebuildStarted', data: { projection: name } } as const;
  const { position } = await at.store.append(stream, [newEvent(stream, event, 0, at.context())], 'any');
  return { projection, position, began };
}

/** Waits for the event that ends the rebuild. */
async function untilRebuilt(
  { store, documents }: CommandSystem,
  { projection, position, began }: Request,
  show: boolean,
) {
  const name = modelOf(projection);
  const stream = streamName(projectionStream, name);
  const head = await store.head();
  const done = new AbortController();
  const bar = show ? progressBar(name, Number(head)) : undefined;
  const look = async () => {
    const { building } = await documents.generations(nameOf(projection));
    const newest = building.at(-1);
    if (newest) bar?.update(Math.max(0, Number(newest.checkpoint)));
  };
  // A look that fails, because the store is away or just closed, moves no bar. The wait below reports what is wrong.
  const watching = bar && setInterval(() => void look().catch(() => undefined), 200);
  try {
    const filter = { streamPrefixes: [stream] };
    for await (const { events } of store.subscribe({ after: position, filter, signal: done.signal })) {
      const switched = events.find((each) => each.stream === stream && each.type === 'GenerationSwitched');
      if (!switched) continue;
      bar?.update(Number(head));
      const { generation } = switched.data as { generation: number };
      return { projection: name, generation, seconds: (Date.now() - began) / 1_000 };
    }
    throw new Error(`The rebuild of ${name} was cancelled.`);
  } finally {
    clearInterval(watching);
    bar?.stop();
  }
}
