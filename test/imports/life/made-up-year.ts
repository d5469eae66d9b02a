import { expect } from 'vitest';
import { chanceOf, type Chance } from '../../faults/seeded-random.ts';
import {
  DirectoryModel,
  type Counted,
  type Fields,
  type ImportChoices,
  type Standing,
  type Status,
} from './directory-model.ts';
import { SourceLife, textFields, type Publication, type SaidContact } from './source-life.ts';

export type Decision = 'approved' | 'rejected' | 'out' | 'back';

/** What is found of one record. */
export interface Found {
  readonly mine: Fields;
  /** Absent where only what stands can be looked at. */
  readonly base?: Fields;
  readonly status: Status;
  /** How often it was announced as approved. */
  readonly approvals: number;
}

/** A directory with one source that a made-up year can be lived in. Records have the ids of the source. */
export interface LivedDirectory {
  import(
    published: Publication,
    choices: ImportChoices,
  ): Promise<{ readonly of: number; readonly counted?: Partial<Counted> }>;
  correct(id: string, field: string, value: unknown): Promise<void>;
  decide(id: string, to: Decision): Promise<void>;
  /** Erases the contact of a record. Absent: the directory knows no persons. */
  erase?(id: string): Promise<void>;
  /** Answers the records that stay, in whole or in part. */
  undo(of: number): Promise<readonly string[]>;
  standing(): Promise<ReadonlyMap<string, Found>>;
}

/**
 * Lives months in a directory: each month its source publishes, people correct and decide, a contact is erased, and
 * now and then an import is undone. After each step the directory must stand as the model says.
 */
export async function liveAYear(
  directory: LivedDirectory,
  seed: number,
  services: number,
  months = 12,
): Promise<void> {
  const chance = chanceOf(seed);
  const source = new SourceLife(chance, services);
  const model = new DirectoryModel();
  const imports: number[] = [];
  for (let month = 1; month <= months; month++) {
    const when = `seed ${seed}, month ${month}`;
    if (month > 1) source.live();
    await liveAmongPeople(directory, model, source, chance);
    await check(directory, model, `${when}, before its import`);
    const published = directory.erase ? source.published() : withoutContacts(source.published());
    const choices = choicesOf(chance);
    const [of, counted] = model.import(published, choices);
    const imported = await directory.import(published, choices);
    imports.push(of);
    await check(directory, model, `${when}, after its import`);
    // A directory may count some of it alone.
    expect(counted, `${when}, its report`).toMatchObject(imported.counted ?? {});
    if (!chance.happens(0.3)) continue;
    const last = imports.length - 1;
    const [undone = of] = imports.splice(chance.happens(0.7) ? last : chance.count(0, last), 1);
    const left = model.undo(undone);
    const stays = await directory.undo(undone);
    await check(directory, model, `${when}, after undoing import ${undone}`);
    expect([...stays].sort(), `${when}, what undoing import ${undone} leaves`).toEqual(left.sort());
  }
}

const choicesOf = (chance: Chance): ImportChoices => ({
  approve: chance.happens(0.6),
  removeMissing: chance.happens(0.7),
  take: chance.happens(0.2) ? 'all' : chance.happens(0.2) ? ['description', 'alert'] : [],
});

async function liveAmongPeople(
  directory: LivedDirectory,
  model: DirectoryModel,
  source: SourceLife,
  chance: Chance,
): Promise<void> {
  for (const [id] of model.records) {
    if (chance.happens(0.15)) {
      const field = textFields[chance.count(0, textFields.length - 2)] ?? 'name';
      const text = source.text(field);
      model.correct(id, field, text);
      await directory.correct(id, field, text);
    }
    if (directory.erase) await liveWithContact(directory, model, id, chance);
    const decision = decisionOf(model.records.get(id), chance.number());
    if (!decision) continue;
    model.decide(id, decision);
    await directory.decide(id, decision);
  }
}

async function liveWithContact(
  directory: LivedDirectory,
  model: DirectoryModel,
  id: string,
  chance: Chance,
): Promise<void> {
  const contact = model.records.get(id)?.mine.contact;
  if (!contact) return;
  if (chance.happens(0.02)) {
    model.erase(id);
    await directory.erase?.(id);
  } else if (chance.happens(0.1)) {
    const corrected: SaidContact | undefined = chance.happens(0.8)
      ? { ...contact, email: `office-${chance.count(1, 99)}@example.org` }
      : undefined;
    model.correct(id, 'contact', corrected);
    await directory.correct(id, 'contact', corrected);
  }
}

function decisionOf(standing: Standing | undefined, number: number): Decision | undefined {
  switch (standing?.status) {
    case 'submitted':
      return number < 0.4 ? 'approved' : number < 0.45 ? 'rejected' : undefined;
    case 'approved':
      return number < 0.03 ? 'out' : undefined;
    case 'inactive':
      return number < 0.2 && !standing.outBySource ? 'back' : undefined;
    case 'rejected':
    case undefined:
      return undefined;
  }
}

async function check(directory: LivedDirectory, model: DirectoryModel, when: string): Promise<void> {
  const standing = await directory.standing();
  const found = [...standing].map(([id, { approvals: _, ...rest }]) => [id, rest]);
  const expected = [...model.records].map(([id, { mine, base, status }]) => {
    const hasBase = standing.get(id)?.base !== undefined;
    return [id, { mine: plain(mine), status, ...(hasBase ? { base: plain(base) } : {}) }];
  });
  expect(Object.fromEntries(found), when).toEqual(Object.fromEntries(expected));
  const twice = [...standing].filter(([, { approvals }]) => approvals > 1);
  expect(twice, `${when}: announced as approved twice`).toEqual([]);
}

/** The ids of contacts are the source's own. */
function plain(said: Fields): unknown {
  if (!said.contact) return said;
  const { id: _, ...contact } = said.contact;
  return { ...said, contact };
}

const withoutContacts = (published: Publication): Publication =>
  new Map(
    [...published].map(
      ([
        id,
        {
          said: { contact: _, ...said },
          active,
        },
      ]) => [id, { said, active }],
    ),
  );
