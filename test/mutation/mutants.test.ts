import { describe, expect, it } from 'vitest';
import { mutantsOf, mutated, sampleOf } from './mutants.ts';

const decider = `export const team = {
  decide(command, state) {
    if (!state) throw new Error('There is no such team.');
    if (state.size >= 10 && !command.always) return [];
    return [{ type: 'TeamGrew', data: command.isBig ? { by: 2 } : { by: 1 } }];
  },
  evolve: (state, event) => ({ ...state, size: event.size }),
};
`;

const all = mutantsOf([['src/commands/teams/team.ts', decider]]);
/** The lines that each kind of mutant changes, as they are then. */
const changed = (kind: string) =>
  all
    .filter((mutant) => mutant.kind === kind)
    .map((mutant) => mutated(decider, mutant).split('\n')[mutant.line - 1]?.trim());

describe('the mutants of a source file', () => {
  it('change one thing each', () => {
    expect(changed('negated-condition')).toEqual([
      "if (!(!state)) throw new Error('There is no such team.');",
      'if (!(state.size >= 10 && !command.always)) return [];',
    ]);
    expect(changed('removed-throw')).toEqual(['if (!state) ;']);
    expect(changed('changed-comparison')).toEqual(['if (state.size > 10 && !command.always) return [];']);
    expect(changed('changed-logic')).toEqual(['if (state.size >= 10 || !command.always) return [];']);
    expect(changed('dropped-event')).toEqual(['return [];']);
    expect(changed('swapped-branches')).toEqual([
      "return [{ type: 'TeamGrew', data: command.isBig ? { by: 1 } : { by: 2 } }];",
    ]);
    expect(changed('dropped-field')).toEqual(['evolve: (state, event) => ({ ...state }),']);
    expect(all).toHaveLength(8);
  });

  it('keep their ids when the code around them, the line and the name of the file change', () => {
    const moved = mutantsOf([['src/commands/teams/growth.ts', `import { x } from './x.ts';\n\n${decider}`]]);
    expect(moved.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const other = mutantsOf([['src/commands/teams/team.ts', decider.replace('>= 10', '>= 11')]]);
    expect(all.filter(({ id }) => !other.some((each) => each.id === id)).map(({ kind }) => kind)).toEqual([
      'negated-condition',
      'changed-logic',
      'changed-comparison',
    ]);
  });

  it('are chosen by a seed, some of every area', () => {
    const two = mutantsOf([
      ['src/commands/teams/team.ts', decider],
      ['src/projections/teams.ts', decider],
    ]);
    const chosen = sampleOf(two, 2, 1);
    expect(sampleOf(two, 2, 1)).toEqual(chosen);
    expect(sampleOf(two, 2, 2)).not.toEqual(chosen);
    expect(chosen.map(({ file }) => file).sort()).toEqual([
      ...Array.from({ length: 3 }, () => 'src/commands/teams/team.ts'),
      ...Array.from({ length: 3 }, () => 'src/projections/teams.ts'),
    ]);
  });
});
