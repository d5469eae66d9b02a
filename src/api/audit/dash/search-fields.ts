import { findByEmail } from '../../../commands/accounts/person.ts';
import { parseKey } from '../../../events/keys-format.ts';
import { subjectIn } from '../../../events/audit-subjects.ts';
import { eventTypes } from '../../../events/catalogue.ts';
import { BadQuestion, readConditions, type ConditionTexts } from '../../../audit/search-filter.ts';
import { actorsNamed, mostNamed, recordsNamed } from '../../../audit/named-subjects.ts';
import { typesOfWhat, whatChoices } from '../../../audit/sentences/what-happened.ts';
import { defined } from '../../../ground/defined.ts';
import { memberId, members } from '../../../projections/teams-members.ts';
import { subscriptions } from '../../../projections/webhooks/subscriptions.ts';
import { personParts, type PageDependencies } from '../../dashboard-dependencies.ts';
import { field, type Problems } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { instantTyped, localTime, zoneHint } from '../../pages/reader-clock.ts';
import { selectField } from '../../pages/parts/choices.ts';
import { en } from './texts.ts';
import type { CurrentTeam } from '../../pages/page-context.ts';

/** The fields with which people search the audit log, in the order of the form. */
export const searchFields = [
  'by',
  'what',
  'record',
  'from',
  'until',
  'about',
  'type',
  'stream',
  'correlation',
] as const;
export type SearchField = (typeof searchFields)[number];
export type Typed = Readonly<Partial<Record<SearchField, string>>>;

/** What was typed, as the action takes it, or why it cannot be searched for. */
export type ReadSearch =
  | {
      readonly conditions: ConditionTexts;
      /** A kind of events, and several of whom or which one fits. */
      readonly what?: string;
      readonly actors?: readonly string[];
      readonly subjects?: readonly string[];
      /** It looks for single events, which may be parts of an import. */
      readonly withParts: boolean;
    }
  | { readonly problems: Problems };

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
  const about = await named('about');
  const actors = await actorsTyped(dependencies, typed.by, team);
  if (typeof actors === 'string') problems['by'] = actors;
  const records =
    typed.record === undefined ? undefined : await recordsNamed(dependencies, typed.record, team?.team);
  if (records?.length === 0) problems['record'] = en.noSuchRecord;
  if (records && records.length > mostNamed) problems['record'] = en.manyRecords;
  if (typed.what !== undefined && !typesOfWhat(typed.what)) problems['what'] = en.noSuchWhat;
  if (Object.keys(problems).length > 0) return { problems };
  const { type, stream, correlation, what } = typed;
  const [actor, ...others] = typeof actors === 'string' ? [] : (actors ?? []);
  const from = timeTyped(typed.from);
  const until = timeTyped(typed.until);
  const conditions: ConditionTexts = defined({
    subject: about,
    actor: others.length === 0 ? actor : undefined,
    type,
    stream,
    correlation,
    from,
    until,
  });
  try {
    readConditions(conditions, now);
    return {
      conditions,
      ...defined({
        what,
        actors: others.length === 0 ? undefined : (actors as readonly string[]),
        // Who looks for a record is not among what happened to it, as for a subject.
        subjects: records,
      }),
      withParts: [typed.about, type, stream, correlation, typed.record].some((each) => each !== undefined),
    };
  } catch (error) {
    if (!(error instanceof BadQuestion)) throw error;
    const [name = ''] = error.message.split(' ', 1);
    const at = { subject: 'about', actor: 'by' }[name] ?? name;
    return { problems: { [at]: wrongTexts[at] ?? error.message } };
  }
}

/** What is wrong with a time, in words: a person knows no name of a parameter and no ISO time. */
const wrongTexts: Readonly<Partial<Record<string, string>>> = { from: en.wrongTime, until: en.wrongUntil };

/** Who did something, by an address, an id or a name. A sentence: why nobody is meant. */
async function actorsTyped(
  dependencies: PageDependencies,
  text: string | undefined,
  team: CurrentTeam | undefined,
): Promise<readonly string[] | string | undefined> {
  if (text === undefined) return undefined;
  const found = await subjectTyped(dependencies, text, team);
  const actor = found?.replace(/^person:/, 'user:');
  if (actor !== undefined) return /^(user|key|client|system):/.test(actor) ? [actor] : en.cannotAct;
  if (text.includes('@')) return en.noSuchPerson;
  const actors = await actorsNamed(dependencies, text, team?.team);
  const isService = actors.every((each) => each.startsWith('system:'));
  if (actors.length === 0) return en.nobodyNamed;
  return actors.length > mostNamed && !isService ? en.manyNamed : actors;
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

/** A time of a form, by the reader's clock, as an ISO time. What is none stays as it is, and is refused where it is read. */
export const timeTyped = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : (instantTyped(text)?.toISOString() ?? text);

/** A field for a date and a time, by the reader's clock. */
export const timeField = (name: string, label: string, typed: string | undefined, error?: string): Html =>
  field({
    name,
    label,
    type: 'datetime-local',
    optional: true,
    value: typed?.endsWith('Z') && !Number.isNaN(Date.parse(typed)) ? localTime(new Date(typed)) : typed,
    ...defined({ hint: zoneHint(), error }),
  });

/** The fields of a search, with what was typed. `proposed`: names that a browser proposes. */
export const fieldsOf = (typed: Typed, problems: Problems = {}, proposed: readonly string[] = []): Html => {
  const isExact = exactFields.some((name) => typed[name] !== undefined || problems[name] !== undefined);
  return html`${textOf('by', typed, problems, proposed)}
    ${selectField({
      name: 'what',
      label: en.what,
      value: typed.what,
      error: problems['what'],
      options: [{ value: '', label: en.anyWhat }],
      groups: whatChoices.map(({ label, choices }) => ({ heading: label, options: choices })),
    })}
    ${textOf('record', typed, problems)} ${timesOf(typed, problems)}
    <details class="more" ${isExact ? html`open` : ''}>
      <summary>${en.more}</summary>
      ${textOf('about', typed, problems)} ${typeOf(typed, problems)} ${textOf('stream', typed, problems)}
      ${textOf('correlation', typed, problems)}
    </details>`;
};

/** What only those who know the log ask for. */
const exactFields = ['about', 'type', 'stream', 'correlation'] as const;

/** The fields of a search that finds events by what they hold: those of an export. */
export const exactFieldsOf = (typed: Typed, problems: Problems = {}): Html =>
  html`${textOf('by', typed, problems)} ${textOf('about', typed, problems)} ${typeOf(typed, problems)}
  ${timesOf(typed, problems)} ${textOf('stream', typed, problems)} ${textOf('correlation', typed, problems)}`;

const textOf = (
  name: 'by' | 'record' | 'about' | 'stream' | 'correlation',
  typed: Typed,
  problems: Problems,
  proposed: readonly string[] = [],
): Html =>
  field({
    name,
    label: en[name],
    hint: en[`${name}Hint`],
    optional: true,
    value: typed[name],
    error: problems[name],
    ...(proposed.length > 0 ? { proposed } : {}),
  });

const typeOf = (typed: Typed, problems: Problems): Html =>
  selectField({
    name: 'type',
    label: en.type,
    value: typed.type,
    error: problems['type'],
    options: [{ value: '', label: en.anyType }, ...types],
  });

const timesOf = (typed: Typed, problems: Problems): Html =>
  html`${(['from', 'until'] as const).map((name) => timeField(name, en[name], typed[name], problems[name]))}`;

const types = eventTypes.toSorted().map((type) => ({ value: type, label: type }));
