import { describe, expect, onTestFinished, test } from 'vitest';
import { start } from '../faults/processes.ts';
import { missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

function serving(settings: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  const running = start('src/main.js', ['serve', '--json'], folder.path, settings);
  onTestFinished(async () => {
    await running.kill();
    folder.remove();
  });
  return running;
}

test('a start on an address that can be listened in on ends with one line that names the setting', async () => {
  const { code, stdout, stderr } = await serving({ BASE_URL: 'http://directory.example' }).ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^BASE_URL is http: [^\n]+ALLOW_PLAIN_HTTP=true[^\n]+\n$/);
});

const baseUrl = { BASE_URL: 'https://directory.example' };
describe.skipIf(missing)(onEngines('a start behind a proxy'), () => {
  test.each([
    ['that is not trusted says what follows', baseUrl, /^TRUST_PROXY is unset, [^\n]*403[^\n]*\n$/],
    ['that is trusted says nothing', { ...baseUrl, TRUST_PROXY: 'loopback' }, /^$/],
    ['of a node that serves no API says nothing', { ...baseUrl, ROLES: 'projector' }, /^$/],
  ])('%s', async (_case, settings, said) => {
    const running = serving(settings);
    const line = await until(() => running.written().includes('\n') && running.written().split('\n')[0]);
    const { listening } = JSON.parse(line) as { listening: string };
    await until(async () => (await fetch(`${listening}/readyz`)).ok);
    expect((await running.stop()).stderr).toMatch(said);
  });
});
