import { describe, expect, test } from 'vitest';
import { wordsOfRecord } from '../../src/actions/directory/upkeep/words.ts';
import { commandSource } from '../../src/commands/directory/source.ts';
import { commandResource } from '../../src/commands/directory/resource.ts';
import type { FieldGroup } from '../../src/events/directory/upkeep/precedence.ts';
import { aCommand } from '../support/context.ts';
import { directory, published, team, usual } from './county.ts';

type Directory = ReturnType<typeof directory>;
const source = 'county';

const first = (at: Directory, ...groups: readonly FieldGroup[]) =>
  at.system(({ store }) => commandSource(store, { kind: 'precede', team, source, groups }, aCommand()));
const correct = (at: Directory, id: string, description: string) =>
  at.system((system) =>
    commandResource(system, at.svcId(id), { kind: 'revise', change: { description } }, aCommand()),
  );
const words = (at: Directory, id: string) =>
  at.system(async (system) => (await wordsOfRecord(system, at.svcId(id)))?.words);

describe('the word of a source', () => {
  test('counts first for the fields that were chosen, and what it takes the place of stays beside it', async () => {
    const at = directory();
    await at.import(published(usual));
    await correct(at, 's1', 'Ours.');
    const theirs = published({ ...usual, s1: { ...usual['s1'], description: 'Theirs.' } });
    await first(at, 'hours');
    const kept = (await at.import(theirs)).report;
    expect(kept, 'not for descriptions').toMatchObject({ revised: 0, conflicts: 1 });
    expect(await words(at, 's1')).toMatchObject([
      {
        stands: { values: { description: 'Ours.' } },
        others: [{ source, values: { description: 'Theirs.' } }],
      },
    ]);

    await first(at, 'texts', 'phones');
    const again = published({ ...usual, s1: { ...usual['s1'], description: 'Theirs again.' } });
    const { report: compared } = await at.import(again, { dryRun: true });
    expect(compared).toMatchObject({ revised: 1, conflicts: 1 });
    expect(compared.conflict_records).toMatchObject([
      { fields: [{ field: 'description', resolved: 'taken' }] },
    ]);
    expect((await at.import(again)).report).toMatchObject({ revised: 1, conflicts: 1 });
    expect(await at.state('s1')).toMatchObject({ fields: { description: 'Theirs again.' } });
    expect(await words(at, 's1')).toMatchObject([
      {
        stands: { source, values: { description: 'Theirs again.' } },
        others: [{ values: { description: 'Ours.' } }],
      },
    ]);

    await first(at);
    await correct(at, 's1', 'Ours again.');
    const last = published({ ...usual, s1: { ...usual['s1'], description: 'Theirs once more.' } });
    expect((await at.import(last)).report).toMatchObject({ revised: 0, conflicts: 1 });
    expect(await at.state('s1')).toMatchObject({ fields: { description: 'Ours again.' } });
  }, 120_000);
});
