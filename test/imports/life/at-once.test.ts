import { expect, it, onTestFinished } from 'vitest';
import { CommandRefused } from '../../../src/ground/refusals.ts';
import { chanceOf } from '../../faults/seeded-random.ts';
import { dataFolder } from '../../support/stores.ts';
import { SourceLife, type Publication } from './source-life.ts';
import { StoredDirectory } from './stored-directory.ts';

function openStores() {
  const folder = dataFolder();
  onTestFinished(() => folder.dispose());
  return folder.open();
}

it('two people who import two months of one source at once make no record twice, and the newer month stands when it is imported again', async () => {
  const stores = openStores();
  const source = new SourceLife(chanceOf(3), 30);
  const first = source.published();
  source.live();
  const second = source.published();
  const [one, other] = [new StoredDirectory(stores), new StoredDirectory(stores)];
  await Promise.all([
    one.import(first, { approve: true }),
    other.import(second, { approve: true, removeMissing: true }),
  ]);

  await one.import(second, { approve: true, removeMissing: true });
  const standing = await one.standing();
  for (const [id, { said, active }] of second) {
    const { contact: _, ...texts } = said;
    expect(standing.get(id), id).toMatchObject({ mine: texts, base: texts });
    expect(standing.get(id)?.status === 'approved', id).toBe(active);
  }
  for (const [id, { status, approvals }] of standing) {
    if (!second.has(id)) expect(status, id).not.toBe('approved');
    expect(approvals, id).toBeLessThanOrEqual(1);
  }
  const submitted = await submissionsIn(stores);
  expect(submitted.length).toBe(new Set(submitted).size);
  const before = await stores.store.head();
  await other.import(second, { approve: true, removeMissing: true });
  expect(await stores.store.head()).toBe(before);
});

it('an import that is undone while a reviewer decides about its records takes all of them out, and brings them back when it comes again', async () => {
  const stores = openStores();
  const directory = new StoredDirectory(stores);
  const published = new SourceLife(chanceOf(4), 30).published();
  const { of } = await directory.import(published, {});
  const [left] = await Promise.all([directory.undo(of), approveAll(directory, published)]);

  expect(left).toEqual([]);
  const undone = await directory.standing();
  expect([...undone.values()].map(({ status }) => status)).not.toContain('submitted');
  // A reviewer who approved a record after it was taken out was refused; one who did before has it taken out again.
  expect([...undone.values()].map(({ status }) => status)).not.toContain('approved');

  await directory.import(published, {});
  for (const [id, { status, approvals }] of await directory.standing()) {
    const active = published.get(id)?.active === true;
    if (active) expect(status, id).toBe(approvals === 1 ? 'approved' : 'submitted');
  }
});

it('a contact who is erased while an import names them stays out of that import and of every later one', async () => {
  const stores = openStores();
  const directory = new StoredDirectory(stores);
  const published = new SourceLife(chanceOf(5), 30).published();
  await directory.import(published, { approve: true });
  const named = [...published].filter(([, { said }]) => said.contact).map(([id]) => id);
  // The source tells each person's new address at the moment at which they are erased.
  const moved: Publication = new Map(
    [...published].map(([id, record]) => {
      const { contact } = record.said;
      if (!contact) return [id, record];
      return [
        id,
        { ...record, said: { ...record.said, contact: { ...contact, email: `new-${id}@example.org` } } },
      ];
    }),
  );
  const eraseAll = async () => {
    for (const id of named.toReversed()) await directory.erase(id);
  };
  await Promise.all([directory.import(moved, {}), eraseAll()]);

  const { counted } = await directory.import(published, {});
  expect(counted.left_out_erased).toBe(named.length);
  expect(named.length).toBeGreaterThan(5);
  const standing = await directory.standing();
  const contacts = named.map((id) => [standing.get(id)?.mine.contact, standing.get(id)?.base?.contact]);
  expect(contacts.flat().filter((each) => each !== undefined)).toEqual([]);
});

async function approveAll(directory: StoredDirectory, published: Publication): Promise<void> {
  for (const id of [...published.keys()].reverse()) {
    try {
      await directory.decide(id, 'approved');
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error;
    }
  }
}

async function submissionsIn({ store }: ReturnType<typeof openStores>): Promise<string[]> {
  const events = await store.readNewest(10_000);
  return events.filter(({ type }) => type === 'ResourceSubmitted').map(({ stream }) => stream);
}
