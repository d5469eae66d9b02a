import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { inviteByMail } from '../../src/actions/teams/invite.ts';
import { commandPerson, registerPerson, requirePerson } from '../../src/commands/accounts/person.ts';
import { reportMistake } from '../../src/commands/directory/upkeep/mistake.ts';
import {
  commandResource,
  submitResource,
  type CommandOnResource,
} from '../../src/commands/directory/resource.ts';
import { formIdOf, publishForm } from '../../src/commands/forms.ts';
import { submitForm } from '../../src/commands/forms-submissions.ts';
import { createApiKey } from '../../src/commands/keys.ts';
import { changeClient, registerClient } from '../../src/commands/oauth/client.ts';
import { grantConsent } from '../../src/commands/oauth/consent.ts';
import { recordOfInstallation } from '../../src/commands/installation-record.ts';
import { recordPayment, reversePayment } from '../../src/commands/payments.ts';
import { joinTeam } from '../../src/commands/teams/member.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import type { UnsealedFields } from '../../src/events/directory/resource-fields.ts';
import type { Actor, CommandContext } from '../../src/events/metadata.ts';
import type { SignInScope } from '../../src/events/oauth/values.ts';
import type { MemberRole } from '../../src/events/teams.ts';
import { openDatapackage } from '../../src/hsds/package.ts';
import { Outbox } from '../../src/mail/outbox.ts';
import { password, type Account, type Dashboard } from '../api/accounts/harness.ts';
import { anyForm } from '../support/any-form.ts';
import { seedAttempts, seedRefusal, seedUsage } from './lively-counts.ts';

const dayMs = 86_400_000;
const team = 'harbor';

/** A team in which something has happened, for pictures. */
export interface LivelyTeam {
  readonly team: string;
  /** An administrator, and admin of the team. */
  readonly admin: Account;
  readonly site: string;
  readonly webhook: string;
}

/** Something that somebody did, so many days ago. */
type Step = readonly [days: number, take: () => Promise<unknown>];

/** Makes a team that has been at work for two months. What its people did is in the log in the order of time. */
export async function livelyTeam(dash: Dashboard): Promise<LivelyTeam> {
  const { system, origin } = dash;
  const { store } = system;
  const now = Date.now();
  const ago = (days: number, by: Actor = operator): CommandContext => ({
    actor: by,
    commandId: crypto.randomUUID(),
    at: new Date(now - days * dayMs),
  });
  const person = async (name: string, days: number, as: MemberRole): Promise<Account & { by: Actor }> => {
    const email = `${name.toLowerCase().replaceAll(/\W+/g, '.')}@example.org`;
    const username = name.toLowerCase().replace(/\W.*/, '');
    const role = as === 'admin' ? 'administrator' : 'person';
    const wish = { email, password, profile: { name, username }, role } as const;
    const { userId: user } = await registerPerson(system, wish, ago(days));
    const { email: index } = await requirePerson(system, user);
    const by = { kind: 'user', id: user } as const;
    await commandPerson(system, user, { kind: 'verify-email', email: index }, ago(days, by));
    await joinTeam(system, { team, user, role: as }, ago(days, by));
    return { user, email, by };
  };

  await commandTeam(store, { kind: 'create', team, name: 'Harbor Network' }, ago(62));
  const scopes = ['members:read', 'payments:write', 'webhooks:read'] as const;
  await commandTeam(store, { kind: 'enable-scopes', team, scopes }, ago(62));
  const backup = { taken_at: ago(1).at.toISOString(), events: 480, digest: 'a'.repeat(64) };
  await recordOfInstallation(system, { kind: 'backup-taken', backup }, ago(1));
  const maria = await person('Maria Alvarez', 61, 'admin');
  const tomasz = await person('Tomasz Nowak', 58, 'reviewer');
  const grace = await person('Grace Okafor', 50, 'member');
  const linh = await person('Linh Tran', 42, 'member');

  const site = async (name: string, days: number, redirectUris: string[]) =>
    (await registerClient(store, { team, name, redirectUris }, ago(days, maria.by))).clientId;
  const news = await site('Neighborhood News', 40, [
    'https://news.example/callback',
    'https://beta.news.example/callback',
  ]);
  const at = new Date(now - 39 * dayMs);
  const proved = { kind: 'verify-domain', host: 'news.example', by: 'file', at } as const;
  await changeClient(store, news, [proved], ago(39, maria.by));
  const tools = await site('Tool Library', 38, ['https://tools.example/signed-in']);

  const key = async (label: string, days: number, of: 'developer' | 'team', domains: string[] = []) => {
    const wish = { kind: of, ...(of === 'team' ? { team } : {}), label, domains } as const;
    const reads = ['resources:read'] as const;
    const made = await createApiKey(system, { ...wish, scopes: reads }, randomBytes(32), ago(days, maria.by));
    return made.keyId;
  };
  await seedUsage(system.side, await key('Library kiosk', 36, 'developer', ['library.example']), now);
  await seedUsage(system.side, await key('Nightly copy', 35, 'team'), now);

  const events = ['resource.approved', 'resource.rejected'] as const;
  const url = 'https://hooks.news.example/commonweal';
  const webhook = await createSubscription(system, { team, url, events }, secret(), ago(34, maria.by));

  await publishForm(store, { team, slug: 'volunteer' }, anyForm(), ago(32, maria.by));

  const consents = (client: string, days: number, allowed: SignInScope[]): Step => [
    days,
    () => grantConsent(store, { user: maria.user, client }, allowed, ago(days, maria.by)),
  ];
  const answers = (name: string, days: number, phone: string): Step => [
    days,
    () =>
      submitForm(
        system,
        { team, form: formIdOf(team, 'volunteer'), version: 1 },
        {
          name,
          story: 'I can come on weekends.',
          email: `${name.toLowerCase().replace(' ', '.')}@example.com`,
          phone,
          household: 3,
          day: 'sat',
          help_with: ['driving', 'phones'],
          agrees: true,
        },
        ago(days, { kind: 'system', id: 'form' }),
      ),
  ];
  const pays = (who: Account, days: number, amount_minor: number, memo: string, reason?: string): Step => [
    days,
    async () => {
      const wish = { member_id: who.user, amount_minor, currency: 'USD', memo };
      const paid = await recordPayment(system, team, wish, ago(days, maria.by));
      const id = paid.events[0]?.data.payment ?? '';
      if (reason !== undefined) await reversePayment(system, id, { reason }, ago(days, maria.by));
    },
  ];
  const steps: Step[] = [
    consents(news, 19.2, ['openid', 'profile', 'email']),
    consents(tools, 5.1, ['openid']),
    answers('Ruth Becker', 22.3, '555-0141'),
    answers('Samir Haddad', 15.4, '555-0142'),
    answers('Ada Lindqvist', 8.2, '555-0143'),
    pays(grace, 15.6, 2_500, 'Membership, autumn'),
    pays(tomasz, 14.5, 2_500, 'Membership, autumn'),
    pays(linh, 13.1, 1_250, 'Membership, half'),
    pays(grace, 12.2, 4_000, 'Summer fair, stall', 'Booked twice'),
    [9.3, () => key('Phone line', 9.3, 'developer')],
    [12.4, () => key('Board report', 12.4, 'team')],
    [
      6,
      () =>
        inviteByMail(
          { ...system, outbox: new Outbox(system), issuer: () => origin },
          { team, email: 'priya.raman@example.org', role: 'reviewer' },
          ago(6, maria.by),
        ),
    ],
  ];

  for (const [index, fields] of (await exampleRecords()).entries()) {
    const first = 30 - index * 1.37;
    const said = (days: number, svc_id: string, command: CommandOnResource, by: Actor) =>
      commandResource(system, svc_id, command, ago(days, by));
    steps.push([
      first,
      async () => {
        const { by } = index % 3 === 0 ? linh : grace;
        const { state } = await submitResource(system, { team, fields }, ago(first, by));
        const id = state?.svc_id ?? '';
        if (index < 18) await said(first - 0.21, id, { kind: 'approve' }, tomasz.by);
        if (index === 18)
          await said(first - 0.1, id, { kind: 'reject', reason: 'It is outside the county.' }, tomasz.by);
        if (index === 17) {
          const description = `${fields.description ?? ''} Call before you come.`;
          await said(first - 0.4, id, { kind: 'revise', change: { description } }, grace.by);
        }
        if (index === 7)
          steps.push([
            2.2,
            () => said(2.2, id, { kind: 'deactivate', reason: 'Closed for the winter.' }, maria.by),
          ]);
        if (index === 5) {
          const text = 'They close at 4 pm on Fridays now.';
          const report = { svc_id: id, team, kind: 'hours', said: { text, contact: '555-0177' } } as const;
          const visitor = { kind: 'system', id: 'report' } as const;
          steps.push([1.2, () => reportMistake(system, report, ago(1.2, visitor))]);
        }
        if (index === 0) await seedAttempts(store, { ...webhook, team, record: id, now });
      },
    ]);
  }
  // Some steps lead to later ones.
  while (steps.length > 0) {
    steps.sort(([a], [b]) => b - a);
    await steps.shift()?.[1]();
  }
  await seedRefusal(system, news);
  await dash.caughtUp();
  return { team, admin: maria, site: news, webhook: webhook.subscriptionId };
}

const operator: Actor = { kind: 'system', id: 'cli' };
const secret = () => newSigningSecret(randomBytes);

/** Records of the example directory, and one that looks like another of them. */
async function exampleRecords(): Promise<UnsealedFields[]> {
  const folder = fileURLToPath(new URL('../../examples/directory', import.meta.url));
  const datapackage = await openDatapackage(folder);
  const found: UnsealedFields[] = [];
  for await (const item of datapackage.records())
    if (item.kind === 'record' && found.length < 20) found.push(item.fields);
  datapackage.close();
  const pantry = found.find(({ name }) => name === 'Dock Street Food Pantry');
  return pantry ? [...found, { ...pantry, name: 'Dock Street Pantry' }] : found;
}
