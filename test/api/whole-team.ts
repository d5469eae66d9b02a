import { beginClaim } from '../../src/commands/directory/upkeep/claim.ts';
import { createHash, randomBytes } from 'node:crypto';
import { formIdOf } from '../../src/commands/forms.ts';
import { submissionIdOf, submitForm } from '../../src/commands/forms-submissions.ts';
import { reportMistake } from '../../src/commands/directory/upkeep/mistake.ts';
import { suggestChange } from '../../src/commands/directory/upkeep/suggestion.ts';
import { commandBulk } from '../../src/commands/directory/bulk.ts';
import { commandImport } from '../../src/commands/directory/import.ts';
import { submitOrganization } from '../../src/commands/directory/organization.ts';
import { paymentIdOf, recordPayment } from '../../src/commands/payments.ts';
import { commandView } from '../../src/commands/teams/view.ts';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import { metadata } from '../../src/events/metadata.ts';
import { anyForm } from '../support/any-form.ts';
import { routesOf } from '../support/routes.ts';
import type { Account, Dashboard } from './accounts/harness.ts';
import { publish } from './forms/visitor.ts';
import { context } from './harness.ts';

/** Stands in everything of the team that is not public. */
export const mark = 'heron-of-harbour';
export const team = 'harbour';

/** Makes one of everything that a team can have. The result: each id by the name of its kind. */
export async function contentsOfTeam(
  dash: Dashboard,
  member: Account,
): Promise<Readonly<Record<string, string>>> {
  const { system } = dash;
  const svcId = await dash.submission(team, { name: `Pantry ${mark}` });
  await publish(dash, 'volunteers', anyForm());
  const form = formIdOf(team, 'volunteers');
  const seen = await dash.submission(team, { name: 'A record that everybody sees' });
  await dash.command(seen, { kind: 'approve' });
  await dash.invited(team, `${mark}@example.org`, 'member');
  const answered = context();
  await submitForm(system, { team, form, version: 1 }, { name: `Person ${mark}` }, answered);
  const paid = context();
  const payment = { member_id: member.user, amount_minor: 1_250, currency: 'USD', memo: `For ${mark}` };
  await recordPayment(system, team, payment, paid);
  const subscription = await createSubscription(
    system,
    { team, url: `http://127.0.0.1:9/${mark}`, events: ['member.joined'] },
    newSigningSecret(randomBytes),
    context(),
  );
  const report = await reportMistake(
    system,
    { svc_id: svcId, team, kind: 'closed', said: { text: `It is ${mark}` } },
    context(),
  );
  const claim = createHash('sha256').update(`claim of ${mark}`).digest('hex');
  const claimed = { claim, team, subject: seen, svc_id: seen, host: 'harbour.example', language: 'en' };
  await beginClaim(system, { ...claimed, address: `${mark}@harbour.example` }, context());
  const suggestion = await suggestChange(
    system,
    { svc_id: seen, team, by: 'visitor', kind: 'change', suggested: { note: `It is ${mark}` } },
    context(),
  );
  const organization = await submitOrganization(
    system,
    { team, fields: { name: `Organization ${mark}` } },
    context(),
  );
  const key = await dash.key({ kind: 'team', team, label: `Key ${mark}`, scopes: ['resources:read'] });
  const [bulk, imported, view] = [crypto.randomUUID(), crypto.randomUUID(), `View ${mark}`];
  const change = { decision: 'verified', reason: `Checked by ${mark}`, day: '2026-01-02' } as const;
  await commandBulk(system.store, bulk, { kind: 'begin', team, number: 0, change }, context());
  const counts = { done: 0, unchanged: 0, skipped: {} };
  await commandBulk(system.store, bulk, { kind: 'end', counts }, context());
  await commandImport(system.store, imported, { kind: 'begin', team, source: mark }, context());
  await commandView(system.store, { kind: 'save', team, name: view, query: '' }, context());
  const site = await dash.site({ name: `Site ${mark}` });
  await dash.caughtUp();
  const written = await dash.system.store.readAll({ after: 0n, limit: 1_000 });
  const ofTeam = written.events.find(({ type }) => type === 'PaymentRecorded');
  return {
    team,
    svcId,
    form,
    slug: 'volunteers',
    submission: submissionIdOf(answered),
    payment: paymentIdOf(paid),
    subscription: subscription.subscriptionId,
    report: report.state?.report ?? '',
    claim,
    suggestion: suggestion.state?.suggestion ?? '',
    organization: organization.state?.org_id ?? '',
    key: key.keyId,
    site,
    user: member.user,
    event: ofTeam?.id ?? '',
    correlation: ofTeam ? metadata.parse(ofTeam.metadata).correlation_id : '',
    stream: ofTeam?.stream ?? '',
    import: crypto.randomUUID(),
    ...{ bulk, imported, view: encodeURIComponent(view) },
    delivery: crypto.randomUUID(),
    request: 'none',
    person: crypto.randomUUID(),
    pass: 'none',
    ...{ guide: 'widget', picture: 'audit-log.png' },
  };
}

/** What stands for a parameter of an address: the first row that fits. */
const parameters: readonly (readonly [address: RegExp, id: string])[] = [
  [/people\/:id/, 'person'],
  [/bulk-actions\/:id/, 'bulk'],
  [/imports\/:id/, 'imported'],
  [/views\/:name/, 'view'],
  [/reports\/:id/, 'report'],
  [/suggestions\/:id/, 'suggestion'],
  [/claims\/:id/, 'claim'],
  [/forms\/:id|:form$/, 'form'],
  [/payments\/:(id|payment)/, 'payment'],
  [/deliveries\/:(id|delivery)/, 'delivery'],
  [/(subscriptions|webhooks)\/:id/, 'subscription'],
  [/events\/:id/, 'event'],
  [/correlations\/:id|:correlation/, 'correlation'],
  [/:stream/, 'stream'],
  [/:(svc_id|svcId)$|(r|services)\/:id/, 'svcId'],
  [/:org_id$|organizations\/:id/, 'organization'],
  [/:submission/, 'submission'],
  [/:client/, 'site'],
  [/:key(_id)?$/, 'key'],
  [/:user|:member/, 'user'],
  [/:team/, 'team'],
  [/:import|:bulk/, 'import'],
  [/:pass/, 'pass'],
  [/docs\/:guide/, 'guide'],
  [/images\/:file/, 'picture'],
  [/:request/, 'request'],
];

/** The address of a route, of the team's own things. */
export function addressOf(route: string, ids: Readonly<Record<string, string>>): string {
  const path = route
    .split('/')
    .reduce<string[]>((before, segment) => {
      if (!segment.startsWith(':')) return [...before, segment.replace('*', 'anything')];
      const until = [before.at(-1), segment].join('/');
      const id = route.startsWith('/f/')
        ? { ':team': 'team', ':form': 'slug' }[segment]
        : parameters.find(([address]) => address.test(until))?.[1];
      if (id === undefined || !ids[id]) throw new Error(`Nothing stands for ${segment} of ${route} here.`);
      return [...before, ids[id]];
    }, [])
    .join('/');
  return path;
}

/** The paths of pages of a team, without it. */
export const ofTeams = /^\/dash(\/(resources|team|integrations|audit|sites)(\/.*)?)?$/;
/** An administrator's page of all events, to which that of a team leads. */
export const ofAll = /^\/dash\/audit(\/as-of|\/exports)?$/;

/** The addresses of the team's pages without the team, also those that only take forms. */
export const pathsOfTeam = (dash: Dashboard, ids: Readonly<Record<string, string>>): string[] =>
  dashRoutes(dash)
    .filter((route) => ofTeams.test(route))
    .map((route) => addressOf(route, ids));

/** The same of everything else in the dashboard: a person's and the installation's. */
export const pathsOfNoTeam = (dash: Dashboard, ids: Readonly<Record<string, string>>): string[] =>
  dashRoutes(dash)
    .filter((route) => !ofTeams.test(route) && !/^\/dash\/(api|assets|sign-out)(\/|$)/.test(route))
    .map((route) => addressOf(route, ids));

const dashRoutes = ({ server }: Dashboard): string[] =>
  routesOf(server.printRoutes({ commonPrefix: false })).filter((route) => /^\/dash(\/|$)/.test(route));

/** What somebody might type into a field of that name. */
export function typed(name: string): string {
  if (/email/.test(name)) return 'someone-else@example.org';
  if (/redirect/.test(name)) return 'https://news.example/callback';
  if (/(url|uri|origin)/.test(name)) return '';
  if (/amount/.test(name)) return '3.50';
  if (/date/.test(name)) return '2026-03-31';
  if (/slug/.test(name)) return 'another-form';
  if (/(cap|domains|expires|latitude|longitude|minimum|maximum)/.test(name)) return '';
  return 'Words';
}
