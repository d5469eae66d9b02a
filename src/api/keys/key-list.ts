import { keyList, keysOf, type Key } from '../../actions/keys.ts';
import { hasExpired } from '../../events/keys.ts';
import { isValid } from '../../projections/keys.ts';
import { dayOf } from '../../audit/stored-key-usage.ts';
import { countedSince, lastUses, legacyCallers } from '../../audit/key-usage.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { whoOf } from '../pages/action-form.ts';
import { time, when } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { afterParameter, listPage } from '../pages/keyset.ts';
import { ask } from '../pages/parts/ask.ts';
import { badge } from '../pages/parts/badge.ts';
import { empty } from '../pages/parts/list-controls.ts';
import { peopleNamed, type NamedPerson } from '../../actions/accounts/people-named.ts';
import { table } from '../pages/parts/table.ts';
import { addressIn, nameOf, type KeyPageContext, type KeyHome } from './key-home.ts';
import { en } from './texts.ts';

/** Keys on one page. Each costs two look-ups of what it was used for. */
const pageSize = 20;

/** How far back a call to the legacy endpoint marks a key. */
export const legacyDays = 30;

/** The keys of a person or a team, the newest first. */
export async function keyTable(
  dependencies: PageDependencies,
  pageContext: KeyPageContext,
  home: KeyHome,
): Promise<Html> {
  const { query, formToken: token } = pageContext;
  const { side, now } = dependencies;
  const here = (also: Readonly<Record<string, string>>) => addressIn(home, home.path, also);
  const { rows, further } = await listPage(
    dependencies,
    keyList,
    keysOf(whoOf(pageContext)),
    query,
    here,
    pageSize,
  );
  if (rows.length === 0 && !query.has(afterParameter)) return empty(en[home.kind].none);
  const ids = rows.map(({ key_id }) => key_id);
  const [since, used, callers, makers] = await Promise.all([
    countedSince(side, dayOf(now().getTime())),
    lastUses(side, ids),
    legacyCallers(side, ids, { days: legacyDays, now: now() }),
    makersOf(dependencies, home.kind === 'team' ? rows : []),
  ]);
  const onLegacy = new Set(callers.filter(({ by_programs }) => by_programs > 0).map(({ key_id }) => key_id));
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
        rows: rows.map((key) => [
          html`<a href="${addressIn(home, `${home.path}/${key.key_id}`)}">${nameOf(key)}</a>
            ${statusBadge(key, now())} ${onLegacy.has(key.key_id) ? badge(en.list.legacy, 'bad') : ''}
            ${expiryOf(key, now())}`,
          scopesOf(key),
          domainsOf(key),
          ...(home.kind === 'team' ? [html`<span>${makerOf(key, makers)}</span>`] : []),
          time(key.created_at),
          lastUse(key, used.get(key.key_id), since),
          isValid(key, now()) ? revokeButton(home, key, token) : '',
        ]),
      })}
    </div>
    ${further}`;
}

export function statusBadge(key: Key, now: Date): Html {
  if (key.status === 'revoked') return badge(en.list.revoked);
  return hasExpired(key, now) ? badge(en.list.expired) : badge(en.list.active, 'good');
}

/** Of a valid key that ends: when. */
const expiryOf = (key: Key, now: Date): Html | '' =>
  key.expires_at === undefined || !isValid(key, now)
    ? ''
    : html`<span class="quiet small whole">${en.list.until} ${time(key.expires_at)}</span>`;

export const scopesOf = ({ scopes }: Pick<Key, 'scopes'>): Html =>
  html`${scopes.map((scope, index) => html`${index > 0 ? html`<br />` : ''}<code class="whole">${scope}</code>`)}`;

export const domainsOf = ({ domains }: Pick<Key, 'domains'>): Html =>
  domains.length === 0
    ? html`<span class="whole">${en.list.everywhere}</span>`
    : html`${domains.map(
        (each, index) =>
          html`${index > 0 ? html`<br />` : ''}<span ${when(each.length <= 30, html`class="whole"`)}
              >${each}</span
            >`,
      )}`;

/** `since`: uses before it were not counted. */
export function lastUse({ created_at }: Key, used: string | undefined, since: string | null): Html | string {
  if (used !== undefined) return time(used, 'minute');
  return since === null || created_at >= since
    ? en.list.notUsed
    : html`${en.list.notUsedSince} ${time(since)}`;
}

const revokeButton = (home: KeyHome, key: Key, token: string): Html =>
  ask({
    label: en.revoke.label,
    of: nameOf(key),
    sentence: en.revoke.sentence,
    action: addressIn(home, `${home.path}/${key.key_id}/revoke`),
    token,
    values: home.values,
  });

type People = ReadonlyMap<string, NamedPerson>;

/** Those who made the keys, by account. */
export const makersOf = (dependencies: PageDependencies, keys: readonly Key[]): Promise<People> =>
  peopleNamed(
    dependencies,
    keys.flatMap(({ created_by }) => created_by ?? []),
  );

export function makerOf({ created_by }: Key, makers: People): string {
  if (created_by === undefined) return en.list.unknownMaker;
  return makers.get(created_by)?.name ?? en.list.erasedMaker;
}
