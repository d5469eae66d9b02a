import { isDeepStrictEqual } from 'node:util';
import type { SaidContact } from './source-life.ts';

/** What is said of a record, field by field. */
export type Fields = Readonly<Record<string, unknown>> & { readonly contact?: SaidContact };

/** What a source publishes one month, by the ids that it gives its records. */
export type Published = ReadonlyMap<string, { readonly said: Fields; readonly active: boolean }>;

export type Status = 'submitted' | 'approved' | 'rejected' | 'inactive';

/** What must stand of one record. */
export interface Standing {
  /** What its source said last, without contacts that were erased. */
  readonly base: Fields;
  readonly mine: Fields;
  readonly status: Status;
  /** Its source, or the undoing of an import, has taken it out: not a reviewer. */
  readonly outBySource: boolean;
  /** It was taken out before anybody but an undone import had approved it. */
  readonly waited: boolean;
  /** It was announced once that it is approved. */
  readonly announced: boolean;
  /** The ids of contacts, in the source, that were erased. */
  readonly erased: readonly string[];
}

/** What an import has come to: numbers of records. */
export interface Counted {
  new: number;
  revised: number;
  approved: number;
  deactivated: number;
  reactivated: number;
  unchanged: number;
  conflicts: number;
  missing: number;
  left_out_erased: number;
}

export interface ImportChoices {
  readonly approve?: boolean;
  /** The fields of which what the source says is taken in a conflict. */
  readonly take?: 'all' | readonly string[];
  readonly removeMissing?: boolean;
}

/** What an import or a person did to a record: as it was, and as it became. Absent: there was none. */
interface Step {
  readonly id: string;
  readonly from: Standing | undefined;
  readonly to: Standing;
  /** The number of the import; absent: a person did it. */
  readonly of?: number;
}

/** A directory with one source, as the issue describes it: a map, and what was done to it. */
export class DirectoryModel {
  readonly #records = new Map<string, Standing>();
  readonly #steps: Step[] = [];
  #imports = 0;

  get records(): ReadonlyMap<string, Standing> {
    return this.#records;
  }

  /** Imports a publication. Its number is for `undo`. */
  import(published: Published, { approve, take = [], removeMissing }: ImportChoices): [number, Counted] {
    const of = ++this.#imports;
    const counted = nothingCounted();
    for (const [id, { said, active }] of published) {
      const from = this.#records.get(id);
      if (!from) {
        counted.new += 1;
        if (active && approve) counted.approved += 1;
        const status = active && approve ? 'approved' : 'submitted';
        const none = { outBySource: false, waited: false, announced: status === 'approved', erased: [] };
        this.#put({ id, from, to: { base: said, mine: said, status, ...none }, of });
        continue;
      }
      const theirs = withoutErased(said, from.erased);
      if (theirs.contact !== said.contact) counted.left_out_erased += 1;
      const { mine, conflicts } = merged(from, theirs, take);
      let to: Standing = { ...from, base: theirs, mine };
      if (!active && to.status === 'approved') to = { ...to, status: 'inactive', outBySource: true };
      if (active && to.status === 'inactive' && to.outBySource) to = back(to);
      if (active && approve && to.status === 'submitted') to = approved(to);
      if (conflicts > 0) counted.conflicts += 1;
      this.#count(counted, from, to);
      this.#put({ id, from, to, of });
    }
    for (const [id, from] of this.#records) {
      if (published.has(id) || (from.status !== 'approved' && from.status !== 'submitted')) continue;
      counted.missing += 1;
      if (!removeMissing) continue;
      const to = out(from);
      counted.deactivated += 1;
      this.#put({ id, from, to, of });
    }
    return [of, counted];
  }

  correct(id: string, field: string, value: unknown): void {
    const from = this.#get(id);
    this.#put({ id, from, to: { ...from, mine: withField(from.mine, field, value) } });
  }

  /** What a reviewer does. */
  decide(id: string, to: 'approved' | 'rejected' | 'out' | 'back'): void {
    const from = this.#get(id);
    if (to === 'back') this.#put({ id, from, to: back(from) });
    else if (to === 'out') this.#put({ id, from, to: { ...from, status: 'inactive', outBySource: false } });
    else this.#put({ id, from, to: to === 'approved' ? approved(from) : { ...from, status: to } });
  }

  /** The contact is erased for ever, from what stands and from what the source said. */
  erase(id: string): void {
    const from = this.#get(id);
    const erased = [...from.erased, ...(from.mine.contact ? [from.mine.contact.id] : [])];
    const [base, mine] = [withoutErased(from.base, erased), withoutErased(from.mine, erased)];
    this.#put({ id, from, to: { ...from, base, mine, erased } });
  }

  /** Answers the ids of records that stay, in whole or in part, because they were changed since. */
  undo(of: number): string[] {
    const left: string[] = [];
    for (const [id, now] of this.#records) {
      const steps = this.#steps.filter((step) => step.id === id);
      const [first] = steps;
      const own = steps.findIndex((step) => step.of === of);
      const step = steps[own];
      if (!first || !step) continue;
      const since = steps.slice(own + 1);
      if (first.of === of) {
        if (differ(withoutErased(step.to.mine, now.erased), now.mine)) left.push(id);
        else this.#undone(id, now, first.to.status === 'approved' ? outUnreviewed(now) : out(now));
        continue;
      }
      const [to, isLeft] = undone(now, step, since);
      this.#undone(id, now, to);
      if (isLeft) left.push(id);
    }
    return left;
  }

  #undone(id: string, from: Standing, to: Standing): void {
    this.#put({ id, from, to });
  }

  #count(counted: Counted, from: Standing, to: Standing): void {
    if (differ(from.mine, to.mine)) counted.revised += 1;
    const isBack = from.status === 'inactive' && to.status !== 'inactive';
    const becomesPublic = from.status !== 'approved' && to.status === 'approved';
    if (becomesPublic && !from.announced) counted.approved += 1;
    if (from.status === 'approved' && to.status === 'inactive') counted.deactivated += 1;
    if (isBack || (becomesPublic && from.announced)) counted.reactivated += 1;
    if (!differ(from.mine, to.mine) && from.status === to.status) counted.unchanged += 1;
  }

  #get(id: string): Standing {
    const standing = this.#records.get(id);
    if (!standing) throw new Error(`The model has no record ${id}`);
    return standing;
  }

  #put(step: Step): void {
    this.#records.set(step.id, step.to);
    this.#steps.push(step);
  }
}

/** A field that only one of the two has changed becomes what that one says; a field that both have changed stays. */
function merged({ base, mine }: Standing, theirs: Fields, take: 'all' | readonly string[]) {
  let next = mine;
  let conflicts = 0;
  for (const field of fieldsIn(base, mine, theirs)) {
    if (same(theirs[field], base[field]) || same(theirs[field], mine[field])) continue;
    const isConflict = !same(mine[field], base[field]);
    if (isConflict) conflicts += 1;
    if (!isConflict || take === 'all' || take.includes(field)) next = withField(next, field, theirs[field]);
  }
  return { mine: next, conflicts };
}

function undone(now: Standing, { from, to }: Step, since: readonly Step[]): [Standing, boolean] {
  if (!from) throw new Error('A record that the import made is taken out');
  let next = now;
  let isLeft = false;
  for (const field of fieldsIn(from.mine, to.mine)) {
    if (same(from.mine[field], to.mine[field]) || same(now.mine[field], from.mine[field])) continue;
    if (same(now.mine[field], to.mine[field])) {
      next = { ...next, mine: withoutErased(withField(next.mine, field, from.mine[field]), now.erased) };
    } else isLeft = true;
  }
  for (const field of fieldsIn(from.base, to.base))
    if (!same(from.base[field], to.base[field]) && same(now.base[field], to.base[field]))
      next = { ...next, base: withoutErased(withField(next.base, field, from.base[field]), now.erased) };
  if (from.status === to.status) return [next, isLeft];
  // A reviewer who rejects it takes it out as well.
  const decided = since.filter((step) => step.from?.status !== step.to.status);
  if (decided.some((step) => step.to.status !== 'rejected')) return [next, true];
  if (to.status === 'inactive') return [back(next), isLeft];
  if (from.status !== 'submitted') return [from.waited ? outUnreviewed(next) : out(next), isLeft];
  // The import approved what waited: it waits again.
  return [next.status === 'approved' ? { ...next, status: 'submitted' } : next, isLeft];
}

const approved = (standing: Standing): Standing => ({ ...standing, status: 'approved', announced: true });

/** Taken out so that it waits for review when it comes back. */
function outUnreviewed(standing: Standing): Standing {
  const gone = out(standing);
  return gone.status === 'inactive' && gone.outBySource ? { ...gone, waited: true } : gone;
}

const out = (standing: Standing): Standing =>
  standing.status === 'approved' || standing.status === 'submitted'
    ? { ...standing, status: 'inactive', outBySource: true, waited: standing.status === 'submitted' }
    : standing;

const back = (standing: Standing): Standing => ({
  ...standing,
  status: standing.waited ? 'submitted' : 'approved',
  outBySource: false,
  waited: false,
});

function withoutErased(said: Fields, erased: readonly string[]): Fields {
  return said.contact && erased.includes(said.contact.id) ? withField(said, 'contact', undefined) : said;
}

export function withField(said: Fields, field: string, value: unknown): Fields {
  const { [field]: _, ...others } = said;
  return value === undefined ? others : { ...others, [field]: value };
}

const fieldsIn = (...all: readonly Fields[]): string[] => [
  ...new Set(all.flatMap((fields) => Object.keys(fields))),
];

/** The ids of contacts are the source's own: what is said of a person counts. */
function same(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(withoutId(one), withoutId(other));
}

function withoutId(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('id' in value)) return value;
  return { ...value, id: undefined };
}

const differ = (one: Fields, other: Fields): boolean =>
  fieldsIn(one, other).some((field) => !same(one[field], other[field]));

const nothingCounted = (): Counted => ({
  ...{ new: 0, revised: 0, approved: 0, deactivated: 0, reactivated: 0 },
  ...{ unchanged: 0, conflicts: 0, missing: 0, left_out_erased: 0 },
});
