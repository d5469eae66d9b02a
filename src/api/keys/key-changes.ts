import { randomBytes } from 'node:crypto';
import { CommandRefused } from '../../commands/errors.ts';
import { commandApiKey, createApiKey } from '../../commands/keys/api-key.ts';
import { withLabel } from '../../commands/keys/key-label.ts';
import { line } from '../../events/define.ts';
import { defined } from '../../ground/defined.ts';
import { apiKeys, type ApiKeyDocument } from '../../projections/keys/api-keys.ts';
import { untilShown } from '../../projections/until-shown.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { notice, type Problems } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import type { Answer, SignedInPageContext, TeamPageContext, View } from '../pages/page-context.ts';
import { changedMeanwhile } from '../pages/parts/changes.ts';
import { domainsIn } from '../pages/parts/domains.ts';
import { doneNotice, redirectDone } from '../pages/parts/notices.ts';
import { secretOnce } from '../pages/parts/show-once.ts';
import { emptyKeyForm, keyForm, keyIn } from './key-form.ts';
import { requireKey, type KeyHome } from './key-home.ts';
import { keyList } from './key-list.ts';
import { keyView } from './key-view.ts';
import { quickStart, type Shown } from './quick-start.ts';
import { en } from './texts.ts';

type Asked = SignedInPageContext | TeamPageContext;

interface KeysState {
  readonly top?: Html;
  readonly typed?: Parameters<typeof keyForm>[2];
  readonly problems?: Problems;
  readonly made?: Shown;
  readonly status?: number;
}

/** What the request before has done. */
export const shownDone = (asked: Asked): Html => doneNotice(asked, en.done);

/** The keys, the form for a new one, and how to begin. */
export async function keysView(
  dependencies: PageDependencies,
  asked: Asked,
  home: KeyHome,
  { top, typed = emptyKeyForm, problems, made, status = 200 }: KeysState = {},
): Promise<View> {
  return {
    title: en[home.kind].title,
    status,
    content: html`${top ?? shownDone(asked)}
      <p class="lead">${home.lead}</p>
      ${made ? quickStart(dependencies, made) : ''} ${await keyList(dependencies, asked, home)}
      ${keyForm(home, asked.formToken, typed, problems)}
      ${made ? '' : quickStart(dependencies, { scopes: ['resources:read'], domains: [] })}`,
  };
}

/** Creates a key. The answer shows it, and nothing else ever does. */
export async function createKey(
  dependencies: PageDependencies,
  asked: Asked,
  home: KeyHome,
): Promise<Answer> {
  const { typed, problems, wish } = keyIn(asked.form, home);
  if (!wish) return keysView(dependencies, asked, home, { typed, problems, status: 422 });
  try {
    const owner = defined({ team: home.team });
    const { key, outcome } = await createApiKey(
      dependencies,
      { kind: home.kind, ...owner, ...wish },
      randomBytes(32),
      asked.onceContext(),
    );
    await untilShown(dependencies.documents, outcome);
    if (key === undefined)
      return await keysView(dependencies, asked, home, { top: notice(en.made.repeated, 'plain') });
    const done = new URLSearchParams({ done: 'created', recorded: asked.correlationId });
    const top = html`${doneNotice({ ...asked, query: done }, { created: en.made.created })}
    ${secretOnce({ label: en.made.heading, value: key, sentence: en.made.sentence })}`;
    return await keysView(dependencies, asked, home, { top, made: { key, ...wish } });
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    return keysView(dependencies, asked, home, {
      top: notice(error.message, 'wrong'),
      typed,
      status: error.status,
    });
  }
}

/** Replaces the domains of a key. */
export async function changeDomains(
  dependencies: PageDependencies,
  asked: Asked,
  home: KeyHome,
): Promise<Answer> {
  const key = await requireKey(dependencies, asked, home);
  const typed = asked.form.get('domains') ?? '';
  const read = domainsIn(typed);
  const again = (state: Parameters<typeof keyView>[4]) =>
    keyView(dependencies, asked, home, key, { domains: typed, ...state });
  if (read.problem !== undefined) return again({ problems: { domains: read.problem }, status: 422 });
  const { domains } = read;
  const was = asked.form.get('was');
  if (was !== null && was !== key.domains.join(' ') && domains.join(' ') !== key.domains.join(' ')) {
    const both = { label: 'Domains', before: key.domains.join(', '), after: domains.join(', ') };
    return again({ top: changedMeanwhile([both]), status: 409 });
  }
  return orRefused(again, async () => {
    const change = { kind: 'change-domains', domains } as const;
    const outcome = await commandApiKey(dependencies.store, key.key_id, change, asked.context());
    await untilShown(dependencies.documents, outcome);
    return redirectDone(`${home.path}/${key.key_id}`, asked, 'domains');
  });
}

/** Revokes a key. It is refused once this has answered. */
export async function revokeKey(
  dependencies: PageDependencies,
  asked: Asked,
  home: KeyHome,
): Promise<Answer> {
  const key = await requireKey(dependencies, asked, home);
  const typed = (asked.form.get('reason') ?? '').trim();
  const reason = line(500)
    .optional()
    .safeParse(typed === '' ? undefined : typed);
  const again = async (state: Parameters<typeof keyView>[4]) =>
    keyView(dependencies, asked, home, await newest(dependencies, key), { reason: typed, ...state });
  if (!reason.success) return again({ problems: { reason: en.revoke.reasonLong }, status: 422 });
  return orRefused(again, async () => {
    const why = defined({ reason: reason.data });
    const change = { kind: 'revoke', ...why } as const;
    const outcome = await commandApiKey(dependencies.store, key.key_id, change, asked.context());
    await untilShown(dependencies.documents, outcome);
    // Who revoked it from its own page goes on reading there.
    const to = asked.form.has('asked') ? `${home.path}/${key.key_id}` : home.path;
    return redirectDone(to, asked, 'revoked');
  });
}

async function newest(
  { documents, personal }: PageDependencies,
  key: ApiKeyDocument,
): Promise<ApiKeyDocument> {
  const found = await documents.collection(apiKeys.collection).get(key.key_id);
  return found ? withLabel(personal, found) : key;
}

async function orRefused(
  again: (state: { readonly top: Html; readonly status: number }) => Promise<View>,
  change: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    return again({ top: notice(error.message, 'wrong'), status: error.status });
  }
}
