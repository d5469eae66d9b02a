import { afterAll, beforeAll, expect, test } from 'vitest';
import { uniformWork } from '../../../src/actions/accounts/uniform-timing.ts';
import { anAddress, password, startDashboard, type Dashboard } from './harness.ts';

/** TIMING_ROUNDS=200 prints the fastest, the median and the slowest tenth of each kind. */
const rounds = Number(process.env['TIMING_ROUNDS'] ?? 6);
/** A machine that is busy all the while has not shown its fastest by then: only then is the work called different. */
const mostRounds = Math.max(rounds, 60);
/** Where an email was written for one kind alone, it took seven times as long. Steps of 250 ms hide what is left. */
const mostTimes = 4;

let dash: Dashboard;
const worked: number[] = [];
const note = (ms: unknown) => void worked.push(ms as number);
beforeAll(async () => {
  dash = await startDashboard({ environment: { TRUST_PROXY: 'loopback' } });
  uniformWork.subscribe(note);
});
afterAll(() => {
  uniformWork.unsubscribe(note);
  return dash.stop();
});

/** Somebody else each time, so that no limit is met. */
let network = 0;
async function workOf(path: string, button: string, fields: Record<string, string>): Promise<number> {
  const browser = dash.browser();
  network += 1;
  browser.headers = { 'x-forwarded-for': `10.${network >> 8}.${network & 255}.1` };
  await browser.open(path);
  worked.length = 0;
  await browser.press(button, fields);
  return worked[0] ?? Number.NaN;
}

const percentile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
/**
 * Other work of the machine nearly always adds to a time, so the fastest of each kind are compared: of six the second,
 * because one of some hundred was seen to be several times as fast as all others of its kind.
 */
const fastest = (values: readonly number[]) => percentile(values, 0.2);

const confirmed = async () => (await dash.account()).email;
const unconfirmed = async () => (await dash.account({ confirmed: false })).email;
const unknown = () => Promise.resolve(anAddress());

test.each([
  ['choosing a new password', '/dash/reset', 'Ask for the link', {}, { unknown, confirmed, unconfirmed }],
  [
    'signing in to an account that was never confirmed',
    '/dash/sign-in',
    'Sign in',
    { password },
    // The password of an account of a test is hashed faster than one that is chosen.
    { unconfirmed, wrong: unconfirmed },
  ],
  [
    'registering',
    '/dash/register',
    'Create account',
    { name: 'Sample Person', password },
    { unknown, confirmed, unconfirmed },
  ],
] as const)(
  '%s takes the same work, whoever has the address',
  async (_, path, button, fields, kinds) => {
    const times = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]));
    const fastestOfEach = () => [...times.values()].map(fastest);
    const isUniform = () => Math.max(...fastestOfEach()) < Math.min(...fastestOfEach()) * mostTimes;
    for (let round = 0; round < rounds || (round < mostRounds && !isUniform()); round++) {
      for (const [kind, address] of Object.entries(kinds)) {
        const wrong = kind === 'wrong' ? { password: 'not the password' } : {};
        times.get(kind)?.push(await workOf(path, button, { ...fields, email: await address(), ...wrong }));
      }
    }
    if (process.env['TIMING_ROUNDS'] !== undefined) {
      for (const [kind, each] of times)
        console.info(path, kind, [fastest(each), percentile(each, 0.5), percentile(each, 0.9)]);
    }
    expect(isUniform(), JSON.stringify([...times])).toBe(true);
  },
  300_000,
);
