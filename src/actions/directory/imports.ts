import type { Readable } from 'node:stream';
import { z } from 'zod';
import { CommandRefused, refusals } from '../../ground/refusals.ts';
import { line } from '../../events/define.ts';
import { sourceName } from '../../events/directory/source.ts';
import { misleads } from '../../events/display-name.ts';
import { defined } from '../../ground/defined.ts';
import { findSource } from '../../imports/choose-source.ts';
import type { ImportJobs } from '../../imports/import-jobs.ts';
import { takeNone, withChosen } from '../../imports/take.ts';
import type { ImportState } from '../../imports/import-state.ts';
import { sourcesOf } from '../../projections/directory/sources.ts';
import { UploadRefused, type UploadProblem } from '../../imports/uploads.ts';
import { action, personOf, type ActionParts, type Who } from '../action.ts';
import { isAllowed } from '../perform.ts';

/** What imports are decided about with. */
export interface ImportingParts extends ActionParts {
  readonly imports: ImportJobs;
}

export const right = 'import records';

/** A file that cannot be taken. */
export class FileRefused extends CommandRefused {
  readonly problem: UploadProblem;
  override readonly status: number;

  constructor({ code, message }: UploadRefused) {
    super('invalid', message);
    this.problem = code;
    this.status = statuses[code] ?? refusals.invalid;
  }
}

const statuses: Partial<Readonly<Record<UploadProblem, number>>> = {
  too_large: 413,
  wrong_type: 415,
  old_spreadsheet: 415,
  no_room: 507,
};

/**
 * Takes a file that brings the directory of a team up to date, and begins to compare. `id`: the same again is the same
 * import. `approve`: new records become public at once, if the person may decide that.
 */
export const beginImport = action({
  name: 'directory.begin-import',
  right,
  input: z.object({
    id: z.string(),
    file: z.custom<{ readonly name: string; readonly stream: Readable }>((file) => file !== undefined),
    source: line(200).optional(),
    approve: z.boolean(),
  }),
  async run({ imports }: ImportingParts, { id, file, source, approve }, { who }) {
    const begun = await imports
      .begin(
        {
          id,
          team: who.team ?? '',
          file: shownFileName(file.name),
          ...defined({ source }),
          approve: approve && reviews(who),
          by: personOf(who),
        },
        file.stream,
      )
      .catch((error: unknown) => {
        throw error instanceof UploadRefused ? new FileRefused(error) : error;
      });
    if (begun === 'busy') throw new CommandRefused('conflict', 'An import of your team is running.');
    return { changes: [], value: () => begun };
  },
});

const reviews = (who: Who): boolean => isAllowed({ right: 'review records' }, who);

/** Imports what was compared. What it does was decided by whoever sent the file; whoever begins it decides it again. */
export const startImport = action({
  name: 'directory.start-import',
  right,
  input: z.object({ id: z.string(), removeMissing: z.enum(['few', 'any']).optional() }),
  async run(parts: ImportingParts, { id, removeMissing }, { who }) {
    const state = await requireImport(parts, who, id);
    if (state.approve && !reviews(who))
      throw new CommandRefused(
        'forbidden',
        'New records would become public at once, and you may not decide that. Send the file again without it.',
      );
    if (state.phase === 'compared') {
      const { take } = await parts.imports.choices(state);
      await parts.imports.choose(state, defined({ take, removeMissing }));
    }
    await parts.imports.start(state, personOf(who));
    return { changes: [], value: () => state.id };
  },
});

/**
 * Chooses what becomes of fields that the source and people have both changed: of all, or of those that were shown, as
 * `id:field` with the id of the record in its source.
 */
export const chooseConflicts = action({
  name: 'directory.choose-conflicts',
  right,
  input: z.object({
    id: z.string(),
    all: z.enum(['keep', 'take']).optional(),
    some: z.object({ shown: z.array(z.string()), take: z.array(z.string()) }).optional(),
  }),
  async run(parts: ImportingParts, { id, all, some }, { who }) {
    const state = await requireImport(parts, who, id);
    if (state.phase !== 'compared')
      throw new CommandRefused('conflict', 'This import does not wait for a decision any more.');
    const choices = await parts.imports.choices(state);
    const take = some
      ? withChosen(choices.take ?? takeNone, some.shown, some.take)
      : all === 'take'
        ? ({ kind: 'all' } as const)
        : takeNone;
    await parts.imports.choose(state, { ...choices, take });
    return { changes: [], value: () => state.id };
  },
});

/** Says of which source a file is, where that was not clear. It is compared then. `name`: of a new source. */
export const answerSource = action({
  name: 'directory.answer-source',
  right,
  input: z.object({ id: z.string(), name: sourceName.optional() }),
  wrongField: { invalid: 'name' },
  async run(parts: ImportingParts, { id, name }, { who }) {
    const state = await requireImport(parts, who, id);
    const { question } = state;
    if (!question) throw new CommandRefused('conflict', 'The source of this import is known already.');
    if (name !== undefined && findSource(await sourcesOf(parts.documents, state.team), name))
      throw new CommandRefused(
        'invalid',
        `You have a source ${name} already. Give the new one another name.`,
      );
    const chosen = { source: name ?? question.source, same: name === undefined };
    await parts.imports.answerSource(state, { ...chosen, by: personOf(who) });
    return { changes: [], value: () => state.id };
  },
});

/** Ends an import that runs, or gives up one that waits. What was imported stays. */
export const cancelImport = action({
  name: 'directory.cancel-import',
  right,
  input: z.object({ id: z.string() }),
  async run(parts: ImportingParts, { id }, { who }) {
    const state = await requireImport(parts, who, id);
    await parts.imports.cancel(state, personOf(who));
    return { changes: [], value: () => state.id };
  },
});

/** Undefined for one of another team, too. */
export const findImport = (
  { imports }: Pick<ImportingParts, 'imports'>,
  team: string,
  id: string,
): Promise<ImportState | undefined> =>
  /^[0-9a-f-]{36}$/.test(id) ? imports.get(team, id) : Promise.resolve(undefined);

/** @throws CommandRefused not_found */
export async function requireImport(
  parts: ImportingParts,
  { team = '' }: Who,
  id: string,
): Promise<ImportState> {
  const state = await findImport(parts, team, id);
  if (!state) throw new CommandRefused('not_found', 'There is no such import.');
  return state;
}

/** Longer names are cut in the middle, so that the ending stays. */
const longest = 100;

/**
 * The name of a file that somebody has sent, to be shown: without folders, without signs that are invisible or turn the
 * direction of text, and short. Files are stored under another name.
 */
function shownFileName(sent: string): string {
  const name = sent
    .toWellFormed()
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{DI}]/gu, '')
    .trim();
  if (name === undefined || name === '' || misleads(name)) return 'file';
  return name.length <= longest ? name : `${name.slice(0, longest - 11)}…${name.slice(-10)}`.toWellFormed();
}
