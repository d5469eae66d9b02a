import { importResource } from '../../../src/commands/directory/import-record.ts';
import {
  commandResource,
  eraseResourcePerson,
  removeMissing,
  undoResource,
  type CommandOnResource,
} from '../../../src/commands/directory/resource.ts';
import { resource } from '../../../src/commands/directory/resource-decider.ts';
import { openPeople } from '../../../src/commands/directory/sealed-people.ts';
import { load } from '../../../src/commands/command-handler.ts';
import { streamName } from '../../../src/events/define.ts';
import type { Contact } from '../../../src/events/directory/contact.ts';
import type { ResourceFields, UnsealedFields } from '../../../src/events/directory/resource-fields.ts';
import { resourceStream } from '../../../src/events/directory/resource.ts';
import { aCommand } from '../../support/context.ts';
import type { Stores } from '../../support/stores.ts';
import type { ImportChoices } from './directory-model.ts';
import type { Decision, Found, LivedDirectory } from './made-up-year.ts';
import { textFields, type Publication, type Said, type SaidContact } from './source-life.ts';

const team = 'harbour';

type Parts = Pick<Stores, 'store' | 'personal'>;

/** Commands on the stores of a folder: a directory with one source. */
export class StoredDirectory implements LivedDirectory {
  readonly #stores: Parts;
  /** The svc_ids by the ids of the source. */
  readonly #known = new Map<string, string>();
  readonly #imports = new Map<number, { readonly correlationId: string; readonly causationId: string }>();

  constructor(stores: Parts) {
    this.#stores = stores;
  }

  async import(published: Publication, { approve = false, take, removeMissing: removes }: ImportChoices) {
    const of = this.#imports.size + 1;
    const ids = { correlationId: crypto.randomUUID(), causationId: crypto.randomUUID() };
    this.#imports.set(of, ids);
    const counted = { conflicts: 0, left_out_erased: 0 };
    for (const [id, { said, active }] of published) {
      const outcome = await importResource(
        this.#stores,
        { team, source: { system: 'county', id }, fields: fieldsOf(said), active, approve, take },
        aCommand(ids),
      );
      this.#known.set(id, outcome.state?.svc_id ?? '');
      if (outcome.conflicts.length > 0) counted.conflicts += 1;
      counted.left_out_erased += outcome.erased;
    }
    if (removes)
      for (const [id, svcId] of this.#known)
        if (!published.has(id)) await removeMissing(this.#stores, svcId, aCommand(ids));
    return { of, counted };
  }

  /** Another way has made these records. */
  know(svcIds: ReadonlyMap<string, string>): void {
    for (const [id, svcId] of svcIds) this.#known.set(id, svcId);
  }

  async correct(id: string, field: string, value: unknown): Promise<void> {
    await this.#command(id, { kind: 'revise', change: await this.#changeOf(id, field, value) });
  }

  async decide(id: string, to: Decision): Promise<void> {
    const commands: Record<Decision, CommandOnResource> = {
      approved: { kind: 'approve' },
      rejected: { kind: 'reject', reason: 'It is closed.' },
      out: { kind: 'deactivate', reason: 'It is closed.' },
      back: { kind: 'reactivate' },
    };
    await this.#command(id, commands[to]);
  }

  async erase(id: string): Promise<void> {
    const svcId = this.#svcId(id);
    const { state } = await load(this.#stores.store, resource, svcId);
    const person = state?.fields.contacts?.[0]?.person ?? '';
    await eraseResourcePerson(this.#stores, svcId, { person }, aCommand());
  }

  async undo(of: number): Promise<string[]> {
    const ids = this.#imports.get(of);
    if (!ids) throw new Error(`There is no import ${of}`);
    const left: string[] = [];
    const { correlationId } = ids;
    for (const [id, svcId] of this.#known) {
      const history = await this.#stores.store.readStream(streamName(resourceStream, svcId));
      if (!history.some(({ metadata }) => metadata['correlation_id'] === correlationId)) continue;
      const context = aCommand({ correlationId, causationId: crypto.randomUUID() });
      const outcome = await undoResource(
        this.#stores,
        svcId,
        { ...ids, reason: 'The import was undone.' },
        context,
      );
      if (outcome.left.length > 0) left.push(id);
    }
    return left;
  }

  async standing(): Promise<Map<string, Found>> {
    const found = [...this.#known].map(async ([id, svcId]) => {
      const { store } = this.#stores;
      const [{ state }, history] = await Promise.all([
        load(store, resource, svcId),
        store.readStream(streamName(resourceStream, svcId)),
      ]);
      if (!state) throw new Error(`${id} has no state`);
      const { fields, base = fields, status } = state;
      const [mine, theirs] = await Promise.all([this.#saidIn(fields), this.#saidIn(base)]);
      const approvals = history.filter(({ type }) => type === 'ResourceApproved').length;
      return [id, { mine, base: theirs, status, approvals }] as const;
    });
    return new Map(await Promise.all(found));
  }

  async #saidIn(fields: ResourceFields): Promise<Said> {
    const { phones, contacts: _, ...texts } = fields as ResourceFields & Record<string, string | undefined>;
    const said = textFields.flatMap((field) => (texts[field] === undefined ? [] : [[field, texts[field]]]));
    const [phone] = (phones ?? []) as { number: string }[];
    const [people] = await openPeople(this.#stores.personal, [fields]);
    const [contact] = people?.contacts ?? [];
    return {
      ...Object.fromEntries(said),
      ...(phone ? { phone: phone.number } : {}),
      ...(contact ? { contact: { name: contact.name, email: contact.email } } : {}),
    } as Said;
  }

  /** The person who is corrected stays the same person. */
  async #changeOf(id: string, field: string, value: unknown) {
    if (field === 'phone') return { phones: value === undefined ? null : [{ number: value as string }] };
    if (field !== 'contact') return { [field]: value ?? null };
    if (value === undefined) return { contacts: null };
    const { state } = await load(this.#stores.store, resource, this.#svcId(id));
    const person = state?.fields.contacts?.[0]?.person;
    return { contacts: [{ ...contactOf(value as SaidContact), ...(person ? { id: person } : {}) }] };
  }

  #svcId(id: string): string {
    return this.#known.get(id) ?? '';
  }

  async #command(id: string, command: CommandOnResource): Promise<void> {
    await commandResource(this.#stores, this.#svcId(id), command, aCommand());
  }
}

function fieldsOf({ contact, phone, ...said }: Said): UnsealedFields {
  return {
    category: 'other',
    ...said,
    ...(phone === undefined ? {} : { phones: [{ number: phone }] }),
    ...(contact ? { contacts: [{ ...contactOf(contact), id: contact.id }] } : {}),
  };
}

const contactOf = ({ name, email }: SaidContact): Contact => ({
  name,
  ...(email === undefined ? {} : { email }),
});
