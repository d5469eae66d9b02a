import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  personalRows,
  resourceFieldTable,
  type ResourceFields,
  type UnsealedFields,
} from '../../../src/events/directory/resource-fields.ts';
import { fieldsIn } from '../../../src/projections/directory/document-fields.ts';
import { publicFields } from '../../../src/projections/directory/shown-fields.ts';
import { resources, type ResourceDocument } from '../../../src/projections/directory/resources.ts';
import { anyRecord } from '../../hsds/any-record.ts';
import { given } from '../../support/fold.ts';
import { aResource } from '../../support/samples.ts';

function documentOf(fields: ResourceFields): ResourceDocument {
  const { svc_id, submitted } = aResource(7, 'harbour', fields);
  const doc = given(resources, [`resource-${svc_id}`, submitted()]).get(svc_id);
  if (!doc) throw new Error('there is no document');
  return doc;
}

/** What is about persons is opened by others, and shown to who may see it. */
function apart(record: UnsealedFields) {
  const { contacts, verified_by, ...fields } = record;
  const people = {
    ...(contacts === undefined ? {} : { contacts }),
    ...(verified_by === undefined ? {} : { verified_by }),
  };
  return { fields, people };
}

/** Empty lists are shown like unknown ones. */
const withoutEmptyLists = (fields: UnsealedFields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !Array.isArray(value) || value.length > 0));

it('gives back the record that was stored, however its names and hours are shown', () => {
  fc.assert(
    fc.property(anyRecord, fc.boolean(), (record, shouted) => {
      const whole = shouted ? { ...record, name: record.name.toUpperCase().slice(0, 300) } : record;
      const { fields, people } = apart(whole);
      expect(fieldsIn(documentOf(fields), 'stored', people)).toEqual(withoutEmptyLists(whole));
    }),
  );
  const named = {
    name: 'MIAMI',
    category: 'food',
    organization: { name: 'SALVATION ARMY' },
    locations: [{ city: 'Miami', hours: 'Mo–Fr 9–17' }],
  } as const satisfies ResourceFields;
  const doc = documentOf(named);
  expect(fieldsIn(doc, 'stored')).toEqual(named);
  expect(fieldsIn(doc, 'developer')).toMatchObject({ name: 'Miami (Salvation Army)', hours: 'Mo–Fr 9–17' });
});

it('shows keys nothing of other tiers, and nobody what is confidential', () => {
  const rows = Object.entries(resourceFieldTable) as [keyof ResourceFields, { readonly tier: string }][];
  fc.assert(
    fc.property(anyRecord, (record) => {
      const { fields } = apart(record);
      const doc = documentOf(fields);
      for (const [name, { tier }] of rows) {
        if (tier === 'team') expect(fieldsIn(doc, 'developer')).not.toHaveProperty(name);
      }
      for (const view of ['developer', 'team'] as const) {
        const streets = (of: Pick<ResourceFields, 'locations'>) =>
          (of.locations ?? []).map(({ street, latitude }) => [street, latitude]);
        expect(streets(fieldsIn(doc, view))).toEqual(streets(publicFields(fields)));
      }
      for (const { name } of personalRows) expect(fieldsIn(doc, 'team')).not.toHaveProperty(name);
      expect(fieldsIn(doc, 'team').email).toBe(fields.email);
    }),
  );
});
