import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { catalogue } from '../../src/doctor/catalogue.ts';
import { Findings, weightOf } from '../../src/doctor/finding.ts';
import { generalFindings, type Check } from '../../src/doctor/general-findings.ts';
import { checkSettings } from '../../src/doctor/settings.ts';

const general = Object.entries(generalFindings) as readonly (readonly [
  Check,
  (typeof generalFindings)[Check],
])[];
const guide = readFileSync(new URL('../../docs/watching.md', import.meta.url), 'utf8');

it.each(general)(
  'a finding about %s has a name, a weight and a remedy, however it is found',
  async (check, entry) => {
    const findings = new Findings();
    findings.problem(check, 'It is wrong.');
    findings.warning(check, 'It is risky.');
    await findings.attempt(check, () => Promise.reject(new Error('It cannot be looked at.')));
    const { name, weight, remedy } = entry;
    expect(findings.all).toEqual([
      { check, severity: 'problem', name, weight, remedy, sentence: 'It is wrong.' },
      { check, severity: 'warning', name, weight, remedy, sentence: 'It is risky.' },
      { check, severity: 'problem', name, weight, remedy, sentence: 'It cannot be looked at.' },
    ]);
    expect(weightOf({ check })).toBe(weight);
  },
);

it('no two findings have one name', () => {
  const names = [...Object.keys(catalogue), ...general.map(([, { name }]) => name)];
  expect(new Set(names).size).toBe(names.length);
});

it('the guide has each with its weight and its remedy', () => {
  const lines = new Set(guide.split('\n').map((line) => line.replace(/ +\|/g, ' |')));
  const missing = general
    .map(([, { name, weight, what, remedy }]) => `| \`${name}\` | ${weight} | ${what} | ${remedy} |`)
    .filter((row) => !lines.has(row));
  expect(missing).toEqual([]);
});

it('each remedy leads to a heading that there is', () => {
  const places = [
    ...general.map(([, { remedy }]) => remedy),
    ...Object.values(catalogue).map(({ remedy }) => remedy),
  ]
    .flatMap((remedy) => [...remedy.matchAll(/(docs\/[a-z-]+\.md)(?:, "([^"]+)")?/g)])
    .map(([, file = '', heading]) => ({ file, heading }));
  expect(places.length).toBeGreaterThan(20);
  const lost = places.filter(({ file, heading }) => {
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    return heading !== undefined && !new RegExp(`^#+ ${heading}$`, 'm').test(text);
  });
  expect(lost).toEqual([]);
});

it('settings that do not fit each other are findings with all of that', () => {
  const findings = new Findings();
  const wrong = {
    BASE_URL: 'https://directory.example.org',
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    WEBHOOK_SCHEDULE: '0,1',
    SESSION_SECONDS: '600',
    SESSION_IDLE_SECONDS: '600',
  };
  checkSettings(readConfig(wrong), findings);
  expect(findings.all.length).toBeGreaterThan(4);
  expect(findings.all.filter(({ name, weight, remedy }) => !name || !weight || !remedy)).toEqual([]);
});
