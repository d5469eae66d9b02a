import { planAsking, dueBefore, localDay } from '../src/actions/directory/upkeep/asking-plan.ts';
import { agencyRounds } from '../src/actions/directory/upkeep/asking-rounds.ts';
import { spreadDayOf, spreadDays } from '../src/actions/directory/upkeep/agency-reach.ts';
import { commandResource, submitResource } from '../src/commands/directory/resource.ts';
import { chooseAgencyAsking } from '../src/commands/directory/upkeep/agency-asking.ts';
import { agencyContactId } from '../src/commands/directory/upkeep/agency-contact.ts';
import { mailDelivery } from '../src/mail/deliver.ts';
import { Outbox } from '../src/mail/outbox.ts';
import { mailRecord } from '../src/mail/record.ts';
import { smtpTransport } from '../src/mail/smtp.ts';
import { context, startSystem, type RunningSystem } from '../test/api/harness.ts';
import { startMailServer } from '../test/mail/smtp-server.ts';
import { until } from '../test/support/until.ts';
import { inWords, type Row } from './measure.ts';

const team = 'bench';
const minuteMs = 60_000;
const dayMs = 86_400_000;
/** A Tuesday on which the team works. */
const now = new Date('2027-03-02T10:00:00Z');
const afterDays = 183;
const concurrency = 100;

/**
 * How long a team's records are looked through that are all due, and how long it takes until a mail server has the mails of a
 * day on which it is the turn of so many contacts. Without the minutes between the rounds.
 */
export async function askedAgencyRows(records: number, contacts: number): Promise<Row[]> {
  const server = await startMailServer();
  const system = await startSystem();
  Object.assign(system.system.config, { smtpUrl: server.url });
  try {
    await system.team(team);
    const addresses = await addressesOfOneDay(system, contacts);
    await submitted(system, records, addresses);
    const parts = system.system;
    const { day: today } = localDay('UTC', now);
    const began = performance.now();
    const plan = { team, before: dueBefore(afterDays, now), days: [today], today };
    const { asks } = await planAsking(parts, plan, now);
    const planned = performance.now() - began;
    if (asks.length !== contacts) throw new Error(`${asks.length} of ${contacts} contacts are to be asked.`);
    const seconds = await mailed(system, server, contacts);
    return [
      {
        what: `looking through ${inWords(records)} records that are due, records/s`,
        ours: records / (planned / 1_000),
        aim: '≥ 10,000',
      },
      {
        what: `${inWords(contacts)} agencies asked about ${inWords(records)} records, seconds until the mail server has the mails`,
        ours: seconds,
        aim: '≤ 120',
      },
    ];
  } finally {
    await system.stop();
    await server.stop();
  }
}

/** Addresses whose turn is on the day of `now`. */
async function addressesOfOneDay({ system }: RunningSystem, count: number): Promise<string[]> {
  const { day } = localDay('UTC', now);
  const found: string[] = [];
  for (let n = 0; found.length < count; n++) {
    const address = `office${n}@agency${n}.example`;
    const contact = await agencyContactId(system.personal, team, address);
    if (contact !== undefined && spreadDayOf(contact) === day % spreadDays) found.push(address);
  }
  return found;
}

async function submitted(
  running: RunningSystem,
  records: number,
  addresses: readonly string[],
): Promise<void> {
  const { system } = running;
  const by = () => ({ ...context(), at: new Date(now.getTime() - 400 * dayMs) });
  for (let from = 0; from < records; from += concurrency)
    await Promise.all(
      Array.from({ length: Math.min(concurrency, records - from) }, async (_, n) => {
        const email = addresses[(from + n) % addresses.length];
        const fields = {
          name: `Service ${from + n}`,
          category: 'food' as const,
          ...(email !== undefined && { contacts: [{ email }] }),
        };
        const { state } = await submitResource(system, { team, fields }, by());
        await commandResource(system, state?.svc_id ?? '', { kind: 'approve' }, by());
      }),
    );
  await chooseAgencyAsking(system, { team, on: true, after_days: afterDays }, by());
  await running.caughtUp();
}

/** Rounds of asking, a minute apart by their clock, until the mail server has taken all. Answers the seconds that it took. */
async function mailed(
  running: RunningSystem,
  server: Awaited<ReturnType<typeof startMailServer>>,
  contacts: number,
): Promise<number> {
  const { system } = running;
  const carrier = smtpTransport({ url: server.url, from: 'Bench <bench@directory.example>' });
  const stop = new AbortController();
  const fails = (message: string) => {
    throw new Error(message);
  };
  const delivering = mailDelivery({
    outbox: new Outbox(system, () => new Date(now.getTime() + 60 * minuteMs)),
    carrier,
    onRefused: fails,
    record: mailRecord(system.side),
  })(stop.signal, { succeeded: () => undefined });
  const began = performance.now();
  const round = agencyRounds(system, { base: 'https://directory.example' });
  for (let minute = 0; server.taken.length < contacts && minute < 30; minute++) {
    await round(new Date(now.getTime() + minute * minuteMs));
    await running.caughtUp();
  }
  await until(() => server.taken.length >= contacts || undefined);
  const seconds = (performance.now() - began) / 1_000;
  stop.abort();
  await delivering;
  carrier.close();
  if (server.taken.length !== contacts) throw new Error(`${server.taken.length} mails were taken.`);
  return seconds;
}
