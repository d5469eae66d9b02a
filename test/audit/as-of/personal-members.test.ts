import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shownDocuments } from '../../../src/audit/as-of/personal-members.ts';
import type { PersonalKind } from '../../../src/audit/as-of/reader.ts';
import type { FoldedDocument } from '../../../src/audit/as-of/read-models.ts';
import { personOf, type Holder } from '../../../src/personal/personal-data.ts';
import { altered } from '../../support/altered.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';
import { PersonalData } from '../../../src/personal/personal-data.ts';

const [ada, ben, cem] = [0, 1, 2].map((n) => `2f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a1${n}`) as [
  string,
  string,
  string,
];

let folder: DataFolder;
let stores: Stores;
beforeEach(() => {
  folder = dataFolder();
  stores = folder.open();
});
afterEach(() => folder.dispose());

async function sealed(holder: Holder, value: unknown): Promise<string> {
  await stores.personal.begin(holder);
  return stores.personal.seal(holder, value);
}
const document = (readModel: string, id: string, members: object): FoldedDocument => ({
  readModel,
  id,
  document: members,
});
const shown = (documents: readonly FoldedDocument[], ...opens: PersonalKind[]) =>
  shownDocuments(stores.personal, documents, { opens: new Set(opens) });

describe('documents as an answer shows them', () => {
  it('have each what is sealed in it: opened, sealed or erased', async () => {
    const email_sealed = await sealed(personOf(ada), 'ada@example.org');
    const profile = await stores.personal.seal(personOf(ada), { name: 'Ada' });
    const member = await sealed(personOf(ben), { name: 'Ben' });
    const gone = await sealed(personOf(cem), { name: 'Cem' });
    await stores.personal.erase(personOf(cem));
    const documents = [
      document('people', ada, { user: ada, role: 'person', profile, email_sealed, passkeys: [] }),
      document('teams', 'harbour', { team: 'harbour' }),
      document('members', `harbour/${ben}`, { user: ben, person: member }),
      document('members', `harbour/${cem}`, { user: cem, person: gone }),
      document('members', 'harbour/nobody', { user: 'nobody' }),
    ];
    const plain = [
      { read_model: 'people', id: ada, document: { user: ada, role: 'person', passkeys: [] } },
      { read_model: 'teams', id: 'harbour', document: { team: 'harbour' }, personal: {} },
      { read_model: 'members', id: `harbour/${ben}`, document: { user: ben } },
      {
        read_model: 'members',
        id: `harbour/${cem}`,
        document: { user: cem },
        personal: { person: 'erased' },
      },
      { read_model: 'members', id: 'harbour/nobody', document: { user: 'nobody' }, personal: {} },
    ];
    const withPersonal = (ofAda: object, ofBen: object) => [
      { ...plain[0], personal: ofAda },
      plain[1],
      { ...plain[2], personal: ofBen },
      ...plain.slice(3),
    ];
    const open = { profile: { value: { name: 'Ada' } }, email: { value: 'ada@example.org' } };
    const closed = { profile: 'sealed', email: 'sealed' };
    const openBen = { person: { value: { name: 'Ben' } } };
    expect(await shown(documents, 'accounts', 'members')).toEqual(withPersonal(open, openBen));
    expect(await shown(documents, 'members')).toEqual(withPersonal(closed, openBen));
    expect(await shown(documents, 'accounts')).toEqual(withPersonal(open, { person: 'sealed' }));
    expect(await shown(documents)).toEqual(withPersonal(closed, { person: 'sealed' }));
  });

  it('name every person of a record by the field that names them', async () => {
    const persons = { contacts: [ada, ben], verified_by: [cem] };
    const people: Record<string, { person: string; sealed: string }[]> = {};
    for (const [field, ids] of Object.entries(persons)) {
      people[field] = [];
      for (const person of ids)
        people[field].push({
          person,
          sealed: await sealed(`resource-person/${person}`, { name: person.slice(-1) }),
        });
    }
    const record = document('resources', 'r_1', { name: 'Pantry', people: JSON.stringify(people) });
    expect(await shown([record, document('resources', 'r_2', { name: 'Shelter' })], 'directory')).toEqual([
      {
        read_model: 'resources',
        id: 'r_1',
        document: { name: 'Pantry' },
        personal: {
          [`contacts/${ada}`]: { value: { name: '0' } },
          [`contacts/${ben}`]: { value: { name: '1' } },
          [`verified_by/${cem}`]: { value: { name: '2' } },
        },
      },
      { read_model: 'resources', id: 'r_2', document: { name: 'Shelter' }, personal: {} },
    ]);
  });

  it('have no hash of a secret, whoever asks', async () => {
    const key = document('api-keys', 'k', { key_id: 'k', secret_sha256: 'abc' });
    expect(await shown([key], 'accounts', 'members', 'directory')).toEqual([
      { read_model: 'api-keys', id: 'k', document: { key_id: 'k' }, personal: {} },
    ]);
  });

  it('ask the vault once, however many persons they are about', async () => {
    const documents: FoldedDocument[] = [];
    for (const user of [ada, ben, cem])
      documents.push(
        document('members', user, { user, person: await sealed(personOf(user), { name: user }) }),
      );
    let reads = 0;
    const vault = altered(stores.vault, {
      getMany: (names) => ((reads += 1), stores.vault.getMany(names)),
      get: (name) => ((reads += 1), stores.vault.get(name)),
    });
    await shownDocuments(new PersonalData(vault), documents, { opens: new Set(['members']) });
    expect(reads).toBe(1);
  });
});
