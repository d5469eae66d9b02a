import { svcIdOf } from '../../events/ids.ts';
import {
  developerTier,
  resources,
  teamTier,
  type ResourceDocument,
} from '../../projections/directory/resources.ts';
import { placeOf, positionOf } from '../../projections/engine/place-of.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import { StoreError } from '../../stores/errors.ts';
import type { Collection, Documents } from '../../stores/documents/port.ts';
import { beginning, type Position } from '../../stores/event-store/port.ts';
import { openedMembers } from './people-members.ts';
import type { Tier } from './resource-queries.ts';

/** Entries of the feed, as JSON, in the order of the log. */
export interface ChangesPage {
  readonly entries: readonly string[];
  /** The position of the last entry; undefined when there is none. */
  readonly last: Position | undefined;
  readonly hasMore: boolean;
}

/** How often a page is read again because the generation that serves has changed. */
const mostAttempts = 10;

const shown = [
  'number',
  'listed',
  'updated_at',
  'card',
  'details',
  'people',
  'changed_place',
  'removed_at',
  'stale_at',
] as const;
type Row = Pick<ResourceDocument, (typeof shown)[number]>;

/** Reads the feed of changes: every resource that was ever public, at the place of its last public change. */
export class ResourceChanges {
  readonly #documents: Documents;
  readonly #resources: Collection<ResourceDocument>;
  readonly #personal: PersonalData;

  constructor(documents: Documents, personal: PersonalData) {
    this.#documents = documents;
    this.#personal = personal;
    this.#resources = documents.collection(resources.collection);
  }

  /** What a page holds for. */
  stamp(): Promise<string | undefined> {
    return this.#resources.stamp();
  }

  /**
   * The entries after a position, up to the checkpoint that was read before them. The documents of a batch are written
   * in any order and the checkpoint after them, so beyond it an earlier one may still be missing. What a later batch
   * moves beyond the checkpoint meanwhile is met there.
   *
   * That holds within one generation, so a page is read again when another has begun to serve.
   *
   * @throws StoreError unavailable
   */
  async after(
    position: Position,
    { tier, limit }: { readonly tier: Tier; readonly limit: number },
  ): Promise<ChangesPage> {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const before = await this.#serving();
      const rows = await this.#resources.select(
        {
          orderBy: ['changed_place'],
          // A text before every place: those that were never public have none, and are left out.
          after: [position === beginning ? '' : placeOf(position)],
          limit: limit + 1,
        },
        shown,
      );
      const after = await this.#serving();
      if (before?.generation === after?.generation) {
        return this.#pageOf(rows, before?.checkpoint ?? beginning, tier, limit);
      }
    }
    throw new StoreError('unavailable', 'The read model resources was replaced again and again.');
  }

  async #serving() {
    return (await this.#documents.progress()).get(resources.collection.name);
  }

  async #pageOf(rows: readonly Row[], checkpoint: Position, tier: Tier, limit: number): Promise<ChangesPage> {
    const whole = rows.filter((row) => changedAt(row) <= checkpoint);
    const page = whole.slice(0, limit);
    const last = page.at(-1);
    const render = tier === 'developer' ? developerTier : await this.#teamTier(page);
    return {
      entries: page.map((row) => entryOf(row, render)),
      last: last && changedAt(last),
      hasMore: whole.length > limit,
    };
  }

  async #teamTier(page: readonly Row[]): Promise<(row: Row) => string> {
    const people = await openedMembers(
      this.#personal,
      page.filter(({ removed_at }) => removed_at === undefined),
    );
    return (row) => teamTier(row, people(row));
  }
}

const changedAt = ({ changed_place = '-1' }: Row): Position => positionOf(changed_place);

function entryOf(row: Row, render: (row: Row) => string): string {
  const svc_id = svcIdOf(row.number);
  if (row.removed_at !== undefined) {
    return JSON.stringify({ svc_id, change: 'removed', changed_at: row.removed_at });
  }
  const { updated_at, stale_at = '' } = row;
  const changed_at = stale_at > updated_at ? stale_at : updated_at;
  const entry = JSON.stringify({ svc_id, change: 'upsert', changed_at });
  return `${entry.slice(0, -1)},"record":${render(row)}}`;
}
