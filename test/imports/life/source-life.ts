import type { Chance } from '../../faults/seeded-random.ts';

/** The fields of which a made-up source says something, each a text. */
export const textFields = [
  'name',
  'description',
  'eligibility',
  'how_to_apply',
  'alert',
  'url',
  'email',
  'phone',
  'last_modified',
] as const;
export type TextField = (typeof textFields)[number];

/** The person to ask for. `id` is that of the source. */
export interface SaidContact {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
}

/** What a source says of one service. */
export type Said = { readonly [Name in TextField]?: string } & {
  readonly name: string;
  readonly contact?: SaidContact;
};

export interface SourceRecord {
  readonly said: Said;
  readonly active: boolean;
}

/** What a source publishes one month, by the ids that it gives its services. */
export type Publication = ReadonlyMap<string, SourceRecord>;

/** How often a month brings what, for each service. */
const often = {
  changes: 0.15,
  contactChanges: 0.06,
  ends: 0.04,
  comesBack: 0.3,
  activeChanges: 0.03,
};

/** A made-up source, which publishes something new every month. */
export class SourceLife {
  readonly #chance: Chance;
  readonly #here = new Map<string, SourceRecord>();
  readonly #gone = new Map<string, SourceRecord>();
  #month = 0;
  #drawn = 0;

  constructor(chance: Chance, services: number) {
    this.#chance = chance;
    for (let n = 0; n < services; n++) this.#begin();
  }

  /** What it publishes now. */
  published(): Publication {
    return new Map(this.#here);
  }

  /** Lives for a month. */
  live(): void {
    this.#month += 1;
    for (const [id, record] of [...this.#gone])
      if (this.#chance.happens(often.comesBack)) {
        this.#gone.delete(id);
        this.#here.set(id, this.#chance.happens(0.5) ? this.#changed(record) : record);
      }
    for (const [id, record] of [...this.#here]) {
      if (this.#chance.happens(often.ends)) {
        this.#here.delete(id);
        this.#gone.set(id, record);
      } else if (this.#chance.happens(often.changes)) this.#here.set(id, this.#changed(record));
      else if (this.#chance.happens(often.contactChanges)) this.#here.set(id, this.#otherContact(id, record));
      else if (this.#chance.happens(often.activeChanges))
        this.#here.set(id, { ...record, active: !record.active });
    }
    for (let n = this.#chance.count(0, 3); n > 0; n--) this.#begin();
  }

  /** What somebody could write into this field: now and then what another one would write too. */
  text(field: TextField): string | undefined {
    return this.#chance.happens(0.1) && field !== 'name'
      ? undefined
      : textOf(field, this.#chance.count(1, 40));
  }

  #begin(): void {
    this.#drawn += 1;
    const n = this.#drawn;
    const optional = textFields.filter((field) => field !== 'name' && this.#chance.happens(0.7));
    const texts = Object.fromEntries(optional.map((field) => [field, textOf(field, n)]));
    const contact = this.#chance.happens(0.5) ? { contact: contactOf(`s${n}`, n) } : {};
    this.#here.set(`s${n}`, {
      said: { ...texts, ...contact, name: textOf('name', n), last_modified: this.#day() },
      active: !this.#chance.happens(0.05),
    });
  }

  #changed(record: SourceRecord): SourceRecord {
    const fields = textFields.filter((field) => field !== 'last_modified' && this.#chance.happens(0.25));
    const said = fields.reduce((saying, field) => saidWith(saying, field, this.text(field)), record.said);
    return { ...record, said: { ...said, last_modified: this.#day() } };
  }

  #otherContact(id: string, record: SourceRecord): SourceRecord {
    const { contact, ...said } = record.said;
    if (contact && this.#chance.happens(0.3)) return { ...record, said };
    // A new person has a new id; a person who has another address keeps it.
    const next =
      contact && this.#chance.happens(0.5)
        ? { ...contact, email: `desk-${this.#month}-${id}@example.org` }
        : contactOf(`${id}-${this.#month}`, this.#chance.count(100, 999));
    return { ...record, said: { ...said, contact: next } };
  }

  #day(): string {
    return `2026-${String((this.#month % 12) + 1).padStart(2, '0')}-${String(this.#chance.count(1, 28)).padStart(2, '0')}`;
  }
}

/** The same with this text in the field; without the field when there is none. */
export function saidWith(said: Said, field: TextField, text: string | undefined): Said {
  const next: Record<string, unknown> = { ...said };
  if (text === undefined) Reflect.deleteProperty(next, field);
  else next[field] = text;
  return next as unknown as Said;
}

function textOf(field: TextField, n: number): string {
  switch (field) {
    case 'name':
      return `Pantry number ${n} of the harbour`;
    case 'url':
      return `https://www.example.org/pantry/${n}`;
    case 'email':
      return `pantry-${n}@example.org`;
    case 'phone':
      return `555-01${String(n % 100).padStart(2, '0')}`;
    case 'last_modified':
      return '2026-01-01';
    case 'description':
    case 'eligibility':
    case 'how_to_apply':
    case 'alert':
      return `What text ${n} says about ${field.replaceAll('_', ' ')}.`;
  }
}

const contactOf = (id: string, n: number): SaidContact => ({
  id: `contact-${id}`,
  name: `Robin Example ${n}`,
  email: `robin-${n}@example.org`,
});

/** The files of HSDS 3 in which a source publishes. */
export function filesOf(
  published: Publication,
  name = 'human_services_data',
): Readonly<Record<string, string>> {
  const records = [...published];
  return {
    'datapackage.json': JSON.stringify({ name }),
    'organizations.csv': csv(['id', 'name'], [['o1', 'Harbour Aid']]),
    'services.csv': csv(
      [
        ...['id', 'organization_id', 'name', 'description', 'eligibility_description', 'application_process'],
        ...['alert', 'url', 'email', 'last_modified', 'status'],
      ],
      records.map(([id, { said, active }]) => [
        ...[id, 'o1', said.name, said.description, said.eligibility, said.how_to_apply],
        ...[said.alert, said.url, said.email, said.last_modified, active ? 'active' : 'inactive'],
      ]),
    ),
    'phones.csv': csv(
      ['id', 'service_id', 'number'],
      records.flatMap(([id, { said }]) => (said.phone === undefined ? [] : [[`p-${id}`, id, said.phone]])),
    ),
    'contacts.csv': csv(
      ['id', 'service_id', 'name', 'email'],
      records.flatMap(
        ([
          id,
          {
            said: { contact },
          },
        ]) => (contact ? [[contact.id, id, contact.name, contact.email]] : []),
      ),
    ),
  };
}

const csv = (columns: readonly string[], rows: readonly (readonly (string | undefined)[])[]): string =>
  [columns, ...rows].map((row) => row.map(quoted).join(',')).join('\n') + '\n';

const quoted = (text = ''): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
