import { CommandRefused } from '../ground/refusals.ts';
import { importedSvcId } from '../commands/directory/import-record.ts';
import { commandSource } from '../commands/directory/source.ts';
import { counted } from '../ground/counted.ts';
import type { NamedService } from '../hsds/source/named-services.ts';
import { sourcesOf, type SourceDocument } from '../projections/directory/sources.ts';
import { resources, type ResourceDocument } from '../projections/directory/resources.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { ImportParts } from './import-datapackage.ts';

/** The source of an import. */
export interface ChosenSource {
  /** As it stands in the records. */
  readonly source: string;
  readonly name: string;
}

/** What somebody said about the source of a file. Nothing: the file proposes it. */
export interface SourceInput {
  /** A source of the team by its name or id, or the name of a new one. */
  readonly source?: string | undefined;
  /** A source of the team by its name or id. The file is of this source, however it looks. */
  readonly sameAs?: string | undefined;
}

/** What a file says of its services: so many from all over it, or all. */
export type NamesOf = (most?: number) => Promise<readonly NamedService[]>;

/**
 * Why the source of a file is not clear.
 *
 * - same: half of the file or more is here already from another source
 * - names: most records with the same ids have other names there
 * - none: no record of the file is here from the source that has its name
 */
export type SourceDoubt = 'same' | 'names' | 'none';

/** The source of a file is not clear, so nothing is imported: two sources would be mixed up, or one doubled. */
export class SourceQuestion extends CommandRefused {
  readonly doubt: SourceDoubt;
  readonly of: ChosenSource;

  constructor(doubt: SourceDoubt, of: ChosenSource, sentence: string) {
    super('conflict', sentence);
    this.doubt = doubt;
    this.of = of;
  }
}

/** So many services are looked at before anybody is asked: two sources that share none of them are two. */
const sampled = 200;
/** Records that are looked up at a time. */
const atOnce = 500;

/**
 * The source of a file: the one that is named, else the one that the team has under the name of the file, else a new one
 * of that name. A new source has its first name as its id.
 * @throws SourceQuestion, CommandRefused not_found, conflict
 */
export async function chooseSource(
  documents: Pick<Documents, 'collection'>,
  names: NamesOf,
  { team, proposed, source, sameAs }: SourceInput & { readonly team: string; readonly proposed: string },
): Promise<ChosenSource> {
  const all = await sourcesOf(documents, team);
  if (sameAs !== undefined) return chosen(requireSource(all, sameAs));
  const found = findSource(all, source ?? proposed);
  if (source !== undefined && !found) return { source, name: source };
  const compare = (each: SourceDocument, most?: number) => compared(documents, names, each, most);

  const own = found && (await compare(found, sampled));
  if (found && own && own.present > 1 && 2 * own.alike < own.present && source !== undefined)
    throw await doubt('names', found, compare);
  if (source === undefined) {
    const others: Compared[] = [];
    for (const each of all) if (each !== found) others.push(await compare(each, sampled));
    const [nearest] = others.sort((one, other) => other.alike - one.alike);
    if (nearest && 2 * nearest.alike >= nearest.all && nearest.alike > (own?.alike ?? 0))
      throw await doubt('same', nearest.source, compare);
    if (found && own && own.present > 1 && 2 * own.alike < own.present)
      throw await doubt('names', found, compare);
    // An import that was cut off may have left few records, so all are looked for before anybody is asked.
    if (found?.newest_record_on !== undefined && own?.present === 0 && (await compare(found)).present === 0)
      throw await doubt('none', found, compare);
  }
  return found ? chosen(found) : { source: proposed, name: proposed };
}

const chosen = ({ source, name }: SourceDocument): ChosenSource => ({ source, name });

/** The source of a team with this name or id. Names come first, because people see them. */
export const findSource = (all: readonly SourceDocument[], text: string): SourceDocument | undefined =>
  all.find(({ name }) => name === text) ??
  all.find(({ source }) => source === text) ??
  all.find(({ name }) => name.toLowerCase() === text.toLowerCase());

/** @throws CommandRefused not_found */
export function requireSource(all: readonly SourceDocument[], text: string): SourceDocument {
  const found = findSource(all, text);
  if (found) return found;
  const names = all.map(({ name }) => name).join(', ');
  throw new CommandRefused(
    'not_found',
    names === '' ? 'The team has no source yet.' : `The team has no source ${text}. It has: ${names}.`,
  );
}

/** How much of a file is here from a source. */
interface Compared {
  readonly source: SourceDocument;
  /** Services that were looked for. */
  readonly all: number;
  /** Those that are here. */
  readonly present: number;
  /** Those that are here under about the same name. */
  readonly alike: number;
}

async function compared(
  documents: Pick<Documents, 'collection'>,
  names: NamesOf,
  source: SourceDocument,
  most?: number,
): Promise<Compared> {
  const services = (await names(most)).filter(({ name }) => name !== '');
  const collection = documents.collection(resources.collection);
  let [present, alike] = [0, 0];
  for (let from = 0; from < services.length; from += atOnce) {
    const part = services.slice(from, from + atOnce);
    const ids = part.map(({ id }) => importedSvcId(source.team, { system: source.source, id }));
    const found = await collection.getMany(ids);
    part.forEach(({ name, id }, place) => {
      const record = found.get(ids[place] ?? '');
      if (record?.source?.system !== source.source || record.source.id !== id) return;
      present += 1;
      if (areAlike(name, nameIn(record))) alike += 1;
    });
  }
  return { source, all: services.length, present, alike };
}

/** Counts exactly what made it doubtful. */
async function doubt(
  kind: SourceDoubt,
  source: SourceDocument,
  compare: (each: SourceDocument) => Promise<Compared>,
): Promise<SourceQuestion> {
  const { all, present, alike } = await compare(source);
  const { name } = source;
  const number = (count: number): string => count.toLocaleString('en');
  const sentences: Readonly<Record<SourceDoubt, string>> = {
    same: `${number(alike)} of ${number(all)} are here already from ${name}. The same source?`,
    names: `${number(present)} of ${number(all)} have the ids of records from ${name}, but ${number(present - alike)} of these have other names there. The same source?`,
    none: `None of the ${counted(all, 'service')} in the file is here from ${name}, which has the same name and other records. The same source?`,
  };
  return new SourceQuestion(kind, chosen(source), sentences[kind]);
}

const nameIn = ({ card }: ResourceDocument): string =>
  (JSON.parse(`{${card}}`) as { readonly name: string }).name;

/** Names that differ in signs and capitals, that hold one another, or that share most words. */
function areAlike(one: string, other: string): boolean {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared === Math.min(left.size, right.size) || 2 * shared >= left.size + right.size - shared;
}

const wordsOf = (name: string): ReadonlySet<string> =>
  new Set(
    name
      .normalize('NFKD')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );

/** How long an import waits until its source is listed. It is recorded by then. */
const listedWithinMs = 5_000;

/** Gives the source of an import its name, if it has none yet. */
export async function nameSource(
  parts: ImportParts,
  { team, source, name }: ChosenSource & { readonly team: string },
): Promise<void> {
  const outcome = await commandSource(parts.store, { kind: 'name', team, source, name }, parts.context());
  if (outcome.events.length > 0) await parts.waitUntilVisible([outcome], listedWithinMs);
}
