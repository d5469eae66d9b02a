import { Command } from 'commander';
import { projections } from '../../projections/all.ts';
import { modelOf } from '../../projections/engine/read-model.ts';
import { requireModel } from '../../actions/operations.ts';
import { retryProjection } from '../../projections/retry-projection.ts';
import { gatherStatus } from '../../status/status.ts';
import { withStores, type CommandLine } from '../command-line.ts';
import { answer, table } from '../../ground/print.ts';
import { fieldLines } from '../show-command.ts';

export function projectionsCommand(line: CommandLine): Command {
  return new Command('projections')
    .description('The read models: what they show, and how far they are.')
    .addCommand(list(line))
    .addCommand(show(line))
    .addCommand(retry(line));
}

const list = (line: CommandLine): Command =>
  new Command('list').description('List the read models.').action(({ json }: { json?: boolean }) =>
    withStores(line, async (system) => {
      const status = await gatherStatus(system);
      const rows = status.projections.map((each) => [
        each.model,
        each.lag,
        each.failure ? 'FAILED' : each.building.length > 0 ? 'rebuilding' : 'well',
        each.shows,
      ]);
      answer(json, status.projections, table(['READ MODEL', 'LAG', 'STATE', 'SHOWS'], rows));
    }),
  );

const show = (line: CommandLine): Command =>
  new Command('show')
    .description('Show a read model: how far it is, and why it has failed.')
    .argument('<name>', `one of ${projections.map(modelOf).join(', ')}`)
    .action((name: string, { json }: { json?: boolean }) =>
      withStores(line, async (system) => {
        const { collection } = requireModel(name);
        const { projections: all } = await gatherStatus(system);
        const found = all.find((each) => each.name === collection.name) ?? {};
        answer(json, found, fieldLines(found));
      }),
    );

const retry = (line: CommandLine): Command =>
  new Command('retry')
    .description('Have the projector try a failed read model at once, after a repair.')
    .argument('<name>', `one of ${projections.map(modelOf).join(', ')}`)
    .action((name: string, { json }: { json?: boolean }) =>
      withStores(line, async (system) => {
        const requested = await retryProjection(system, modelOf(requireModel(name)));
        const nodes = await system.nodes.present();
        answer(json, { projection: name, asked: requested }, [
          requested ? `${name} is tried again at once.` : `${name} has not failed; nothing was done.`,
          ...(requested && !nodes.some(({ projects }) => projects)
            ? [
                'No projector runs. Start a server with the role projector within a minute, or ask again then.',
              ]
            : []),
        ]);
      }),
    );
