import { dayOf } from '../../audit/stored-key-usage.ts';
import { countedSince, lastUses, legacyCallers } from '../../audit/key-usage.ts';
import { withLabels } from '../../commands/keys/key-label.ts';
import type { ProfileFields } from '../../events/accounts/user.ts';
import { personOf } from '../../personal/personal-data.ts';
import { people } from '../../projections/accounts/people.ts';
import { apiKeys, type ApiKeyDocument } from '../../projections/keys/api-keys.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { time, when } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import type { SignedInPageContext } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { badge } from '../pages/parts/badge.ts';
import { empty, pager } from '../pages/parts/list-controls.ts';
import { table } from '../pages/parts/table.ts';
import { addressIn, nameOf, type KeyHome } from './key-home.ts';
import { en } from './texts.ts';

/** Keys on one page. Each costs two look-ups of what it was used for. */
const pageSize = 20;

/** How far back a call to the legacy endpoint marks a key. */
export const legacyDays = 30;

/** The keys of a person or a team, the newest first. */
export async function keyList(
  dependencies: PageDependencies,
  { query, formToken: token }: SignedInPageContext,
  home: KeyHome,
): Promise<Html> {
  const { documents, personal, side, now } = dependencies;
  const after = placeIn(query.get('after'));
  const read = await documents.collection(apiKeys.collection).page({
    where: home.where,
    orderBy: ['created_at', 'key_id'],
    descending: true,
    limit: pageSize + 1,
    ...(after ? { after } : {}),
  });
  if (read.length === 0 && !after) return empty(en[home.kind].none);
  const shown = await withLabels(personal, read.slice(0, pageSize));
  const ids = shown.map(({ key_id }) => key_id);
  const [since, used, callers, makers] = await Promise.all([
    countedSince(side, dayOf(now().getTime())),
    lastUses(side, ids),
    legacyCallers(side, ids, { days: legacyDays, now: now() }),
    home.kind === 'team' ? makersOf(dependencies, shown) : new Map<string, string>(),
  ]);
  const onLegacy = new Set(callers.filter(({ by_programs }) => by_programs > 0).map(({ key_id }) => key_id));
  const last = shown.at(-1);
  const { columns } = en.list;
  return html`<div class="card">
      ${table({
        caption: en.list.caption,
        columns: [
          { label: columns.key },
          { label: columns.may },
          { label: columns.domains },
          ...(home.kind === 'team' ? [{ label: columns.maker }] : []),
          { label: columns.made },
          { label: columns.used },
          { label: '' },
        ],
        rows: shown.map((key) => [
          html`<a href="${addressIn(home, `${home.path}/${key.key_id}`)}">${nameOf(key)}</a> ${standing(key)}
            ${onLegacy.has(key.key_id) ? badge(en.list.legacy, 'bad') : ''}`,
          scopesOf(key),
          domainsOf(key),
          ...(home.kind === 'team' ? [html`<span>${makerOf(key, makers)}</span>`] : []),
          time(key.created_at),
          lastUse(key, used.get(key.key_id), since),
          key.status === 'active' ? revokeButton(home, key, token) : '',
        ]),
      })}
    </div>
    ${pager({
      first: after ? addressIn(home, home.path) : undefined,
      next:
        read.length > pageSize && last
          ? addressIn(home, home.path, { after: `${last.created_at}~${last.key_id}` })
          : undefined,
    })}`;
}

export const standing = ({ status }: ApiKeyDocument): Html =>
  status === 'active' ? badge(en.list.active, 'good') : badge(en.list.revoked);

export const scopesOf = ({ scopes }: Pick<ApiKeyDocument, 'scopes'>): Html =>
  html`${scopes.map((scope, index) => html`${index > 0 ? html`<br />` : ''}<code class="whole">${scope}</code>`)}`;

export const domainsOf = ({ domains }: Pick<ApiKeyDocument, 'domains'>): Html =>
  domains.length === 0
    ? html`<span class="whole">${en.list.everywhere}</span>`
    : html`${domains.map(
        (each, index) =>
          html`${index > 0 ? html`<br />` : ''}<span ${when(each.length <= 30, html`class="whole"`)}
              >${each}</span
            >`,
      )}`;

/** `since`: uses before it were not counted. */
export function lastUse(
  { created_at }: ApiKeyDocument,
  used: string | undefined,
  since: string | null,
): Html | string {
  if (used !== undefined) return time(used, 'minute');
  return since === null || created_at >= since
    ? en.list.notUsed
    : html`${en.list.notUsedSince} ${time(since)}`;
}

const revokeButton = (home: KeyHome, key: ApiKeyDocument, token: string): Html =>
  ask({
    label: en.revoke.label,
    of: nameOf(key),
    sentence: en.revoke.sentence,
    action: `${home.path}/${key.key_id}/revoke`,
    token,
    values: home.values,
  });

/** The names of those who made the keys, by account. Whoever is erased is left out. */
export async function makersOf(
  { documents, personal }: PageDependencies,
  keys: readonly ApiKeyDocument[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(keys.flatMap(({ created_by }) => created_by ?? []))];
  const found = await documents.collection(people.collection).getMany(ids);
  const names = await Promise.all(
    [...found].map(async ([id, { user, profile }]) => {
      const opened = await personal.open<ProfileFields>(personOf(user), profile);
      return opened ? [[id, opened.name] as const] : [];
    }),
  );
  return new Map(names.flat());
}

export function makerOf({ created_by }: ApiKeyDocument, makers: ReadonlyMap<string, string>): string {
  if (created_by === undefined) return en.list.unknownMaker;
  return makers.get(created_by) ?? en.list.erasedMaker;
}

/** Where the page before ended. */
function placeIn(text: string | null): readonly [string, string] | undefined {
  const [, at, id] = /^([0-9TZ:.-]{1,40})~([0-9A-Za-z]{1,40})$/.exec(text ?? '') ?? [];
  return at !== undefined && id !== undefined ? [at, id] : undefined;
}
