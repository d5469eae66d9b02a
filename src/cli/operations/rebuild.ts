import { Command } from 'commander';
import { all, cancelRebuilds, requireModel } from '../../actions/operations.ts';
import { counted } from '../../ground/counted.ts';
import { runningRebuild, startRebuild, type RebuildRequest } from '../../commands/rebuild.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { projections } from '../../projections/all.ts';
import { modelOf, type AnyProjection } from '../../projections/engine/read-model.ts';
import { keptToServeAgain } from '../../projections/engine/rebuild/requested-rebuilds.ts';
import { performFor } from '../action-command.ts';
import { withSystem, type CommandLine, type CommandSystem } from '../command-line.ts';
import { duration, UsageError } from '../options.ts';
import { answer } from '../../ground/print.ts';
import { untilEnded, type AwaitedRebuild, type EndedRebuild } from './rebuild-wait.ts';

interface Options {
  readonly full?: boolean;
  readonly keep?: string;
  readonly back?: boolean;
  readonly cancel?: boolean;
  readonly progress?: boolean;
  readonly json?: boolean;
}

export function rebuildCommand(line: CommandLine): Command {
  return new Command('rebuild')
    .description(
      'Rebuild read models from the first event. The current ones serve until then. The rebuild runs in the server, and goes on after a restart.',
    )
    .argument('[projection]', `all, or one of ${projections.map(modelOf).join(', ')}; default: all`)
    .option('--full', 'compare every document with the log before the switch, not a sample')
    .option('--keep <duration>', 'keep the generation that served until then for so long: 30m, 2h, 7d')
    .option('--back', 'serve the kept generation again, after it has caught up')
    .option('--cancel', 'cancel a running rebuild')
    .option('--progress', 'with --json: a line of JSON a second on standard error')
    .action((name: string | undefined, options: Options) =>
      withSystem(line, async (at) => {
        const chosen = projectionsNamed(name);
        if (options.cancel) await cancel(at, name ?? all, options);
        else await rebuild(at, chosen, options, line);
      }),
    );
}

/** @throws CommandRefused not_found */
const projectionsNamed = (name: string | undefined): readonly AnyProjection[] =>
  name === undefined || name === all ? projections : [requireModel(name)];

async function rebuild(
  at: CommandSystem,
  chosen: readonly AnyProjection[],
  options: Options,
  line: CommandLine,
): Promise<void> {
  const request = await requestOf(at, chosen, options);
  const awaited: AwaitedRebuild[] = [];
  // Rebuilds that are requested together read the log once.
  for (const projection of chosen) {
    const began = Date.now();
    const model = modelOf(projection);
    const { events, position } = await startRebuild(at.store, model, request, at.context());
    if (events.length === 0 && !options.json)
      console.error(`A rebuild of ${model} is running already. This waits for it.`);
    awaited.push({ projection, position, began });
  }
  const ended = await untilEnded(at, awaited, options);
  if (ended === 'interrupted') {
    const which = chosen.length === 1 ? chosen.map(modelOf).join() : 'all';
    console.error(
      `The rebuild goes on in the server, or when it starts again. To cancel it: commonweal rebuild ${which} --cancel`,
    );
    line.exitCode = 130;
    return;
  }
  answer(options.json, ended, ended.map(sentence));
  if (ended.some((each) => 'cancelled' in each)) line.exitCode = 1;
}

/** @throws UsageError, CommandRefused */
async function requestOf(
  at: CommandSystem,
  chosen: readonly AnyProjection[],
  { full = false, keep, back = false }: Options,
): Promise<RebuildRequest> {
  const keepSeconds = keep === undefined ? {} : { keepSeconds: duration('--keep', keep) };
  if (!back) return { full, ...keepSeconds };
  const [projection] = chosen;
  if (chosen.length > 1 || !projection) throw new UsageError('--back: name the read model.');
  if (full)
    throw new UsageError('--back: a kept generation is not compared with the log, so not with --full.');
  const kept = await keptToServeAgain(at, projection);
  if (kept === undefined && !(await runningRebuild(at.store, modelOf(projection)))?.back)
    throw new CommandRefused(
      'conflict',
      `No earlier generation of ${modelOf(projection)} is kept. A rebuild with --keep keeps one.`,
    );
  return { back, ...keepSeconds };
}

/** Of all read models, those that are being rebuilt. @throws UsageError, CommandRefused when there is nothing to cancel */
async function cancel(at: CommandSystem, model: string, options: Options): Promise<void> {
  const { full, keep, back, json } = options;
  if (full || keep !== undefined || back) throw new UsageError('--cancel goes with no other option.');
  const cancelled = await performFor(at, cancelRebuilds, { model });
  answer(
    json,
    cancelled.map((projection) => ({ projection, cancelled: true })),
    cancelled.map((each) => `${each}: the rebuild is cancelled. The current version stays in use.`),
  );
}

function sentence(ended: EndedRebuild): string {
  const { projection, seconds } = ended;
  if ('cancelled' in ended)
    return ended.reason === undefined
      ? `${projection}: cancelled after ${seconds} s. The current version stays in use.`
      : `${projection}: stopped after ${seconds} s. ${ended.reason} The current version stays in use.`;
  const { generation, documents, verified } = ended;
  const counts =
    documents === undefined
      ? ''
      : ` It has ${counted(documents, 'document')}; ${counted(verified ?? 0, 'was', 'were')} verified.`;
  return `${projection}: generation ${generation} serves after ${seconds} s.${counts}`;
}
