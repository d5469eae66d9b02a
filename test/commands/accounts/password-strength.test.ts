import { describe, expect, it } from 'vitest';
import { CommandRefused } from '../../../src/ground/refusals.ts';
import { requirePassword } from '../../../src/commands/accounts/password.ts';
import { easyToGuess } from '../../../src/commands/accounts/password-strength.ts';

const ada = ['ada.lovelace@example.org', 'Ada Lovelace'];

describe('a password', () => {
  it.each([
    ['passwordpassword', /repeats/],
    ['aaaaaaaaaaaaaaaa', /repeats/],
    ['abcabcabcabcabc', /repeats/],
    ['letmeinletmein', /repeats/],
    ['Password1234', /many people use/],
    ['P@ssw0rd1234', /many people use/],
    ['iloveyou1234', /many people use/],
    ['administrator', /many people use/],
    ['sunshine2024!', /many people use/],
    ['qwertyuiop12', /too easy to guess/],
    ['1qaz2wsx3edc', /too easy to guess/],
    ['123456789012', /too easy to guess/],
    ['commonweal2026', /the name of this service/],
    ['adalovelace12', /your name or your address/],
    ['ada.lovelace@example.org', /your name or your address/],
    ['password password', /repeats/],
    ['12345678 12345678', /repeats/],
    ['admin-admin-admin', /repeats/],
    ['Summer2024Summer pass', /repeats/],
    ['P@ssw0rd_P@ssw0rd', /repeats/],
    ['Welcome-2024-Welcome', /repeats/],
    ['pässwörd/pässwörd', /repeats/],
    ['pass word pass word', /repeats/],
    ['monkey dragon', /many people use/],
    ['hello-world-123', /many people use/],
    ['p a s s w o r d 1', /many people use/],
    ['1234 5678 9012', /many people use/],
    ['commonweal-commonweal', /the name of this service/],
    ['C0mmonweal c0mmonweal', /the name of this service/],
    ['Common Weal Admin 1', /the name of this service/],
    ['Lovelace-1815-Ada', /your name or your address/],
  ])('is refused when it is %s', async (password, why) => {
    const because = await easyToGuess(password, ada);
    expect(because).toMatch(why);
    expect(because).toMatch(/^This password .*\. Choose a few words that only you would put together\.$/);
    await expect(requirePassword(password, ada)).rejects.toBeInstanceOf(CommandRefused);
  });

  it.each([
    'seven quiet herons wading',
    'correct horse battery staple',
    'schnelle Igel überqueren',
    '川の水が静かに流れている夜',
    'kX7!vq2#Lm9z',
    'SczsTA##=@%e',
    '7q-2f-9k-4z-1m',
    'blue tractor moss',
    'x'.repeat(20) + ' seven quiet herons wading',
  ])('may be %s', async (password) => {
    await requirePassword(password, ada);
  });

  it('is judged by its beginning where it is very long, and keeps nobody waiting', async () => {
    const long = '0123456789'.repeat(100);
    const start = performance.now();
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 1);
    const all = await Promise.all(Array.from({ length: 20 }, () => easyToGuess(long, ada)));
    clearInterval(ticking);
    expect(new Set(all.map(Boolean))).toEqual(new Set([true]));
    // The thread that answers requests went on meanwhile.
    expect(turns).toBeGreaterThan(Math.floor((performance.now() - start) / 100));
  });
});
