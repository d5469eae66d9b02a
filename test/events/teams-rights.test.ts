import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasRight, rights } from '../../src/events/teams-rights.ts';
import { memberRoles } from '../../src/events/teams.ts';

describe('the rights in a team', () => {
  it('grow with the role: who has more has all that others have', () => {
    for (const right of rights) {
      const [admin, reviewer, member] = memberRoles.map((role) => hasRight(role, right));
      expect([member, reviewer, admin].map(Number)).toEqual([member, reviewer, admin].map(Number).sort());
      expect(admin).toBe(true);
    }
  });

  it('are nobody’s who is no member', () => {
    expect(rights.filter((right) => hasRight(undefined, right))).toEqual([]);
  });

  it('are those that docs/teams.md shows', () => {
    const page = readFileSync(new URL('../../docs/teams.md', import.meta.url), 'utf8');
    const shown = page
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .filter(([, , member]) => member === 'yes' || member === 'no')
      .map(([, what = '', ...cells]) => [what.split(/[:,]/)[0], ...cells.slice(0, 3)]);
    const held = rights.map((right) => [
      right,
      ...(['member', 'reviewer', 'admin'] as const).map((role) => (hasRight(role, right) ? 'yes' : 'no')),
    ]);
    expect(shown).toEqual(held);
  });
});
