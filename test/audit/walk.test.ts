import { describe, expect, it } from 'vitest';
import { treesOf, type WalkNode } from '../../src/audit/walk.ts';
import type { FoundEvent } from '../../src/audit/search.ts';

const found = (id: string, cause: string): FoundEvent => ({
  recorded: {
    id,
    stream: 'team-harbor',
    revision: 0,
    position: 1n,
    type: 'TeamCreated',
    data: {},
    metadata: { causation_id: cause, command_id: `command of ${id}` },
  },
  event: undefined,
  team: undefined,
});
const told = ({ found: { recorded }, effects }: WalkNode): unknown =>
  effects.length === 0 ? recorded.id : [recorded.id, ...effects.map(told)];
const trees = (...events: readonly FoundEvent[]) =>
  treesOf('request', events).map((root) => [root.cause.kind, told(root)]);

describe('a walk', () => {
  it('draws effects under their causes, and siblings in the order of the log', () => {
    expect(
      trees(
        found('a', 'request'),
        found('b', 'a'),
        found('c', 'a'),
        found('d', 'b'),
        found('e', 'command of e'),
      ),
    ).toEqual([
      ['request', ['a', ['b', 'd'], 'c']],
      ['request', 'e'],
    ]);
  });

  it('says that a cause is missing', () => {
    expect(trees(found('b', 'a'), found('c', 'b'))).toEqual([['unknown', ['b', 'c']]]);
  });

  it('ends, and has each event once, where events cause each other', () => {
    expect(trees(found('a', 'b'), found('b', 'c'), found('c', 'a'), found('d', 'd'))).toEqual([
      ['cycle', ['a', ['c', 'b']]],
      ['cycle', 'd'],
    ]);
  });

  it('takes a thousand events in a row', () => {
    const row = Array.from({ length: 1_000 }, (_, n) =>
      found(String(n), n === 0 ? 'request' : String(n - 1)),
    );
    const [[, tree]] = trees(...row) as [[string, unknown]];
    expect(JSON.stringify(tree)).toContain('999');
  });
});
