import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { erasePerson, placeHold } from '../../src/commands/accounts/erasure.ts';
import { findByEmail, registerPerson, type PersonParts } from '../../src/commands/accounts/person.ts';
import { user } from '../../src/commands/accounts/user.ts';
import { load } from '../../src/commands/command-handler.ts';
import { eraseReport, openReports, reportMistake } from '../../src/commands/directory/upkeep/mistake.ts';
import { eraseSubmission, openSubmissions, submitForm } from '../../src/commands/forms-submissions.ts';
import { replayErasures } from '../../src/erasure/replay.ts';
import { formSubmissionStream } from '../../src/events/forms/submission.ts';
import { streamName } from '../../src/events/define.ts';
import { PersonalData, personOf } from '../../src/personal/personal-data.ts';
import { FileErasureLedger } from '../../src/stores/vault/embedded-erasure-ledger.ts';
import { altered } from '../support/altered.ts';
import { aCommand } from '../support/context.ts';
import { temporaryFolder } from '../support/folder.ts';
import { dataFolder, type DataFolder, type Stores } from '../support/stores.ts';

let folder: DataFolder;
let elsewhere: ReturnType<typeof temporaryFolder>;
let stores: Stores;
let ledger: FileErasureLedger;
let parts: PersonParts;

beforeEach(() => {
  folder = dataFolder();
  elsewhere = temporaryFolder();
  ledger = new FileErasureLedger(join(elsewhere.path, 'erasures.log'));
  open();
});
afterEach(async () => {
  await folder.dispose();
  elsewhere.remove();
});

function open() {
  stores = folder.open();
  parts = {
    store: stores.store,
    vault: stores.vault,
    personal: new PersonalData(stores.vault, undefined, ledger),
  };
}

const backup = () => join(elsewhere.path, 'backup');
/** Copies the files of the closed stores. */
async function backUp() {
  await stores.close();
  cpSync(folder.path, backup(), { recursive: true });
  open();
}
/** Puts these files back from the backup: all, or some of them. */
async function restore(...names: readonly string[]) {
  await stores.close();
  for (const name of names) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder.path, name + suffix), { force: true });
    cpSync(join(backup(), name), join(folder.path, name));
  }
  open();
}

const ada = {
  email: 'ada@example.org',
  profile: { name: 'Ada Lovelace' },
  password: 'correct horse battery',
};
const registered = async () => (await registerPerson(parts, ada, aCommand())).userId;
const nameOf = async (id: string) => {
  const history = await parts.store.readStream(`user-${id}`);
  const sealed = (history[0]?.data as { profile: string }).profile;
  return parts.personal.open(personOf(id), sealed);
};

describe('an older backup', () => {
  for (const files of [['vault.db'], ['vault.db', 'events.db']]) {
    it(`of ${files.join(' and ')} does not bring back a person`, async () => {
      const id = await registered();
      await backUp();
      await erasePerson(parts, id, aCommand());
      await restore(...files);
      expect(await nameOf(id), 'the backup has the person').toEqual(ada.profile);

      expect(await replayErasures(parts, ledger)).toEqual([personOf(id)]);
      expect(await nameOf(id)).toBeUndefined();
      expect(await stores.vault.names('password/')).toEqual([]);
      expect((await load(parts.store, user, id)).state?.status).toBe('erased');
      expect(await findByEmail(parts, ada.email)).toBeUndefined();
      expect(await replayErasures(parts, ledger), 'a second time there is nothing left').toEqual([]);
      // The address is free again.
      await registered();
      expect(await replayErasures(parts, ledger)).toEqual([]);
      expect(await findByEmail(parts, ada.email)).toBeDefined();
    });
  }

  it('does not bring back a person by a hold of that time', async () => {
    const id = await registered();
    await placeHold(parts, id, { reason: 'A case.' }, aCommand());
    await backUp();
    await ledger.record({ holder: personOf(id), at: new Date().toISOString() });
    await replayErasures(parts, ledger);
    expect(await nameOf(id)).toBeUndefined();
    expect((await load(parts.store, user, id)).state?.status).toBe('erased');
  });

  it('does not bring back submissions and reports', async () => {
    const form = crypto.randomUUID();
    const sent = await submitForm(
      parts,
      { team: 'harbour', form, version: 1 },
      { name: 'Ada Lovelace' },
      aCommand(),
    );
    const submission = (sent.events[0]?.data as { submission: string }).submission;
    const answers = { ...(sent.events[0]?.data as { submission: string; answers_sealed: string }) };
    const said = { text: 'Ask Ada.', contact: 'ada@example.org' };
    const about = { svc_id: 'r_0000000000000001', team: 'harbour', kind: 'closed', said } as const;
    const told = await reportMistake(parts, about, aCommand());
    const report = (told.events[0]?.data ?? {}) as { report: string; said: string };
    await backUp();
    await eraseSubmission(parts, submission, {}, aCommand());
    await eraseReport(parts, report.report, {}, aCommand());
    await restore('vault.db', 'events.db');
    expect(await openSubmissions(parts.personal, [answers])).toEqual([{ name: 'Ada Lovelace' }]);
    expect(await openReports(parts.personal, [report])).toEqual([said]);

    expect(await replayErasures(parts, ledger)).toHaveLength(2);
    expect(await openSubmissions(parts.personal, [answers])).toEqual([undefined]);
    expect(await openReports(parts.personal, [report])).toEqual([{}]);
    const events = await parts.store.readStream(streamName(formSubmissionStream, submission));
    expect(events.map(({ type }) => type)).toEqual(['FormSubmitted', 'FormSubmissionErased']);
  });

  it('from before the person loses its data key all the same', async () => {
    const id = await registered();
    await erasePerson(parts, id, aCommand());
    await parts.personal.begin(personOf(crypto.randomUUID()));
    const unknown = personOf(crypto.randomUUID());
    await parts.personal.begin(unknown);
    await ledger.record({ holder: unknown, at: new Date().toISOString() });
    expect(await replayErasures(parts, ledger)).toEqual([unknown]);
    expect(await stores.vault.names('person/')).toHaveLength(1);
  });
});

describe('the ledger', () => {
  it('names the event, and nothing about the person', async () => {
    const id = await registered();
    await erasePerson(parts, id, aCommand());
    const [event] = (await parts.store.readStream(`user-${id}`)).slice(-1);
    const entries = [];
    for await (const entry of ledger.entries()) entries.push(entry);
    expect(entries).toEqual([
      { holder: personOf(id), event: event?.id, at: expect.stringMatching(/^\d{4}-/) as string },
    ]);
  });

  it('does not have a person whose registration was refused, and who registers after all', async () => {
    const other = await registerPerson(parts, ada, aCommand());
    const again = aCommand();
    await expect(registerPerson(parts, ada, again)).rejects.toMatchObject({ code: 'conflict' });
    await erasePerson(parts, other.userId, aCommand());
    const { userId } = await registerPerson(parts, ada, again);
    await replayErasures(parts, ledger);
    expect(await nameOf(userId)).toEqual(ada.profile);
  });

  it('is written first: when it cannot be, no data key is destroyed, and the next try finishes', async () => {
    const id = await registered();
    const full = altered(ledger, { record: () => Promise.reject(new Error('no room')) });
    const failing = { ...parts, personal: new PersonalData(stores.vault, undefined, full) };
    await expect(erasePerson(failing, id, aCommand())).rejects.toThrow('no room');
    expect(await stores.vault.get(personOf(id))).toBeDefined();
    await erasePerson(parts, id, aCommand());
    expect(await stores.vault.get(personOf(id))).toBeUndefined();
  });
});
