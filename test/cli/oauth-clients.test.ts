import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand } from '../support/serving.ts';

const folder = temporaryFolder();
beforeAll(async () => {
  await runCommand(folder.path, 'teams', 'create', 'harbour', '--name', 'Harbour House');
});
afterAll(folder.remove);

interface Client {
  readonly client: string;
  readonly name: string;
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris: readonly string[];
  readonly scopes: readonly string[];
  readonly first_party: boolean;
  readonly status: string;
  readonly logo_uri?: string;
}

const clients = async (...words: readonly string[]) =>
  (await runCommand(folder.path, 'clients', ...words)) as Client;
const create = (...more: readonly string[]) =>
  clients(
    'create',
    '--team',
    'harbour',
    '--name',
    'Harbour News',
    '--redirect-uri',
    'https://a.example/cb',
    ...more,
  );

const refused = async (...words: readonly string[]) => {
  const { code, stderr } = await runCommandLine(['clients', ...words], folder.path);
  return { code, stderr: stderr.trim() };
};

describe('clients', () => {
  test('and teams get no name with characters that change how it looks', async () => {
    const name = 'Harbour \u202Eswen';
    const [registered, made] = await Promise.all([
      refused('create', '--team', 'harbour', '--name', name, '--redirect-uri', 'https://a.example/cb'),
      runCommandLine(['teams', 'create', 'other', '--name', name], folder.path),
    ]);
    for (const { code, stderr } of [registered, made]) {
      expect(code).not.toBe(0);
      expect(stderr).toMatch(
        /--name: must not contain characters that are invisible or change the direction of text/,
      );
    }
    const persian = 'کتابخانه\u200Cی بندر';
    expect((await create('--name', persian)).name).toBe(persian);
  });

  test('are created public and for everybody’s scopes, and listed', async () => {
    const made = await create('http://localhost:5173/cb');
    expect(made).toMatchObject({
      client: expect.stringMatching(/^site_[0-9A-Za-z]{20}$/) as string,
      name: 'Harbour News',
      redirect_uris: ['https://a.example/cb', 'http://localhost:5173/cb'],
      scopes: ['openid', 'profile', 'email'],
      first_party: false,
      status: 'active',
    });
    const all = (await runCommand(folder.path, 'clients', 'list', '--team', 'harbour')) as Client[];
    expect(all.map(({ client }) => client)).toContain(made.client);
  });

  test('are changed in what is named, and in nothing else', async () => {
    const { client } = await create('--logo', 'https://a.example/logo.svg');
    const first = await clients(
      'update',
      client,
      '--name',
      'Harbour Times',
      '--post-logout-uri',
      'https://a.example/bye',
    );
    expect(first).toMatchObject({
      name: 'Harbour Times',
      logo_uri: 'https://a.example/logo.svg',
      redirect_uris: ['https://a.example/cb'],
      post_logout_redirect_uris: ['https://a.example/bye'],
    });
    const second = await clients('update', client, '--logo', '', '--post-logout-uri', '');
    expect(second.logo_uri).toBeUndefined();
    expect(second.post_logout_redirect_uris).toEqual([]);
  });

  test('have reserved scopes as of our own sites only', async () => {
    const { client } = await create();
    expect(await refused('update', client, '--scopes', 'openid,phone')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/for our own sites only/) as string,
    });
    const own = await clients('update', client, '--scopes', 'openid,phone', '--first-party', 'yes');
    expect(own).toMatchObject({ first_party: true, scopes: ['openid', 'phone'] });
    expect(await clients('update', client, '--first-party', 'no')).toMatchObject({
      first_party: false,
      scopes: ['openid'],
    });
  });

  test('are changed in all that is named or, when one of it is refused, in nothing', async () => {
    const { client } = await create();
    const changes = ['--name', 'Harbour Times', '--redirect-uri', 'https://b.example/cb'];
    for (const wrong of [
      ['--scopes', 'openid,phone'],
      ['--post-logout-uri', 'http://b.example'],
    ]) {
      expect(await refused('update', client, ...changes, ...wrong)).toMatchObject({ code: 1 });
      const all = (await runCommand(folder.path, 'clients', 'list')) as Client[];
      expect(all.find((each) => each.client === client)).toMatchObject({
        name: 'Harbour News',
        redirect_uris: ['https://a.example/cb'],
      });
    }
    expect(await clients('update', client, ...changes, '--scopes', 'openid')).toMatchObject({
      name: 'Harbour Times',
      redirect_uris: ['https://b.example/cb'],
      scopes: ['openid'],
    });
  });

  test('are taken out of service and put back', async () => {
    const { client } = await create();
    expect((await clients('deactivate', client)).status).toBe('inactive');
    expect((await clients('reactivate', client)).status).toBe('active');
  });

  test.each([
    [['update', 'site_00000000000000000000', '--name', 'x'], 1, /There is no such site/],
    [['update', 'nothing', '--name', 'x'], 2, /^id: must be site_/],
    [['update', 'site_00000000000000000000'], 2, /name what to change/],
    [['deactivate', 'site_00000000000000000000'], 1, /There is no such site/],
    [
      ['create', '--team', 'nobody', '--name', 'x', '--redirect-uri', 'https://a.example'],
      1,
      /There is no team nobody/,
    ],
    [
      ['create', '--team', 'harbour', '--name', 'x', '--redirect-uri', 'http://a.example'],
      1,
      /begin with https/,
    ],
    [['create', '--team', 'harbour', '--name', 'x'], 2, /--redirect-uri/],
  ])('%j is refused with a sentence', async (words, code, sentence) => {
    const answer = await refused(...words);
    expect(answer.code).toBe(code);
    expect(answer.stderr).toMatch(sentence);
  });
});
