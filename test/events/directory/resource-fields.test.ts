import { expect, test } from 'vitest';
import {
  resourceFieldRows,
  resourceFields,
  resourceFieldTable,
} from '../../../src/events/directory/resource-fields.ts';

test('whoever searches finds a resource by nothing that they may not see', () => {
  const searched = resourceFieldRows.filter((row) => row.searched);
  expect(searched.length).toBeGreaterThan(0);
  expect(searched.filter(({ tier }) => tier !== 'developer')).toEqual([]);
});

test('events take every field of the table, ask for those that are required, and take no other', () => {
  expect(Object.keys(resourceFields.shape)).toEqual(Object.keys(resourceFieldTable));
  const required = resourceFieldRows.flatMap((row) => (row.required ? [row.name] : []));
  const missing = resourceFields.safeParse({}).error?.issues.map(({ path }) => path[0]);
  expect(missing).toEqual(required);
  expect(resourceFields.safeParse({ name: 'Pantry', category: 'food', colour: 'red' }).success).toBe(false);
});
