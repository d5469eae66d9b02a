import { describe, expect, it } from 'vitest';
import { resource } from '../../../src/commands/directory/resource-decider.ts';
import { undoingOf, type MarkedEvent } from '../../../src/commands/directory/undoing.ts';
import type { ResourceEvent, ResourceFields } from '../../../src/events/directory/resource.ts';
import { aResource, pantryFields } from '../../support/samples.ts';

const pantry = aResource();
const submitted = pantry.submitted({ source: { system: 'miami', id: 'svc-1' } });
const renamed: ResourceFields = { ...pantryFields, name: 'Bay Pantry' };
const described: ResourceFields = { ...renamed, description: 'Food on Mondays.' };

const other = '5f1c2a0e-9a3d-4f6e-8b1a-2c7d9e4f1b02';

const marked = (
  of: MarkedEvent<ResourceEvent>['of'],
  ...events: readonly ResourceEvent[]
): MarkedEvent<ResourceEvent>[] => events.map((event) => ({ event, of }));
const undone = (history: readonly MarkedEvent<ResourceEvent>[]) => undoingOf(resource, history);
const others = (...events: readonly ResourceEvent[]) => marked('others', ...events);
const imported = (...events: readonly ResourceEvent[]) => marked('operation', ...events);
const undoing = (...events: readonly ResourceEvent[]) => marked('undoing', ...events);

describe('undoing an import', () => {
  it('takes out a record that the import made, also when it was reviewed since', () => {
    expect(undone(imported(submitted))).toEqual({ status: 'out', left: [] });
    expect(undone([...imported(submitted), ...others(pantry.approved())])).toEqual({
      status: 'out',
      left: [],
    });
  });

  it('leaves a record that the import made and somebody changed since', () => {
    expect(undone([...imported(submitted), ...others(pantry.revised(renamed))])).toEqual({
      left: ['record'],
    });
  });

  it('takes out a record that the import made and that was changed since and changed back', () => {
    const since = others(pantry.revised(renamed), pantry.revised(pantryFields));
    expect(undone([...imported(submitted), ...since])).toEqual({ status: 'out', left: [] });
  });

  it('lets a record wait again that waited before the import approved it', () => {
    const approval = [...others(submitted), ...imported(pantry.approved())];
    expect(undone(approval)).toEqual({ status: 'waiting', left: [] });
  });

  const history = [...others(submitted, pantry.approved()), ...imported(pantry.taken(described))];

  it('gives a record back what it said, and what its source said', () => {
    expect(undone(history)).toEqual({ fields: pantryFields, base: pantryFields, left: [] });
  });

  it('leaves the fields that were changed since, by name', () => {
    const since: ResourceFields = { ...described, name: 'Harbour Bay Pantry' };
    const { fields, left } = undone([...history, ...others(pantry.revisedInPublic(since))]);
    expect(left).toEqual(['name']);
    expect(fields).toEqual({ ...pantryFields, name: 'Harbour Bay Pantry' });
  });

  it('gives back what the source said field by field, so that a field that a later import left alone comes with the next month', () => {
    const later: ResourceFields = { ...described, eligibility: 'Everybody.' };
    const { fields, base } = undone([...history, ...others(pantry.taken(later))]);
    expect(fields).toEqual({ ...pantryFields, eligibility: 'Everybody.' });
    expect(base).toEqual({ ...pantryFields, eligibility: 'Everybody.' });
  });

  it('takes an empty list and no list for the same', () => {
    const person = '0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a01';
    const naming: ResourceFields = { ...pantryFields, contacts: [{ person, sealed: 'sealed' }] };
    const { left } = undone([
      ...others(pantry.submitted({ source: { system: 'miami', id: 'svc-1' }, fields: naming })),
      ...others({ type: 'ResourcePersonErased', data: { person } }),
      ...imported(pantry.taken({ ...pantryFields, contacts: [{ person: other, sealed: 'sealed' }] }, false)),
      ...others(pantry.revised(pantryFields)),
    ]);
    expect(left).toEqual([]);
  });

  it('puts back what the import took out, unless others have decided since', () => {
    const out = pantry.deactivated('No longer in its source.');
    const gone = [...others(submitted, pantry.approved()), ...imported(out)];
    expect(undone(gone)).toEqual({ status: 'back', left: [] });
    expect(undone([...gone, ...others(pantry.reactivated())])).toEqual({ left: ['status'] });
  });

  it('has nothing left to do when it is done', () => {
    const base = pantry.readFromSource(pantryFields);
    expect(undone([...history, ...undoing(base, pantry.revisedInPublic(pantryFields))])).toEqual({
      left: [],
    });
  });

  it('gives back nothing that was said about a person who was erased since', () => {
    const person = '0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a01';
    const naming: ResourceFields = { ...pantryFields, contacts: [{ person, sealed: 'sealed' }] };
    const { fields, base } = undone([
      ...others(pantry.submitted({ source: { system: 'miami', id: 'svc-1' }, fields: naming })),
      ...imported(pantry.taken(renamed, false)),
      ...others({ type: 'ResourcePersonErased', data: { person } }),
    ]);
    expect(fields).toEqual({ ...pantryFields, contacts: [] });
    expect(base).toEqual({ ...pantryFields, contacts: [] });
  });
});
