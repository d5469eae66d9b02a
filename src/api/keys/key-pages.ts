import {
  changeDomains,
  createKey,
  revokeKey,
  rollKey,
  type MadeKey,
  type RolledKey,
} from '../../actions/keys.ts';
import { recordKeyUseRead } from '../../actions/audit-readings.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { personForm, teamForm, type Again } from '../pages/action-form.ts';
import { notice } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import type { TeamPageContext, View } from '../pages/page-context.ts';
import { doneNotice, redirectDone } from '../pages/parts/notices.ts';
import { secretOnce } from '../pages/parts/show-once.ts';
import { paths } from '../pages/paths.ts';
import { timeText } from '../pages/time.ts';
import { expiryField, keyDomainsField, keyForm, newKeyFields, oldEndField } from './key-form.ts';
import { homeOf, keyIdIn, scopesFor, type KeyPageContext } from './key-home.ts';
import { keyTable } from './key-list.ts';
import { keyView, reasonField } from './key-view.ts';
import { quickStart } from './quick-start.ts';
import { en } from './texts.ts';

/** What stands above the keys, and the key that was just made. */
interface Made {
  readonly top: Html;
  readonly made?: MadeKey;
}

const fieldsOf = async (dependencies: PageDependencies, pageContext: KeyPageContext) =>
  newKeyFields(await scopesFor(dependencies, homeOf(pageContext)), dependencies.now());

/** The keys, the form for a new one, and how to begin. */
async function keysView(
  dependencies: PageDependencies,
  pageContext: KeyPageContext,
  { problems, refused }: Again = { problems: {} },
  done?: Made,
): Promise<View> {
  const home = homeOf(pageContext);
  const fields = await fieldsOf(dependencies, pageContext);
  const typed = done ? new URLSearchParams() : pageContext.form;
  const top = done?.top ?? (refused ? notice(refused.message, 'wrong') : doneNotice(pageContext, en.done));
  return {
    title: en[home.kind].title,
    content: html`${top}
      <p class="lead">${home.lead}</p>
      ${done?.made ? quickStart(dependencies, done.made) : ''}
      ${await keyTable(dependencies, pageContext, home)}
      ${keyForm(home, pageContext.formToken, fields, typed, problems)}
      ${done?.made ? '' : quickStart(dependencies, { scopes: ['resources:read'], domains: [] })}`,
  };
}

/** The answer shows the key, and nothing else ever does. */
function createdView(
  pageContext: KeyPageContext,
  made: MadeKey,
  dependencies: PageDependencies,
  done: string = en.made.created,
): Promise<View> {
  if (made.key === undefined)
    return keysView(dependencies, pageContext, undefined, { top: notice(en.made.repeated, 'plain') });
  const query = new URLSearchParams({ done: 'created', recorded: pageContext.correlationId });
  const top = html`${doneNotice({ ...pageContext, query }, { created: done })}
  ${secretOnce({ label: en.made.heading, value: made.key, sentence: en.made.sentence, kept: 'hashed' })}`;
  return keysView(dependencies, pageContext, undefined, { top, made });
}

const creating = {
  get: (dependencies: PageDependencies, pageContext: KeyPageContext) => keysView(dependencies, pageContext),
  fields: fieldsOf,
  view: keysView,
  done: createdView,
};

const withDomains = {
  fields: () => [keyDomainsField()],
  also: (pageContext: KeyPageContext) => ({
    id: keyIdIn(pageContext),
    was: pageContext.form.get('was') ?? undefined,
  }),
  view: keyView,
  done: (pageContext: KeyPageContext) =>
    redirectDone(`${homeOf(pageContext).path}/${keyIdIn(pageContext)}`, pageContext, 'domains'),
};

const rolling = {
  fields: ({ now }: PageDependencies) => [expiryField(now()), oldEndField(now())],
  also: (pageContext: KeyPageContext) => ({ id: keyIdIn(pageContext) }),
  view: keyView,
  done: (pageContext: KeyPageContext, made: RolledKey, dependencies: PageDependencies) =>
    createdView(
      pageContext,
      made,
      dependencies,
      made.until === undefined ? en.roll.done : en.roll.doneUntil(timeText(made.until, 'minute')),
    ),
};

const revoking = {
  fields: () => [reasonField],
  also: (pageContext: KeyPageContext) => ({ id: keyIdIn(pageContext) }),
  view: keyView,
  done(pageContext: KeyPageContext) {
    const { path } = homeOf(pageContext);
    // Who revoked it from its own page goes on reading there.
    return redirectDone(
      pageContext.form.has('reasoned') ? `${path}/${keyIdIn(pageContext)}` : path,
      pageContext,
      'revoked',
    );
  },
};

/** What a key of a team was used for is part of its audit: that somebody asked is recorded, as in the API. */
async function recordedKeyView(dependencies: PageDependencies, pageContext: TeamPageContext): Promise<View> {
  const view = await keyView(dependencies, pageContext);
  await recordKeyUseRead(dependencies, { key: keyIdIn(pageContext), days: 30 }, pageContext.context());
  return view;
}

const ofTeam = { right: 'change keys' } as const;
const { developers, teamKeys } = paths;

/** The pages about API keys (interface 2.3). */
export const keyPages = [
  personForm({ path: developers, action: createKey, ...creating }),
  personForm({
    path: `${developers}/:key`,
    action: changeDomains,
    get: (dependencies, pageContext) => keyView(dependencies, pageContext),
    ...withDomains,
  }),
  personForm({ path: `${developers}/:key/revoke`, action: revokeKey, ...revoking }),
  personForm({ path: `${developers}/:key/roll`, action: rollKey, ...rolling }),
  teamForm({ path: teamKeys, action: { ...createKey, ...ofTeam }, ...creating }),
  teamForm({
    path: `${teamKeys}/:key`,
    action: { ...changeDomains, ...ofTeam },
    recordsViews: true,
    get: recordedKeyView,
    ...withDomains,
  }),
  teamForm({ path: `${teamKeys}/:key/revoke`, action: { ...revokeKey, ...ofTeam }, ...revoking }),
  teamForm({ path: `${teamKeys}/:key/roll`, action: { ...rollKey, ...ofTeam }, ...rolling }),
] as const;
