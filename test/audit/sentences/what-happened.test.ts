import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { partsOfService } from '../../../src/audit/named-subjects.ts';
import { typesOfWhat, whatChoices, whatOf } from '../../../src/audit/sentences/what-happened.ts';
import { eventTypes } from '../../../src/events/catalogue.ts';

const groups = whatChoices.map(({ choices }) => choices[0]?.value ?? '');

describe('what happened, in words', () => {
  it('has every type of event in one group', () => {
    const grouped = groups.flatMap((group) => typesOfWhat(group) ?? []);
    expect(grouped.toSorted()).toEqual(eventTypes.toSorted());
  });

  it('has a choice of its own for every type, which is found by its address', () => {
    const values = eventTypes.map((type) => whatOf(type)?.value ?? '');
    expect(new Set(values).size).toBe(eventTypes.length);
    for (const type of eventTypes) expect(typesOfWhat(whatOf(type)?.value ?? '')).toEqual([type]);
    for (const value of [...values, ...groups]) expect(value).toMatch(/^[a-z-]+(\.[a-z-]+)?$/);
  });

  it('names no class and no type of the code', () => {
    const labels = whatChoices.flatMap(({ choices }) => choices.map(({ label }) => label));
    expect(labels).toContain('Records: approved');
    expect(labels.filter((label) => /[a-z][A-Z]/.test(label))).toEqual([]);
  });

  it('is nothing for what cannot happen', () => {
    for (const value of ['', 'records.', 'constructor', '__proto__', 'Records', 'ResourceApproved'])
      expect(typesOfWhat(value)).toBeUndefined();
  });
});

it('all parts of the service that act for themselves are found as “the service”', () => {
  const root = new URL('../../../', import.meta.url);
  const acting = globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(new URL(file, root), 'utf8').matchAll(/kind: 'system', id: '([a-z-]+)'/g)].map(
      ([, id = '']) => id,
    ),
  );
  expect([...new Set(acting)].filter((id) => id !== 'cli').toSorted()).toEqual(partsOfService);
});
