import { findByEmail } from '../../../commands/accounts/person.ts';
import { parseKey } from '../../../events/keys-format.ts';
import { subjectIn } from '../../../events/audit-subjects.ts';
import { eventTypes } from '../../../events/catalogue.ts';
import { BadQuestion, readConditions, type ConditionTexts } from '../../../audit/search-filter.ts';
import { defined } from '../../../ground/defined.ts';
import { memberId, members } from '../../../projections/teams-members.ts';
import { subscriptions } from '../../../projections/webhooks/subscriptions.ts';
import { personParts, type PageDependencies } from '../../dashboard-dependencies.ts';
import { field, type Problems } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { selectField } from '../../pages/parts/choices.ts';
import { en } from './texts.ts';
import type { CurrentTeam } from '../../pages/page-context.ts';

/** The fields with which people search the audit log, in the order of the form. */
export const searchFields = ['about', 'by', 'type', 'stream', 'correlation', 'from', 'until'] as const;
export type SearchField = (typeof searchFields)[number];
export type Typed = Readonly<Partial<Record<SearchField, string>>>;

/** What was typed, or why it cannot be searched for. */
export type ReadSearch = { readonly conditions: ConditionTexts } | { readonly problems: Problems };

/** What was typed into the fields. Empty ones are left out. */
export function typedIn(query: URLSearchParams): Typed {
  const typed: Partial<Record<SearchField, string>> = {};
  for (const name of searchFields) {
    const value = query.get(name)?.trim() ?? '';
    if (value !== '') typed[name] = value;
  }
  return typed;
}

/** A key that was typed in whole, such as one that was found on the web, is named by its id: the secret goes nowhere. */
export function withoutSecrets(typed: Typed): Typed {
  const named = (text: string) => parseKey(text.replace(/^key:/, ''))?.keyId ?? text;
  return {
    ...typed,
    ...(typed.about === undefined ? {} : { about: named(typed.about) }),
    ...(typed.by === undefined ? {} : { by: named(typed.by) }),
  };
}

/** The conditions that the fields stand for, as the API and the command line know them. */
export async function readSearch(
  dependencies: PageDependencies,
  typed: Typed,
  team: CurrentTeam | undefined,
  now: Date,
): Promise<ReadSearch> {
  const problems: Record<string, string> = {};
  const named = async (name: 'about' | 'by'): Promise<string | undefined> => {
    const text = typed[name];
    if (text === undefined) return undefined;
    const found = await subjectTyped(dependencies, text, team);
    if (found === undefined) problems[name] = text.includes('@') ? en.noSuchPerson : en.noSuchId;
    return found;
  };
  const [about, by] = [await named('about'), await named('by')];
  const actor = by?.replace(/^person:/, 'user:');
  if (actor !== undefined && !/^(user|key|client|system):/.test(actor)) problems['by'] = en.cannotAct;
  if (Object.keys(problems).length > 0) return { problems };
  const { type, stream, correlation } = typed;
  const from = timeTyped(typed.from);
  const until = timeTyped(typed.until);
  const conditions: ConditionTexts = defined({
    subject: about,
    actor,
    type,
    stream,
    correlation,
    from,
    until,
  });
  try {
    readConditions(conditions, now);
    return { conditions };
  } catch (error) {
    if (!(error instanceof BadQuestion)) throw error;
    const [name = ''] = error.message.split(' ', 1);
    const at = { subject: 'about', actor: 'by' }[name] ?? name;
    return { problems: { [at]: error.message } };
  }
}

/**
 * Whom or what a text names, as `kind:id`. Ids say of what kind they are, except that people and webhook subscriptions
 * both have UUIDs. An email address is looked up, and goes no further; for a team, among the people that it has or had.
 */
async function subjectTyped(
  dependencies: PageDependencies,
  text: string,
  team: CurrentTeam | undefined,
): Promise<string | undefined> {
  if (subjectIn(text) || /^(user|system):/.test(text)) return text;
  if (text.includes('@')) {
    const found = await findByEmail(personParts(dependencies), text);
    if (!found) return undefined;
    const inTeams = dependencies.documents.collection(members.collection);
    if (team && !(await inTeams.get(memberId(team.team, found.user)))) return undefined;
    return `person:${found.user}`;
  }
  if (/^r_[0-9a-f]{16}$/.test(text)) return `resource:${text}`;
  if (/^site_/.test(text)) return `client:${text}`;
  if (/^[0-9A-Za-z]{12}$/.test(text)) return `key:${text}`;
  const key = /^api_[pti]k_([0-9A-Za-z]{12})/.exec(text)?.[1];
  if (key !== undefined) return `key:${key}`;
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return undefined;
  const subscribed = await dependencies.documents.collection(subscriptions.collection).get(text);
  return subscribed ? `subscription:${text}` : `person:${text}`;
}

/** A time of a form, in UTC, as an ISO time. What is none stays as it is, and is refused where it is read. */
export function timeTyped(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T00:00:00Z`;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return `${text}:00Z`;
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/.test(text) ? `${text}Z` : text;
}

/** The fields of a search, with what was typed. */
export const fieldsOf = (typed: Typed, problems: Problems = {}): Html =>
  html`${field({ name: 'about', label: en.about, hint: en.aboutHint, optional: true, value: typed.about, error: problems['about'] })}
    ${field({ name: 'by', label: en.by, hint: en.byHint, optional: true, value: typed.by, error: problems['by'] })}
    ${selectField({
      name: 'type',
      label: en.type,
      value: typed.type,
      error: problems['type'],
      options: [{ value: '', label: en.anyType }, ...types],
    })}
    ${field({ name: 'from', label: en.from, type: 'datetime-local', optional: true, value: localTime(typed.from), error: problems['from'] })}
    ${field({ name: 'until', label: en.until, type: 'datetime-local', optional: true, value: localTime(typed.until), error: problems['until'] })}
    <details class="more" ${typed.stream !== undefined || typed.correlation !== undefined ? html`open` : ''}>
      <summary>${en.more}</summary>
      ${field({ name: 'stream', label: en.stream, hint: en.streamHint, optional: true, value: typed.stream, error: problems['stream'] })}
      ${field({ name: 'correlation', label: en.correlation, hint: en.correlationHint, optional: true, value: typed.correlation, error: problems['correlation'] })}
    </details>`;

const types = eventTypes.toSorted().map((type) => ({ value: type, label: type }));

/** As a field for a date and a time shows it. */
const localTime = (text: string | undefined): string | undefined =>
  text?.replace(/(T\d\d:\d\d)(:\d\d(\.\d+)?)?Z$/, '$1');
