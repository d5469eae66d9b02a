import { describe, expect, it } from 'vitest';
import { declareChecked } from '../../src/events/checked-values.ts';
import {
  checkedBeforeSealing,
  resourceFields,
  unsealedFields,
} from '../../src/events/directory/resource-fields.ts';
import type { ResourceEvent } from '../../src/events/directory/resource.ts';
import { InvalidEvent, newEvent } from '../../src/events/new-event.ts';
import { aResource, pantryFields } from '../support/samples.ts';

const context = {
  actor: { kind: 'system' as const, id: 'cli' },
  commandId: '6f0b0a3e-6a0c-4f0e-9f3c-1d3b6a1f2c55',
  at: new Date('2026-03-01T12:00:00Z'),
};
const made = (event: ResourceEvent) => newEvent('resource-r_1', event, 0, context);
const submitted = aResource().submitted();
const withFields = (fields: typeof pantryFields): ResourceEvent =>
  ({ ...submitted, data: { ...submitted.data, fields } }) as ResourceEvent;

describe('an event with fields that were checked before', () => {
  const sealed = { person: '6f0b0a3e-6a0c-4f0e-9f3c-1d3b6a1f2c56', sealed: 'c2VhbGVk' };
  const fields = { ...resourceFields.parse(pantryFields), verified_by: sealed };

  it('is the same as one whose fields are checked now', () => {
    expect(JSON.stringify(made(withFields(checkedBeforeSealing({ ...fields }))))).toBe(
      JSON.stringify(made(withFields({ ...fields }))),
    );
  });

  it('is not checked again', () => {
    const wrong = declareChecked(resourceFields, { ...fields, name: '' });
    expect(made(withFields(wrong))).toMatchObject({ data: { fields: { name: '' } } });
    expect(() => made(withFields({ ...wrong }))).toThrow(InvalidEvent);
  });

  it('is refused when something beside the fields is wrong', () => {
    const event = withFields(checkedBeforeSealing({ ...fields }));
    const wrong = { ...event, data: { ...event.data, svc_id: 'r_1' } } as ResourceEvent;
    expect(() => made(wrong)).toThrow('svc_id: must be r_ and 16 hex digits');
  });

  it('is refused when what was sealed afterwards is wrong', () => {
    const unsealed = { ...fields, verified_by: 'Ann' } as unknown as typeof fields;
    expect(() => made(withFields(checkedBeforeSealing(unsealed)))).toThrow(
      /^verified_by|fields\.verified_by/,
    );
  });

  it('is checked when the fields were checked as something else', () => {
    const other = declareChecked(unsealedFields, { name: '', category: 'food' });
    const wrong = withFields(other);
    expect(() => made(wrong)).toThrow(InvalidEvent);
  });
});
