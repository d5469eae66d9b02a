import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  answerByLink,
  byAgencyLink,
  carryOut,
  endMails,
  noteUnreachable,
} from '../../../../src/actions/directory/upkeep/agency-answers.ts';
import { agencyRounds } from '../../../../src/actions/directory/upkeep/asking-rounds.ts';
import { callList } from '../../../../src/actions/directory/upkeep/calls.ts';
import type { DuePlace } from '../../../../src/actions/directory/upkeep/asking-plan.ts';
import {
  agencyContactId,
  loadAgencyContact,
} from '../../../../src/commands/directory/upkeep/agency-contact.ts';
import { chooseAgencyAsking } from '../../../../src/commands/directory/upkeep/agency-asking.ts';
import { commandResource, submitResource } from '../../../../src/commands/directory/resource.ts';
import type { AgencyAnswer } from '../../../../src/events/directory/upkeep/agency-contact.ts';
import { Outbox } from '../../../../src/mail/outbox.ts';
import { recordLookup } from '../../../../src/projections/directory/record-lookup.ts';
import { context, startSystem, type RunningSystem } from '../../../api/harness.ts';

/** `ASKING_RECORDS=4000 ASKING_CONTACTS=1200` is the whole size, which takes some minutes. */
const size = {
  records: Number(process.env['ASKING_RECORDS'] ?? 240),
  contacts: Number(process.env['ASKING_CONTACTS'] ?? 72),
};
const seed = Number(process.env['ASKING_SEED'] ?? 35);
const dayMs = 86_400_000;
const team = 'harbour';
const afterDays = 183;
const first = Date.parse('2027-01-04T10:00:00Z');
const at = (day: number): Date => new Date(first + day * dayMs);
const isoDay = (day: number): string => at(day).toISOString().slice(0, 10);

/** Mulberry32. */
function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
const random = randomOf(seed);

/** What the model keeps: plain facts, and nothing of how the code decides. */
interface ModelRecord {
  readonly addresses: readonly string[];
  confirmedOn: string;
  /** The newest answer that leaves the record to the team. */
  leftOn?: number;
}
const records = new Map<string, ModelRecord>();
const mailDays = new Map<string, number[]>();
const ended = new Set<string>();
/** By address and record: the days of mails since the last answer, and whether it is not theirs. */
const questions = new Map<string, { days: number[]; notTheirs: boolean }>();
const questionOf = (address: string, svcId: string) => {
  const key = `${address} ${svcId}`;
  const found = questions.get(key) ?? { days: [], notTheirs: false };
  questions.set(key, found);
  return found;
};

let system: RunningSystem;
beforeAll(async () => {
  system = await startSystem();
  Object.assign(system.system.config, { smtpUrl: 'smtp://127.0.0.1:1' });
  await system.team(team);
  const address = () => `office${Math.floor(random() * size.contacts)}@agency.example`;
  for (let from = 0; from < size.records; from += 100)
    await Promise.all(
      Array.from({ length: Math.min(100, size.records - from) }, async (_, place) => {
        const addresses = [...new Set(Array.from({ length: Math.floor(random() * 2.8) }, address))];
        const submittedAt = at(-200 - Math.floor(random() * 700));
        const fields = {
          name: `Service ${from + place}`,
          category: 'food' as const,
          ...(addresses.length > 0 && { contacts: addresses.map((email) => ({ email })) }),
        };
        const by = () => ({ ...context(), at: submittedAt });
        const { state } = await submitResource(system.system, { team, fields }, by());
        const svcId = state?.svc_id ?? '';
        await commandResource(system.system, svcId, { kind: 'approve' }, by());
        records.set(svcId, { addresses, confirmedOn: submittedAt.toISOString().slice(0, 10) });
      }),
    );
  await chooseAgencyAsking(
    system.system,
    { team, on: true, after_days: afterDays },
    { ...context(), at: at(0) },
  );
  await system.caughtUp();
}, 600_000);
afterAll(() => system.stop());

interface Later {
  readonly address: string;
  readonly contact: string;
  readonly does: 'bounce' | 'stop' | readonly (readonly [svcId: string, answer: AgencyAnswer])[];
}

/** What somebody does about a mail, by chance. Undefined: nothing. */
function reaction(svcIds: readonly string[]): Later['does'] | undefined {
  const chance = random();
  if (chance < 0.02) return 'bounce';
  if (chance < 0.05) return 'stop';
  if (chance < 0.4) return undefined;
  return svcIds.flatMap((svcId) => {
    const which = random();
    if (which < 0.1) return [];
    const answer = which < 0.8 ? 'yes' : which < 0.88 ? 'change' : which < 0.94 ? 'closed' : 'not_ours';
    return [[svcId, answer] as const];
  });
}

test('in a year nobody is asked twice a month or after a stop, and each record is asked about, answered, or on the call list', async () => {
  const parts = system.system;
  const outbox = new Outbox(parts);
  const later = new Map<number, Later[]>();
  let mails = 0;
  const days = 365;
  for (let day = 0; day < days; day++) {
    // A process that was killed begins anew: its plan of the day is lost.
    const round = agencyRounds(parts, { base: 'https://directory.example' });
    await round(at(day));
    await system.caughtUp();
    if (day % 3 === 0) await agencyRounds(parts, { base: 'https://directory.example' })(at(day));
    for (const mail of await outbox.waiting()) {
      mails++;
      const address = mail.to;
      const before = mailDays.get(address) ?? [];
      const last = before.at(-1);
      expect(ended.has(address), `${address} after its end, on day ${day}`).toBe(false);
      if (last !== undefined) expect(day - last, address).toBeGreaterThanOrEqual(30);
      mailDays.set(address, [...before, day]);
      const contact = (await agencyContactId(parts.personal, team, address)) ?? '';
      const state = await loadAgencyContact(parts.store, contact);
      const svcIds = state?.svcIds ?? [];
      for (const svcId of svcIds) {
        expect(records.get(svcId)?.addresses).toContain(address);
        expect(questionOf(address, svcId).notTheirs, svcId).toBe(false);
        questionOf(address, svcId).days.push(day);
      }
      const does = reaction(svcIds);
      const due = does === 'bounce' ? day : day + Math.floor(random() * 10);
      if (does !== undefined) later.set(due, [...(later.get(due) ?? []), { address, contact, does }]);
      await outbox.remove(mail);
    }
    for (const each of later.get(day) ?? []) await happens(each, day);
    await system.caughtUp();
  }
  expect(mails).toBeGreaterThan(size.contacts);
  await comparedOn(days);
}, 1_200_000);

async function happens({ address, contact, does }: Later, day: number): Promise<void> {
  const parts = system.system;
  const by = () => byAgencyLink(crypto.randomUUID(), at(day));
  if (does === 'bounce' || does === 'stop') {
    if (does === 'bounce') await noteUnreachable(parts, contact, 'bounced', by());
    else await endMails(parts, contact, 'stop', by());
    ended.add(address);
    return;
  }
  for (const [svcId, answer] of does) {
    await answerByLink(parts, contact, svcId, answer, by());
    const question = questionOf(address, svcId);
    question.days = [];
    question.notTheirs = answer === 'not_ours';
    const record = records.get(svcId);
    if (!record) continue;
    if (answer === 'yes') record.confirmedOn = isoDay(day);
    else if (answer !== 'not_ours') record.leftOn = day;
  }
  await carryOut(parts, contact, at(day));
}

/** Compares the share of confirmed records and the call list with the model. */
async function comparedOn(day: number): Promise<void> {
  const before = isoDay(day - afterDays);
  const due = [...records].filter(([, { confirmedOn }]) => confirmedOn < before);
  const listed = await system.system.documents.collection(recordLookup.collection).count({
    where: { team },
    also: [{ field: 'verified', before }],
  });
  expect(listed).toBe(due.length);
  const toCall = due.filter(([svcId, record]) => {
    if (
      record.leftOn !== undefined &&
      day - record.leftOn < 60 &&
      isoDay(record.leftOn) >= record.confirmedOn
    )
      return false;
    return record.addresses.every((address) => {
      const { days, notTheirs } = questionOf(address, svcId);
      const since = days.filter((each) => isoDay(each) >= record.confirmedOn);
      const isSilent = since.length >= 2 && day - (since.at(-1) ?? 0) >= 14;
      return notTheirs || ended.has(address) || isSilent;
    });
  });
  const found = new Set<string>();
  let after: DuePlace | undefined;
  do {
    const page = await callList(system.system, team, after, at(day));
    for (const { record } of page.rows) found.add(record.svcId);
    after = page.next;
  } while (after);
  expect([...found].sort()).toEqual(toCall.map(([svcId]) => svcId).sort());
  // The others are asked about in turn: none has waited longer than the four weeks over which contacts are spread, and a
  // weekend, since it could be asked about.
  for (const [svcId, record] of due.filter(([id]) => !found.has(id)))
    expect(day - mayBeAskedFrom(record), svcId).toBeLessThanOrEqual(28 + 3);
}

/** The first day on which one of its contacts may be asked about a record again, as the model knows it. */
function mayBeAskedFrom({ addresses, confirmedOn, leftOn = -Infinity }: ModelRecord): number {
  const dueFrom = (Date.parse(confirmedOn) - Date.parse(isoDay(0))) / dayMs + afterDays + 1;
  const mailed = addresses.map((address) => mailDays.get(address)?.at(-1) ?? -Infinity);
  return Math.max(dueFrom, leftOn + 60, Math.max(...mailed) + 30);
}
