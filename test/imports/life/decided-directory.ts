import { resource, type Import } from '../../../src/commands/directory/resource-decider.ts';
import { undoingOf, type MarkedEvent } from '../../../src/commands/directory/undoing.ts';
import type { ResourceFields } from '../../../src/events/directory/resource-fields.ts';
import type { ResourceEvent } from '../../../src/events/directory/resource.ts';
import { integerId, svcIdOf } from '../../../src/events/ids.ts';
import type { ImportChoices } from './directory-model.ts';
import type { Decision, Found, LivedDirectory } from './made-up-year.ts';
import { textFields, type Publication, type Said } from './source-life.ts';

type Command = Parameters<typeof resource.decide>[0];
type State = ReturnType<typeof resource.evolve>;

interface Entry {
  readonly event: ResourceEvent;
  /** The number of the import or of the undone import; absent: a person. */
  readonly of?: number;
  readonly undoing?: true;
}

/** The deciders alone, with their events in memory: a directory with one source and without persons. */
export class DecidedDirectory implements LivedDirectory {
  readonly #streams = new Map<string, Entry[]>();
  #imports = 0;

  async import(published: Publication, { approve = false, take, removeMissing }: ImportChoices) {
    const of = ++this.#imports;
    const before = [...this.#streams.keys()];
    for (const [id, { said, active }] of published) {
      const number = integerId('import', 'harbour', 'source', id);
      const command: Import = {
        ...{ kind: 'import', svc_id: svcIdOf(number), id: number, team: 'harbour', active, approve, take },
        ...{ source: { system: 'source', id }, fields: fieldsOf(said) },
      };
      this.#decide(id, command, { of });
    }
    if (removeMissing)
      for (const id of before) if (!published.has(id)) this.#decide(id, { kind: 'remove-missing' }, { of });
    return { of };
  }

  async correct(id: string, field: string, value: unknown): Promise<void> {
    const change = field === 'phone' ? phonesOf(value as string | undefined) : { [field]: value ?? null };
    this.#decide(id, { kind: 'revise', change }, {});
  }

  async decide(id: string, to: Decision): Promise<void> {
    const commands: Record<Decision, Command> = {
      approved: { kind: 'approve' },
      rejected: { kind: 'reject', reason: 'It is closed.' },
      out: { kind: 'deactivate', reason: 'It is closed.' },
      back: { kind: 'reactivate' },
    };
    this.#decide(id, commands[to], {});
  }

  async undo(of: number): Promise<string[]> {
    const left: string[] = [];
    for (const [id, entries] of this.#streams) {
      if (!entries.some((each) => each.of === of)) continue;
      const marked = entries.map(({ event, ...mark }): MarkedEvent<ResourceEvent> => ({
        event,
        of: mark.of !== of ? 'others' : mark.undoing ? 'undoing' : 'operation',
      }));
      const undoing = undoingOf(resource, marked);
      if (undoing.left.length > 0) left.push(id);
      this.#decide(id, { kind: 'undo', reason: 'The import was undone.', ...undoing }, { of, undoing: true });
    }
    return left;
  }

  async standing(): Promise<Map<string, Found>> {
    return new Map(
      [...this.#streams].map(([id, entries]) => {
        const state = stateOf(entries);
        if (!state) throw new Error(`${id} has no state`);
        const approvals = entries.filter(({ event: { type } }) => type === 'ResourceApproved').length;
        const { status, fields, base = fields } = state;
        return [id, { mine: saidIn(fields), base: saidIn(base), status, approvals }] as const;
      }),
    );
  }

  #decide(id: string, command: Command, mark: Omit<Entry, 'event'>): void {
    const entries = this.#streams.get(id) ?? [];
    const events = resource.decide(command, stateOf(entries));
    this.#streams.set(id, [...entries, ...events.map((event) => ({ event, ...mark }))]);
  }
}

const stateOf = (entries: readonly Entry[]): State =>
  entries.reduce<State>((state, { event }) => resource.evolve(state, event), undefined);

function fieldsOf({ contact: _, phone, ...said }: Said): ResourceFields {
  return { category: 'other', ...said, ...(phone === undefined ? {} : phonesOf(phone)) } as ResourceFields;
}

const phonesOf = (number: string | undefined) => ({ phones: number === undefined ? null : [{ number }] });

function saidIn(fields: ResourceFields): Said {
  const { phones, ...texts } = fields as ResourceFields & Record<string, string | undefined>;
  const known = textFields.flatMap((field) => (texts[field] === undefined ? [] : [[field, texts[field]]]));
  const [phone] = (phones ?? []) as { number: string }[];
  return { ...Object.fromEntries(known), ...(phone ? { phone: phone.number } : {}) } as Said;
}
