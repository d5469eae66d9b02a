import { describe, expect, it } from 'vitest';
import { turnsOfQuestions } from '../../../src/api/audit/turns.ts';

/** Work that ends when it is told to, and says when it began. */
function pieces(turns: ReturnType<typeof turnsOfQuestions>) {
  const begun: string[] = [];
  return {
    begun,
    begin: (name: string, whose = 'a team') => {
      const done = Promise.withResolvers<string>();
      const result = turns.run(whose, () => {
        begun.push(name);
        return done.promise;
      });
      return { result, end: () => done.resolve(name), fail: () => done.reject(new Error(name)) };
    },
  };
}

describe('turns', () => {
  it('let so many run at once, and the others in the order in which they came', async () => {
    const { begun, begin } = pieces(turnsOfQuestions(2, 2));
    const [one, two, three, four] = [begin('one'), begin('two'), begin('three'), begin('four')];
    expect(begun).toEqual(['one', 'two']);
    two.end();
    expect(await two.result).toBe('two');
    expect(begun).toEqual(['one', 'two', 'three']);
    one.end();
    await one.result;
    expect(begun).toEqual(['one', 'two', 'three', 'four']);
    for (const each of [three, four]) each.end();
    expect(await Promise.all([three.result, four.result])).toEqual(['three', 'four']);
  });

  it('refuse who would have to wait behind too many, and take the next one when there is room', async () => {
    const { begun, begin } = pieces(turnsOfQuestions(1, 1));
    const [one, two, three] = [begin('one'), begin('two'), begin('three')];
    await expect(three.result).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    one.end();
    await one.result;
    const four = begin('four');
    two.end();
    await two.result;
    four.end();
    expect(await four.result).toBe('four');
    expect(begun).toEqual(['one', 'two', 'four']);
  });

  it('are taken one after the other by those who ask, and one who asks for much keeps nobody out', async () => {
    const { begun, begin } = pieces(turnsOfQuestions(1, 2));
    const running = begin('a1', 'a');
    const [a2, a3, a4] = [begin('a2', 'a'), begin('a3', 'a'), begin('a4', 'a')];
    await expect(a4.result).rejects.toMatchObject({ status: 503 });
    const [b1, b2] = [begin('b1', 'b'), begin('b2', 'b')];
    for (const each of [running, a2, b1, a3, b2]) {
      each.end();
      await each.result;
    }
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  });

  it('go on after work that fails, and whoever asked is told', async () => {
    const { begun, begin } = pieces(turnsOfQuestions(1, 5));
    const [one, two] = [begin('one'), begin('two')];
    one.fail();
    await expect(one.result).rejects.toThrow('one');
    two.end();
    expect(await two.result).toBe('two');
    const three = begin('three');
    expect(begun).toEqual(['one', 'two', 'three']);
    three.end();
    await three.result;
  });
});
