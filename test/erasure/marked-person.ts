import { randomBytes } from 'node:crypto';
import { addPasskey, changeEmail, changeProfile } from '../../src/commands/accounts/person.ts';
import { liftHold, placeHold } from '../../src/commands/accounts/erasure.ts';
import { submitOrganization } from '../../src/commands/directory/organization.ts';
import { suggestChange } from '../../src/commands/directory/upkeep/suggestion.ts';
import { reportMistake } from '../../src/commands/directory/upkeep/mistake.ts';
import { importResource } from '../../src/commands/directory/import-record.ts';
import { peopleOfResource, submitResource } from '../../src/commands/directory/resource.ts';
import { formIdOf } from '../../src/commands/forms.ts';
import { submissionIdOf, submitForm } from '../../src/commands/forms-submissions.ts';
import { commandApiKey, createApiKey } from '../../src/commands/keys.ts';
import { grantConsent } from '../../src/commands/oauth/consent.ts';
import { paymentIdOf, recordPayment, reversePayment } from '../../src/commands/payments.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import { teamScopes } from '../../src/events/teams.ts';
import type { Actor, CommandContext } from '../../src/events/metadata.ts';
import { Outbox } from '../../src/mail/outbox.ts';
import { deliveries } from '../../src/projections/webhooks/deliveries.ts';
import { startSending } from '../api/webhooks/dispatching.ts';
import { publish } from '../api/forms/visitor.ts';
import type { Account, Dashboard } from '../api/accounts/harness.ts';
import { context } from '../api/harness.ts';
import { receiver } from '../dispatch/receivers.ts';
import { anyForm } from '../support/any-form.ts';
import { until } from '../support/until.ts';
import { clearMarks, heldMark, neverMarks, sealedMarks } from './marks.ts';

export interface Marked {
  readonly person: Account;
  /** The present address. */
  readonly email: string;
  readonly submission: string;
  readonly report: string;
  readonly suggestion: string;
  readonly invitation: string;
  /** Contact persons, with the record that names them. */
  readonly contacts: readonly { readonly svcId: string; readonly person: string }[];
  /** One id of each kind that stands in addresses. See test/support/routes.ts. */
  readonly ids: Readonly<Record<string, string>>;
}

export const team = 'harbour';
const asActor = (actor: Actor): CommandContext => ({ ...context(), actor });
const words = Object.fromEntries(
  Object.entries(clearMarks).map(([what, [mark]]) => [what, mark]),
) as Readonly<Record<keyof typeof clearMarks, string>>;

/** A person of a team and everything that can be said of one, with a mark in each field. */
export async function markedPerson(dash: Dashboard): Promise<Marked> {
  const { system } = dash;
  const mark = sealedMarks;
  await commandTeam(system.store, { kind: 'enable-scopes', team, scopes: [...teamScopes] }, context());
  await commandTeam(
    system.store,
    { kind: 'create', team: 'other-team', name: words['the name of a team'] },
    context(),
  );

  const person = await dash.account({
    email: `${mark.email}@example.org`,
    profile: {
      name: mark.name,
      username: mark.username,
      phone: `+1 ${mark.phone}`,
      picture: `https://${mark.picture}.example/me.png`,
    },
  });
  const { user } = person;
  const byPerson = (): CommandContext => asActor({ kind: 'user', id: user });
  const forPerson = (): CommandContext => asActor({ kind: 'system', id: 'cli', on_behalf_of: user });

  // The receiver answers with what it was sent, and with what it knows of the person itself.
  await using hook = await receiver((response, { body }) => {
    response.writeHead(500).end(`${mark['what a receiver answered']} ${body.toString()}`);
  });
  const events = ['member.joined', 'form.submitted', 'payment.received'] as const;
  const url = `${hook.url}?key=${mark['token in the address of a webhook']}`;
  const wish = { team, url, events };
  const { subscriptionId } = await createSubscription(system, wish, newSigningSecret(randomBytes), context());

  await dash.member(team, person, 'admin');
  const paid = context();
  const memo = mark['memo of a payment'];
  await recordPayment(system, team, { member_id: user, amount_minor: 1_250, currency: 'USD', memo }, paid);
  const payment = paymentIdOf(paid);
  await publish(dash, 'volunteers', anyForm({ title: { en: words['the text of a form'], es: 'Hola' } }));
  const form = formIdOf(team, 'volunteers');
  const answered = context();
  await submitForm(
    system,
    { team, form, version: 1 },
    {
      name: mark['answer to a form, short'],
      story: mark['answer to a form, long'],
      email: `${mark['answer to a form, email']}@example.org`,
    },
    answered,
  );

  await dash.caughtUp();
  const stopSending = startSending(dash);
  const attempted = dash.system.documents.collection(deliveries.collection);
  const failed = { where: { subscription: subscriptionId, status: 'failed' } } as const;
  await until(async () => (await attempted.count(failed)) === 3);
  await stopSending();
  await reversePayment(system, payment, { reason: mark['why a payment was reversed'] }, context());

  await changeProfile(system, user, { name: mark['new name'], phone: `+1 ${mark.phone}` }, byPerson());
  const email = `${mark['new email']}@example.org`;
  await changeEmail(system, user, { email }, byPerson());
  const credential = randomBytes(16).toString('base64url');
  await addPasskey(
    system,
    user,
    { credential, publicKey: 'AAAA', transports: [], label: mark['name of a passkey'] },
    byPerson(),
  );
  const { hold } = await placeHold(system, user, { reason: heldMark }, context());
  await liftHold(system, user, { hold }, context());
  const key = async (label: string, by: CommandContext, ofTeam: boolean) => {
    const kind = ofTeam ? ({ kind: 'team', team } as const) : ({ kind: 'developer' } as const);
    const asked = { ...kind, label, scopes: ['resources:read'] as const, domains: [] };
    return (await createApiKey(system, { ...asked, scopes: [...asked.scopes] }, randomBytes(32), by)).keyId;
  };
  await key(mark['label of a developer key'], byPerson(), false);
  const ofTeam = await key(mark['label of a team key that the person made'], byPerson(), true);
  await key(mark['label of a key that was made for the person'], forPerson(), true);
  const forNobody = await key(words['the label of a key for nobody in particular'], context(), true);
  await commandApiKey(
    system.store,
    forNobody,
    { kind: 'revoke', reason: words['why a key was revoked'] },
    context(),
  );
  await new Outbox(system).put(
    { to: email, subject: 'Hello', text: mark['text of an email that waits'] },
    86_400,
  );
  const site = await dash.site({ name: words['the name of a site'] });
  await grantConsent(system.store, { user, client: site }, ['openid', 'profile', 'email'], byPerson());
  const invited = await dash.invited(team, `${mark['address of an invitation']}@example.org`, 'member');

  const made = await submitResource(
    system,
    {
      team,
      fields: {
        name: words['a record'],
        category: 'food',
        locations: [{ city: 'Miami' }],
        contacts: [
          {
            name: mark['name of a contact person'],
            title: mark['title of a contact person'],
            email: `${mark['email of a contact person']}@example.org`,
          },
        ],
        verified_by: mark['who verified a record'],
      },
    },
    byPerson(),
  );
  const svcId = made.state?.svc_id ?? '';
  await dash.command(svcId, { kind: 'approve', note: words['why a record was approved'] });
  await dash.command(svcId, { kind: 'deactivate', reason: words['why a record was deactivated'] });
  await dash.command(svcId, { kind: 'reactivate' });
  const rejected = await dash.submission(team);
  await dash.command(rejected, { kind: 'reject', reason: words['why a record was rejected'] });
  const imported = await importResource(
    system,
    {
      team,
      source: { system: 'county', id: '17' },
      active: true,
      approve: true,
      fields: {
        name: 'An imported pantry',
        category: 'food',
        locations: [{ city: 'Miami' }],
        contacts: [{ name: mark['contact person of an import'] }],
      },
    },
    context(),
  );
  const reported = await reportMistake(
    system,
    {
      svc_id: svcId,
      team,
      kind: 'closed',
      said: {
        text: mark['text of a report'],
        contact: `${mark['contact of a report']}@example.org`,
      },
    },
    context(),
  );
  const suggested = await suggestChange(
    system,
    {
      svc_id: imported.state?.svc_id ?? '',
      team,
      by: 'visitor',
      kind: 'change',
      suggested: {
        fields: { cost: mark['value of a suggestion'] },
        note: mark['note of a suggestion'],
        contact: `${mark['contact of a suggestion']}@example.org`,
      },
    },
    context(),
  );
  const organization = await submitOrganization(system, { team, fields: { name: 'Sender' } }, context());
  await dash.caughtUp();

  const sent = await importedFile(dash);
  const records = [svcId, imported.state?.svc_id ?? '', ...sent];
  const contacts = await Promise.all(
    records.map(async (id) =>
      (await peopleOfResource(system, id)).map((each) => ({ svcId: id, person: each.person })),
    ),
  );
  const report = reported.state?.report ?? '';
  const suggestion = suggested.state?.suggestion ?? '';
  const [delivery] = await attempted.page({
    where: { subscription: subscriptionId, status: 'failed' },
    orderBy: ['next_attempt_at', 'delivery'],
    limit: 1,
  });
  const { events: written } = await system.store.readAll({ after: 0n, limit: 1_000 });
  const event = written.find(({ type }) => type === 'PaymentRecorded');
  const submission = submissionIdOf(answered);
  return {
    person,
    email,
    submission,
    report,
    suggestion,
    invitation: invited.invitation,
    contacts: contacts.flat(),
    ids: {
      ...{ team, svcId, form, slug: 'volunteers', submission, payment, report, key: ofTeam, site, user },
      suggestion,
      claim: 'ab'.repeat(32),
      subscription: subscriptionId,
      delivery: delivery?.delivery ?? '',
      event: event?.id ?? '',
      correlation: String(event?.metadata['correlation_id']),
      stream: `user-${user}`,
      organization: organization.state?.org_id ?? '',
      import: crypto.randomUUID(),
      bulk: crypto.randomUUID(),
      imported: crypto.randomUUID(),
      view: 'none',
      person: contacts.flat()[0]?.person ?? '',
      pass: 'none',
      request: 'none',
      ...{ guide: 'widget', picture: 'audit-log.png' },
    },
  };
}

/** A file that an admin of the team sends and imports. The records that came of it. */
async function importedFile(dash: Dashboard): Promise<string[]> {
  const sender = await dash.account();
  await dash.member(team, sender, 'admin');
  const browser = await dash.signedIn(sender);
  const service = {
    id: 's1',
    name: 'A pantry of a file',
    status: 'active',
    organization: { id: 'o1', name: 'Sender', description: 'It sends.' },
    contacts: [
      {
        id: 'c1',
        name: sealedMarks['contact person in a file'],
        email: `${sealedMarks['email of a contact person in a file']}@example.org`,
      },
      { id: 'c2', email: `${neverMarks['a contact in a file that cannot be taken']} at nothing` },
    ],
  };
  await browser.open(`/dash/resources/import?team=${team}`);
  const content = JSON.stringify([service]);
  await browser.pressWithFile(
    'Compare',
    { field: 'file', name: `${words['the name of a file that is imported']}.json`, content },
    { approve: 'yes' },
  );
  const headed = (heading: string) =>
    until(async () => (await browser.open(browser.url.pathname + browser.url.search)).heading === heading);
  await headed('What would change');
  await browser.press('Import');
  await headed('Imported');
  await dash.caughtUp();
  const { events } = await dash.system.store.readAll({
    after: -1n,
    filter: { types: ['ResourceSubmitted'] },
    limit: 100,
  });
  const ofFile = events.filter(({ data }) =>
    JSON.stringify(data).toLowerCase().includes(service.name.toLowerCase()),
  );
  return ofFile.map(({ data }) => (data as { svc_id: string }).svc_id);
}
