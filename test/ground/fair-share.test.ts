import { expect, test } from 'vitest';
import { FairShare } from '../../src/ground/fair-share.ts';

/** Work of so many steps, each of which ends when it is told to. */
function steps(turns: FairShare, team: string, count: number) {
  const begun: PromiseWithResolvers<undefined>[] = [];
  const ended = turns.steps(team, async () => {
    const step = Promise.withResolvers<undefined>();
    begun.push(step);
    await step.promise;
    return begun.length < count;
  });
  return {
    ended,
    begun: () => begun.length,
    /** Ends the step that runs, and lets the next one begin. */
    async step() {
      begun.at(-1)?.resolve(undefined);
      await new Promise(setImmediate);
    },
  };
}

test('a team that comes later gets its turn after one step of each other team', async () => {
  const turns = new FairShare({ atOnce: 1, ofOneAtOnce: 1 });
  const [large, second] = [steps(turns, 'large', 100), steps(turns, 'large', 100)];
  await large.step();
  expect([large.begun(), second.begun()]).toEqual([2, 0]);
  const small = steps(turns, 'small', 1);
  expect(small.begun()).toBe(0);
  await large.step();
  expect([large.begun(), small.begun()]).toEqual([2, 1]);
  await small.step();
  await small.ended;
  expect([large.begun(), second.begun()]).toEqual([3, 0]);
});

test('a team has only so many steps at once, so that another one can begin', async () => {
  const turns = new FairShare({ atOnce: 3, ofOneAtOnce: 2 });
  const large = [1, 2, 3].map(() => steps(turns, 'large', 2));
  expect(large.map((each) => each.begun())).toEqual([1, 1, 0]);
  const small = [1, 2].map((n) => steps(turns, `small ${n}`, 1));
  expect(small.map((each) => each.begun())).toEqual([1, 0]);
  // What began first ends first.
  await large[0]?.step();
  expect(small.map((each) => each.begun())).toEqual([1, 1]);
  await small[0]?.step();
  expect(large.map((each) => each.begun())).toEqual([2, 1, 0]);
});

test('work that throws is refused alone, and the other work of its team goes on', async () => {
  const turns = new FairShare({ atOnce: 1, ofOneAtOnce: 1 });
  const broken = turns.run('team', () => Promise.reject(new Error('broken')));
  const next = steps(turns, 'team', 1);
  await expect(broken).rejects.toThrow('broken');
  await next.step();
  await next.ended;
});

test('whoever gives up while waiting does nothing, and the next one has the turn', async () => {
  const turns = new FairShare({ atOnce: 1 });
  const first = Promise.withResolvers<string>();
  const gone = new AbortController();
  const begun: string[] = [];
  const piece = (name: string, signal?: AbortSignal) =>
    turns.run('one', async () => (begun.push(name), name === 'first' ? first.promise : name), signal);
  const all = [piece('first'), piece('second', gone.signal), piece('third')];
  const refused = expect(all[1]).rejects.toThrow('no more');
  gone.abort(new Error('no more'));
  await refused;
  first.resolve('first');
  expect(await Promise.all([all[0], all[2]])).toEqual(['first', 'third']);
  expect(begun).toEqual(['first', 'third']);
  await expect(piece('late', gone.signal)).rejects.toThrow('no more');
});
