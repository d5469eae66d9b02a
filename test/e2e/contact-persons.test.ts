import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../support/command-line.ts';
import { dropDatabase, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing, type Serving } from '../support/serving.ts';

const v1 = '/dash/api/v1/resources';
const scopes = 'resources:read,resources:submit,directory:manage';

interface Contact {
  readonly id: string;
  readonly name: string;
}
interface Shown {
  readonly svc_id: string;
  readonly contacts?: readonly Contact[];
  readonly verified_by?: string;
}

const submitted = {
  name: 'Clinic',
  category: 'health',
  contacts: [{ name: 'Anastasia Vélez', email: 'anastasia@velez.example' }, { name: 'Bartholomew Quill' }],
  verified_by: 'cornelia@verifies.example',
};

describe.skipIf(missing)(onEngines('contact persons of a record, over real processes'), () => {
  const folder = temporaryFolder();
  let serving: Serving;
  let team: string;
  let developer: string;
  let svcId: string;

  const cli = (...words: readonly string[]) => runCommand(folder.path, ...words);
  const key = async (...words: readonly string[]) =>
    ((await cli('keys', 'create', ...words)) as { key: string }).key;
  const request = (path: string, by: string, init: RequestInit = {}) =>
    fetch(serving.origin + path, {
      ...init,
      headers: {
        authorization: `Bearer ${by}`,
        ...(init.body ? { 'content-type': 'application/json' } : {}),
      },
    });
  const post = async (path: string, body: object) =>
    (await request(v1 + path, team, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<Shown>;
  const one = async (by: string) => (await request(`${v1}/${svcId}`, by)).json() as Promise<Shown>;
  const listed = async (by: string) => {
    const { data } = (await (await request(`${v1}?limit=100`, by)).json()) as { data: readonly Shown[] };
    return data.find((each) => each.svc_id === svcId);
  };
  const names = ({ contacts = [] }: Shown) => contacts.map(({ name }) => name);

  beforeAll(async () => {
    serving = await startServing(folder.path);
    await cli('teams', 'create', 'harbour', '--name', 'Harbour');
    await cli('teams', 'scopes', 'harbour', '--enable', 'directory:manage');
    team = await key('--kind', 'team', '--team', 'harbour', '--scopes', scopes);
    developer = await key('--kind', 'developer', '--scopes', 'resources:read');
    ({ svc_id: svcId } = await post('', submitted));
    await post(`/${svcId}/approve`, {});
  }, 120_000);
  afterAll(async () => {
    await serving.stop();
    await dropDatabase(folder.path);
    folder.remove();
  });

  it('are shown to team keys alone, and stand sealed in the log', async () => {
    expect(await one(team)).toMatchObject(submitted);
    expect(await listed(team)).toMatchObject(submitted);
    for (const shown of [await one(developer), await listed(developer)]) {
      expect(shown).toMatchObject({ name: 'Clinic' });
      expect(shown).not.toHaveProperty('contacts');
      expect(shown).not.toHaveProperty('verified_by');
    }
    const { stdout: log } = await runCommandLine(['events', '--json'], folder.path);
    expect(log).toContain('sealed');
    expect(log).not.toMatch(/anastasia|bartholomew|cornelia/i);
  });

  it('are erased by an operator, for every reader of the running server, and stay so after a rebuild and a restart', async () => {
    const { contacts = [] } = await one(team);
    await cli('resources', 'erase-person', svcId, contacts[0]?.id ?? '');
    const left = ['Bartholomew Quill'];
    expect(names(await one(team))).toEqual(left);
    expect(names((await listed(team)) ?? { svc_id: svcId })).toEqual(left);
    expect(await cli('resources', 'people', svcId)).toMatchObject([
      { person: contacts[0]?.id, standing: 'erased' },
      { standing: 'current', said: { name: 'Bartholomew Quill' } },
      { field: 'verified_by', said: submitted.verified_by },
    ]);
    await cli('rebuild', 'resources');
    expect(names(await one(team))).toEqual(left);
    await serving.stop();
    serving = await startServing(folder.path);
    expect(await one(team)).toMatchObject({
      contacts: [{ name: left[0] }],
      verified_by: submitted.verified_by,
    });
    const given = ['--contacts', '[{"name":"Dorothea"}]', '--verified-by', 'Emil'];
    const made = await cli('resources', 'submit', '--name', 'Pantry', '--category', 'food', ...given);
    expect(await cli('resources', 'people', (made as Shown).svc_id)).toMatchObject([
      { field: 'contacts', said: { name: 'Dorothea' } },
      { field: 'verified_by', said: 'Emil' },
    ]);
    const list = (await cli('resources', 'list')) as readonly Shown[];
    expect(list).toMatchObject([{ svc_id: svcId, contacts: [{ name: left[0] }] }]);
  });
});
