import { z } from 'zod';
import type { MasterKey } from '../../../stores/vault/seal.ts';
import type { Scalar } from '../../../stores/documents/port.ts';
import { resourceProblem } from '../api-errors.ts';
import { AuthenticatedValue } from './authenticated-value.ts';
import { queryOf, readQuery } from '../query-string.ts';

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

interface TeamCursor {
  readonly team: string;
  readonly place: Place;
}

/** What a request asks of a list. */
export interface AskedPage {
  readonly team: string;
  /** One more document than fits on the page is read: it tells whether the list goes on. */
  readonly reading: { readonly limit: number; readonly after?: Place };
  readonly limit: number;
  /** The other parameters that were asked for, as they were given. */
  readonly others: Readonly<Record<string, string | undefined>>;
}

/**
 * Keyset pages of a list of one team. A cursor is authenticated, is good for one list and one team, and carries no
 * authority: each request is authorised again.
 */
export class TeamPages<Doc extends object> {
  readonly #cursors: AuthenticatedValue<TeamCursor, readonly [string, Place]>;
  readonly #orderBy: readonly (keyof Doc & string)[];

  /** `list`: its name, for cursors. `orderBy`: the fields of its order, together unique. */
  constructor(masterKey: MasterKey, list: string, orderBy: readonly (keyof Doc & string)[]) {
    this.#orderBy = orderBy;
    this.#cursors = new AuthenticatedValue(masterKey, `${list}-cursor`, {
      write: ({ team, place }) => [team, place] as const,
      read: ([team, place]) => ({ team, place }),
    });
  }

  /**
   * Reads the query of a request. `otherNames`: parameters that the list has beside its pages.
   * @throws Problem, BadQuery naming the parameter
   */
  asked(target: string, team: string, otherNames: readonly string[] = []): AskedPage {
    const query = readQuery(queryOf(target), ['limit', 'cursor', ...otherNames]);
    const { limit: size, cursor: text, ...others } = query;
    const read = pageQuery.safeParse({
      cursor: text,
      ...(size === undefined ? {} : { limit: /^\d{1,9}$/.test(size) ? Number(size) : size }),
    });
    if (!read.success) {
      const [issue] = read.error.issues;
      throw resourceProblem(
        'invalid_parameter',
        `${String(issue?.path[0])} ${issue?.message ?? 'is not valid'}.`,
      );
    }
    const { limit, cursor: sealed } = read.data;
    if (sealed === undefined) return { team, limit, others, reading: { limit: limit + 1 } };
    const cursor = this.#cursors.open(sealed);
    if (cursor?.team !== team) {
      throw resourceProblem('invalid_cursor', 'The cursor was not given out by this list, or was changed.');
    }
    return { team, limit, others, reading: { limit: limit + 1, after: cursor.place } };
  }

  /** The page of what was read, and the members of the answer that tell how the list goes on. */
  page(
    { team, limit }: AskedPage,
    read: readonly Doc[],
  ): { readonly docs: readonly Doc[]; readonly rest: { has_more: boolean; next_cursor: string | null } } {
    const docs = read.slice(0, limit);
    const last = read.length > limit ? docs.at(-1) : undefined;
    if (!last) return { docs, rest: { has_more: false, next_cursor: null } };
    const place = this.#orderBy.map((field) => last[field] as Scalar);
    return { docs, rest: { has_more: true, next_cursor: this.#cursors.seal({ team, place }) } };
  }
}
