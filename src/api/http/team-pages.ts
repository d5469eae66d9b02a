import { z } from 'zod';
import type { MasterKey } from '../../ground/master-key.ts';
import type { Scalar } from '../../stores/documents/port.ts';
import { ListCursors } from './list-cursors.ts';
import { readParameters } from './read-parameters.ts';

/** The query of a list of one team, checked and documented by one schema. */
export const pageQuery = z.strictObject({
  limit: z
    .int({ error: 'must be a whole number' })
    .min(1, { error: 'must be at least 1' })
    .max(100, { error: 'must be at most 100' })
    .default(25)
    .describe('Page size.'),
  cursor: z
    .string()
    .max(8_000, { error: 'is too long' })
    .optional()
    .describe('next_cursor of the page before.'),
});

/** A list in answers: `data`, and how it goes on. */
export const pageOf = <Entry extends z.ZodType>(entry: Entry) =>
  z.object({ data: z.array(entry), has_more: z.boolean(), next_cursor: z.string().nullable() });

type Place = readonly Scalar[];

/** What a request asks of a list. */
export interface PageRequest<Query = z.output<typeof pageQuery>> {
  /** The team, and what else the list is of. */
  readonly team: string;
  /** One more document than fits on the page is read: it tells whether the list goes on. */
  readonly reading: { readonly limit: number; readonly after?: Place };
  readonly limit: number;
  /** All parameters that the list has. */
  readonly query: Query;
}

/** Keyset pages of a list of one team. */
export class TeamPages<Doc extends object> {
  readonly #cursors: ListCursors<Place>;
  readonly #orderBy: readonly (keyof Doc & string)[];

  /** `list`: its name, for cursors. `orderBy`: the fields of its order, together unique. */
  constructor(masterKey: MasterKey, list: string, orderBy: readonly (keyof Doc & string)[]) {
    this.#orderBy = orderBy;
    this.#cursors = new ListCursors(masterKey, list);
  }

  /**
   * Reads the query of a request, by a schema that extends `pageQuery` where the list has parameters of its own.
   * @throws Problem, BadQuery naming the parameter
   */
  requestOf(target: string, team: string): PageRequest;
  requestOf<Schema extends typeof pageQuery>(
    target: string,
    team: string,
    schema: Schema,
  ): PageRequest<z.output<Schema>>;
  requestOf(target: string, team: string, schema: typeof pageQuery = pageQuery): PageRequest {
    const query = readParameters(target, schema);
    const { limit, cursor } = query;
    const after = this.#cursors.open(cursor, team);
    return { team, limit, query, reading: { limit: limit + 1, ...(after ? { after } : {}) } };
  }

  /** The page of what was read, and the members of the answer that tell how the list goes on. */
  page({ team, limit }: PageRequest<unknown>, read: readonly Doc[]): Page<Doc> {
    return pageIn(read, limit, (last) =>
      this.#cursors.seal(
        team,
        this.#orderBy.map((field) => last[field] as Scalar),
      ),
    );
  }
}

interface Page<Doc> {
  readonly docs: readonly Doc[];
  readonly rest: { readonly has_more: boolean; readonly next_cursor: string | null };
}

/** The page in documents of which one more was read than fits. `cursorAt`: how the list goes on after one. */
export function pageIn<Doc>(read: readonly Doc[], limit: number, cursorAt: (last: Doc) => string): Page<Doc> {
  const docs = read.slice(0, limit);
  const last = read.length > limit ? docs.at(-1) : undefined;
  const next_cursor = last === undefined ? null : cursorAt(last);
  return { docs, rest: { has_more: last !== undefined, next_cursor } };
}
