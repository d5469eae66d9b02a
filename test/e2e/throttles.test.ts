import { afterAll, expect, test } from 'vitest';
import { PlainBrowser } from '../api/accounts/plain-browser.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServing } from '../support/serving.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const administrator = { ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: 'nine patient otters diving' };

test('guesses are still counted when the server has ended and started again', async () => {
  const signIn = async (origin: string, password: string) => {
    const browser = await new PlainBrowser(origin).open('/dash/sign-in');
    return browser.press('Sign in', { email: administrator.ADMIN_EMAIL, password });
  };
  const first = await startServing(folder.path, administrator);
  try {
    for (let n = 0; n < 10; n++)
      expect((await signIn(first.origin, `a guess, number ${n}`)).status).toBe(422);
  } finally {
    await first.stop();
  }
  const second = await startServing(folder.path, administrator);
  try {
    const again = await signIn(second.origin, administrator.ADMIN_PASSWORD);
    expect(again.status).toBe(429);
    expect(again.text).toContain('Too many attempts.');
  } finally {
    await second.stop();
  }
});
