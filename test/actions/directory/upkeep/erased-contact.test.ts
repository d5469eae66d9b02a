import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { erasePerson as eraseOfOrganization } from '../../../../src/actions/directory/organizations.ts';
import { erasePerson } from '../../../../src/actions/directory/records.ts';
import { eraseContact } from '../../../../src/actions/directory/upkeep/agency-contacts.ts';
import type { ActionParts } from '../../../../src/actions/action.ts';
import { perform } from '../../../../src/actions/perform.ts';
import { peopleOfOrganization, submitOrganization } from '../../../../src/commands/directory/organization.ts';
import { peopleOfResource } from '../../../../src/commands/directory/resource.ts';
import {
  agencyContactId,
  askAgencyContact,
  loadAgencyContact,
} from '../../../../src/commands/directory/upkeep/agency-contact.ts';
import {
  beginClaim,
  claimIdOf,
  commandClaim,
  loadClaim,
} from '../../../../src/commands/directory/upkeep/claim.ts';
import { openSuggestions, suggestChange } from '../../../../src/commands/directory/upkeep/suggestion.ts';
import { mergeRecords, undoMerge } from '../../../../src/commands/directory/merge-records.ts';
import { agencyContactOf, claimOf } from '../../../../src/personal/personal-data.ts';
import { suggestions } from '../../../../src/projections/directory/upkeep/suggestions.ts';
import { context, startSystem, type RunningSystem } from '../../../api/harness.ts';

let system: RunningSystem;
beforeAll(async () => {
  system = await startSystem();
  await system.team('harbour');
  await system.team('library');
});
afterAll(() => system.stop());

const idOf = async (address: string, team = 'harbour') =>
  (await agencyContactId(system.system.personal, team, address)) ?? '';
const stateOf = async (address: string, team?: string) =>
  loadAgencyContact(system.system.store, await idOf(address, team));
const by = (team?: string) => ({
  who: { kind: 'operator' as const, ...(team ? { team } : {}) },
  context: () => context(),
});

async function ask(address: string, svcId: string, team = 'harbour'): Promise<void> {
  const contact = await idOf(address, team);
  const about = { contact, address, team, ask: randomUUID(), svc_ids: [svcId], language: 'en' };
  await askAgencyContact(system.system, { ...about, mailed_at: '2026-12-01T15:00:00Z' }, context());
}

/** A record of one contact person, who was asked in two teams. */
async function asked(address: string): Promise<{ readonly svcId: string; readonly person: string }> {
  const fields = () => ({ name: 'Pantry', contacts: [{ name: 'Ana Diaz', email: address }] });
  const [svcId = ''] = await system.resources(1, { team: 'harbour', fields });
  await ask(address, svcId);
  await ask(address, svcId, 'library');
  const [person] = await peopleOfResource(system.system, svcId);
  return { svcId, person: person?.person ?? '' };
}
const erase = (of: { readonly svcId: string; readonly person: string }, parts: ActionParts = system.system) =>
  perform(erasePerson, parts, { ...by(), input: { svc_id: of.svcId, id: of.person } });

async function expectErased(address: string): Promise<void> {
  const state = await stateOf(address);
  expect(state?.status).toBe('erased');
  const { vault, personal } = system.system;
  const holder = agencyContactOf(await idOf(address));
  expect(await vault.get(holder)).toBeUndefined();
  expect(await personal.open(holder, state?.addressSealed ?? '')).toBeUndefined();
}

test('erasing a person of a record erases the contact that they are in its team, by this or an earlier address', async () => {
  const of = await asked('Ana@pantry.example');
  await system.command(of.svcId, {
    kind: 'revise',
    change: { contacts: [{ id: of.person, name: 'Ana Diaz', email: 'ana.diaz@pantry.example' }] },
  });
  await ask('ana.diaz@pantry.example', of.svcId);
  expect((await erase(of)).kind).toBe('done');
  await expectErased('ana@pantry.example');
  await expectErased('ana.diaz@pantry.example');
  expect((await stateOf('ana@pantry.example', 'library'))?.status).toBe('open');
  const head = await system.system.store.head();
  expect((await erase(of)).kind).toBe('done');
  expect(await system.system.store.head()).toBe(head);
});

test('a person of an organization is erased in the same way', async () => {
  const address = 'office@agency.example';
  const { state } = await submitOrganization(
    system.system,
    { team: 'harbour', fields: { name: 'Harbor Pantries', contacts: [{ email: address }] } },
    context(),
  );
  const orgId = state?.org_id ?? '';
  const [person] = await peopleOfOrganization(system.system, orgId);
  const { svcId } = await asked('x@agency.example');
  await ask(address, svcId);
  const input = { org_id: orgId, id: person?.person ?? '' };
  expect((await perform(eraseOfOrganization, system.system, { ...by(), input })).kind).toBe('done');
  await expectErased(address);
});

test('it makes no difference which of the two is erased first', async () => {
  const of = await asked('bo@pantry.example');
  await system.caughtUp();
  await perform(eraseContact, system.system, { ...by('harbour'), input: { address: 'bo@pantry.example' } });
  expect((await erase(of)).kind).toBe('done');
  await expectErased('bo@pantry.example');
  const other = await asked('cy@pantry.example');
  await erase(other);
  await system.caughtUp();
  const again = await perform(eraseContact, system.system, {
    ...by('harbour'),
    input: { address: 'cy@pantry.example' },
  });
  expect(again.kind).toBe('done');
  await expectErased('cy@pantry.example');
});

test('a process that is killed between the two leaves the person, so that the same command erases both', async () => {
  const of = await asked('di@pantry.example');
  const { system: parts } = system;
  // Whatever is appended to the record is never appended, as if the process had ended just before.
  const store = new Proxy(parts.store, {
    get(target, name) {
      if (name === 'append')
        return (stream: string, ...rest: never[]) => {
          if (stream.startsWith('resource-')) throw new Error('killed');
          return (target.append as (...all: unknown[]) => unknown).call(target, stream, ...rest);
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  await expect(erase(of, { ...parts, store })).rejects.toThrow('killed');
  await expectErased('di@pantry.example');
  expect((await peopleOfResource(parts, of.svcId))[0]).toMatchObject({ standing: 'current' });
  expect((await erase(of)).kind).toBe('done');
  expect((await peopleOfResource(parts, of.svcId))[0]).toMatchObject({ standing: 'erased' });
});

test('a team erases nobody by the record of another one', async () => {
  const of = await asked('ed@pantry.example');
  const refused = await perform(erasePerson, system.system, {
    ...by('library'),
    input: { svc_id: of.svcId, id: of.person },
  });
  expect(refused).toMatchObject({ kind: 'refused', refusal: { code: 'not_found' } });
  expect((await stateOf('ed@pantry.example'))?.status).toBe('open');
});

describe('erasing a person whom merged records name', () => {
  /** Somebody whom a record names, and who was named there by another address before; a record that takes them from it. */
  async function merged(name: string) {
    const [old, now] = [`${name}.old@pantry.example`, `${name}@pantry.example`];
    const of = await asked(old);
    await system.command(of.svcId, {
      kind: 'revise',
      change: { contacts: [{ id: of.person, name: 'Ana Diaz', email: now }] },
    });
    const [survivor = ''] = await system.resources(1, {
      team: 'harbour',
      fields: () => ({ name: 'Pantry' }),
    });
    const about = { duplicate: of.svcId, survivor, asTeam: 'harbour' };
    await mergeRecords(system.system, { ...about, take: ['contacts'] }, context());
    return { duplicate: of.svcId, survivor, person: of.person, old };
  }
  const unmerge = (duplicate: string) =>
    undoMerge(system.system, { duplicate, asTeam: 'harbour' }, context());

  async function expectErasedAt(svcId: string, person: string): Promise<void> {
    const people = await peopleOfResource(system.system, svcId);
    expect(people.find((each) => each.person === person)).toMatchObject({ standing: 'erased' });
  }

  test.each([
    ['the one that stays, while they are merged', 'survivor', false],
    ['the one that went, while they are merged', 'duplicate', false],
    ['the one that stayed, after the merge was undone', 'survivor', true],
    ['the one that went, after the merge was undone', 'duplicate', true],
  ] as const)('by %s, erases what is kept under the addresses of both', async (_, at, isUndone) => {
    const { duplicate, survivor, person, old } = await merged(`${at}-${String(isUndone)}`);
    if (isUndone) await unmerge(duplicate);
    expect((await erase({ svcId: { duplicate, survivor }[at], person })).kind).toBe('done');
    await expectErased(old);
    await expectErasedAt(duplicate, person);
    await expectErasedAt(survivor, person);
    const head = await system.system.store.head();
    expect((await erase({ svcId: { duplicate, survivor }[at], person })).kind).toBe('done');
    expect(await system.system.store.head()).toBe(head);
  });

  const claimIdIn = async (svcId: string, address: string) =>
    (await claimIdOf(system.system.personal, { team: 'harbour', subject: svcId }, address)) ?? '';
  async function claimed(svcId: string, address: string) {
    const claim = await claimIdIn(svcId, address);
    const about = { claim, team: 'harbour', subject: svcId, svc_id: svcId, host: 'pantry.example' };
    const { state } = await beginClaim(system.system, { ...about, address, language: 'en' }, context());
    return { claim, link: state?.link ?? '' };
  }

  test('ends their claims of either record, and leaves who only began one free to do so again', async () => {
    const { duplicate, survivor, person, old } = await merged('claims');
    const kept = await claimed(duplicate, old);
    await commandClaim(system.system, kept.claim, { kind: 'prove', link: kept.link }, context());
    await commandClaim(system.system, kept.claim, { kind: 'approve', link: randomUUID() }, context());
    const begun = await claimed(survivor, old);
    const other = await claimed(duplicate, 'other@pantry.example');
    expect((await erase({ svcId: survivor, person })).kind).toBe('done');
    const { store, personal } = system.system;
    expect(await loadClaim(store, kept.claim)).toMatchObject({
      status: 'ended',
      endedBy: 'team',
      erased: true,
    });
    expect(await loadClaim(store, begun.claim)).toMatchObject({ status: 'begun', erased: true });
    expect(await loadClaim(store, other.claim)).toMatchObject({ status: 'begun', erased: false });
    for (const { claim } of [kept, begun]) {
      const state = await loadClaim(store, claim);
      expect(
        await personal.open(claimOf(state?.data_key ?? ''), state?.address_sealed ?? ''),
      ).toBeUndefined();
    }
  });

  test('erases what they suggested about either record, and nobody else’s', async () => {
    const { duplicate, survivor, person, old } = await merged('suggests');
    await unmerge(duplicate);
    const suggest = async (svcId: string, contact: string) => {
      const about = { svc_id: svcId, team: 'harbour', by: 'visitor', kind: 'change' } as const;
      const suggested = { note: 'It moved.', contact };
      return (await suggestChange(system.system, { ...about, suggested }, context())).state?.suggestion ?? '';
    };
    const theirs = [
      await suggest(duplicate, `Ana Diaz <${old.toUpperCase()}>, after noon`),
      await suggest(survivor, old),
    ];
    const others = [await suggest(survivor, `x${old}`), await suggest(survivor, '305-555-0100')];
    await system.caughtUp();
    expect((await erase({ svcId: survivor, person })).kind).toBe('done');
    await system.caughtUp();
    const docs = await system.system.documents
      .collection(suggestions.collection)
      .getMany([...theirs, ...others]);
    for (const id of theirs) expect(docs.get(id)).toMatchObject({ erased: true });
    const left = others.flatMap((id) => docs.get(id) ?? []);
    expect(await openSuggestions(system.system.personal, left)).toMatchObject([
      { contact: `x${old}` },
      { contact: '305-555-0100' },
    ]);
  });
});
