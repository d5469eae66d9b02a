import { Command } from 'commander';
import { streamName } from '../events/define.ts';
import { newEvent } from '../events/new-event.ts';
import { projectionStream } from '../events/projection.ts';
import { projections } from '../projections/all.ts';
import { nameOf } from '../projections/engine/define.ts';
import { atWork, type AtWork, type CommandLine } from './command-line.ts';
import { UsageError } from './options.ts';
import { answer } from './print.ts';
import { progressBar } from './progress.ts';

export function rebuildCommand(line: CommandLine): Command {
  return new Command('rebuild')
    .description('Build read models anew from the first event, while the old ones go on serving.')
    .argument('[projection]', `one of ${projections.map(nameOf).join(', ')}; all when left out`)
    .action((name: string | undefined, { json }: { json?: boolean }) =>
      atWork(line, async (at) => {
        const names = projections.map(nameOf).filter((each) => name === undefined || each === name);
        if (names.length === 0) throw new UsageError(`There is no read model ${name ?? ''}.`);
        const rebuilt: { projection: string; generation: number; seconds: number }[] = [];
        for (const each of names) rebuilt.push(await rebuild(at, each, !json));
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

/** Asks for the rebuild by an event, which whoever projects takes up, and waits for the event that it is done. */
async function rebuild(at: AtWork, name: string, show: boolean) {
  const { store, documents } = at;
  const stream = streamName(projectionStream, name);
  const began = Date.now();
  const event = { type: 'RebuildStarted', data: { projection: name } } as const;
  const { position } = await store.append(stream, [newEvent(stream, event, 0, at.context())], 'any');
  const head = await store.head();
  const done = new AbortController();
  const bar = show ? progressBar(name, Number(head)) : undefined;
  const watching = setInterval(() => {
    void documents.generations(name).then(({ building }) => {
      const newest = building.at(-1);
      if (newest) bar?.update(Math.max(0, Number(newest.checkpoint)));
    });
  }, 200);
  try {
    const filter = { streamPrefixes: [stream] };
    for await (const { events } of store.subscribe({ after: position, filter, signal: done.signal })) {
      const switched = events.find((each) => each.stream === stream && each.type === 'GenerationSwitched');
      if (!switched) continue;
      bar?.update(Number(head));
      const { generation } = switched.data as { generation: number };
      return { projection: name, generation, seconds: (Date.now() - began) / 1_000 };
    }
    throw new Error(`The rebuild of ${name} was given up.`);
  } finally {
    clearInterval(watching);
    bar?.stop();
  }
}
