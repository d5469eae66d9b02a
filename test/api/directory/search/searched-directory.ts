import { readFileSync } from 'node:fs';
import { importResource } from '../../../../src/commands/directory/import-record.ts';
import { commons } from '../../../../src/events/teams.ts';
import type { HsdsRecord } from '../../../../src/hsds/item.ts';
import { openDatapackage } from '../../../../src/hsds/package.ts';
import { context, startSystem, v1 } from '../../harness.ts';
import { get, type ListBody } from '../read.ts';
import type { JudgedRecord } from './typed/rules.ts';
import { isAnswered, queriesOf, type JudgedQuery, type QueryList } from './query-list.ts';

/** The share of queries that must be answered. */
export const expectedShare = 0.9;

/** A directory that was imported, as a developer's key searches it. */
export interface SearchedDirectory extends AsyncDisposable {
  /** The ids in the source of the first five that v1 answers. */
  firstFive(text: string): Promise<readonly string[]>;
  /** Names by ids in the source. */
  readonly names: ReadonlyMap<string, string>;
  /** Categories by ids in the source, the main one first. */
  readonly categories: ReadonlyMap<string, readonly string[]>;
  /** Those that are public. */
  readonly records: readonly JudgedRecord[];
}

/** Imports the datapackage in this folder and approves all of it. `environment` may name servers. */
export async function searchedDirectory(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  now?: () => Date,
): Promise<SearchedDirectory> {
  const running = await startSystem({ environment, ...(now ? { now } : {}) });
  const names = new Map<string, string>();
  const categories = new Map<string, readonly string[]>();
  const records: JudgedRecord[] = [];
  const sourceIds = new Map<unknown, string>();
  const datapackage = await openDatapackage(folder);
  const importRecord = async ({ source_id, fields, status }: HsdsRecord) => {
    const source = { system: datapackage.name, id: source_id };
    const record = { team: commons.team, source, fields, active: status === 'active', approve: true };
    const { state } = await importResource(running.system, record, context());
    sourceIds.set(state?.svc_id, source_id);
    names.set(source_id, fields.name);
    if (status === 'active') records.push({ id: source_id, fields });
    categories.set(source_id, [fields.category, ...(fields.categories ?? [])]);
  };
  const imported: Promise<void>[] = [];
  for await (const item of datapackage.records())
    if (item.kind === 'record') imported.push(importRecord(item));
  await Promise.all(imported);
  datapackage.close();
  await running.caughtUp();
  const { bearer } = await running.key();

  return {
    names,
    categories,
    records,
    async firstFive(text) {
      const query = new URLSearchParams({ q: text, limit: '5' });
      const answer = await get(running.server, `${v1}?${query.toString()}`, bearer);
      if (answer.statusCode !== 200) throw new Error(`${text}: ${answer.statusCode} ${answer.body}`);
      return answer.json<ListBody>().data.map(({ svc_id }) => sourceIds.get(svc_id) ?? String(svc_id));
    },
    [Symbol.asyncDispose]: () => running.stop(),
  };
}

/** The names that the services of a list had when they were judged. */
export const namesIn = (file: string): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(
      JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Record<string, string>,
    ),
  );

interface Answer extends JudgedQuery {
  readonly firstFive: readonly string[];
  readonly answered: boolean;
}

/** What a directory answers to every query of a list. */
export async function answersTo(list: QueryList, directory: SearchedDirectory): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const query of queriesOf(list)) {
    const firstFive = await directory.firstFive(query.text);
    answers.push({ ...query, firstFive, answered: isAnswered(query, firstFive) });
  }
  return answers;
}

export const shareAnswered = (answers: readonly Answer[]): number =>
  answers.filter(({ answered }) => answered).length / answers.length;

/** success@5 by kind and together, and each query that was missed with what came instead. */
export function reportOf(title: string, answers: readonly Answer[], { names }: SearchedDirectory): string {
  const kinds = [...new Set(answers.map(({ kind }) => kind))];
  const line = (name: string, of: readonly Answer[]) => {
    const percent = Math.round(shareAnswered(of) * 100);
    const count = of.filter(({ answered }) => answered).length;
    return `  ${name.padEnd(24)}${String(count).padStart(4)} of ${String(of.length).padStart(3)}${String(percent).padStart(5)} %`;
  };
  const misses = answers
    .filter(({ answered }) => !answered)
    .map(({ kind, text, firstFive }) => {
      const instead = firstFive.map((id) => `${id} ${names.get(id) ?? ''}`).join('; ');
      return `  ${kind}: ${text}: ${instead === '' ? 'nothing' : instead}`;
    });
  return [
    `success@5, ${title}`,
    ...kinds.map((kind) =>
      line(
        kind,
        answers.filter((each) => each.kind === kind),
      ),
    ),
    line('together', answers),
    ...(misses.length > 0 ? ['missed, with what came instead', ...misses] : []),
  ].join('\n');
}
