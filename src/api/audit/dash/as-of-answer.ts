import type { Answer } from '../../../audit/as-of/ask.ts';
import type { Actor } from '../../../events/metadata.ts';
import { time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { badge } from '../../pages/parts/badge.ts';
import { table, type Column } from '../../pages/parts/table.ts';
import { paths } from '../../pages/paths.ts';
import { inAudit, type AuditPageContext } from './audit-page.ts';
import { en } from './texts.ts';

type Cell = Html | string | number;

/** The entries of an answer, a column for each thing that people want to know of them. */
export function answerTable(answer: Answer, pageContext: AuditPageContext): Html {
  const { columns } = en;
  const about = (kind: 'person' | 'client', id: string): Html =>
    html`<a href="${inAudit(paths.audit, pageContext, { about: `${kind}:${id}` })}"><code>${id}</code></a>`;
  const shown = (labels: readonly (string | Column)[], rows: readonly (readonly Cell[])[]) =>
    table({
      caption: en.questions[answer.question],
      columns: labels.map((label) => (typeof label === 'string' ? { label } : label)),
      rows,
    });
  switch (answer.question) {
    case 'streams':
      return shown(
        [{ label: columns.revision, numbers: true }, columns.event, columns.at, columns.by],
        answer.entries.map(({ id, revision, type, metadata }) => [
          revision,
          html`<a href="${inAudit(`${paths.auditEvent}/${id}`, pageContext)}">${type}</a>`,
          time(String(metadata['at']), 'second'),
          actorOf(metadata['actor'] as Actor),
        ]),
      );
    case 'members':
      return shown(
        [columns.name, columns.email, columns.role, columns.joined],
        answer.entries.map(({ user, role, joined_at, person }) => [
          html`${person.name ?? html`<em>${en[person.personal_data === 'erased' ? 'erased' : 'sealed']}</em>`}
          ${about('person', user)}`,
          person.email ?? '–',
          role,
          time(joined_at, 'second'),
        ]),
      );
    case 'keys':
      return shown(
        [columns.key, columns.team, columns.usable, columns.domains, columns.made, columns.madeBy],
        answer.entries.map((key) => [
          html`<a href="${inAudit(`${paths.auditKeys}/${key.key_id}`, pageContext)}"
              >${key.label ?? key.key_id}</a
            >
            (${en.keyKinds[key.kind]})`,
          key.team ?? '–',
          listed(key.usable_scopes),
          listed(key.domains),
          time(key.created_at, 'second'),
          key.created_by === undefined ? '–' : about('person', key.created_by),
        ]),
      );
    case 'subscriptions':
      return shown(
        [columns.address, columns.state, columns.events, columns.made, columns.paused],
        answer.entries.map((each) => [
          each.host,
          each.status,
          listed(each.events),
          time(each.created_at, 'second'),
          each.paused_at === undefined
            ? '–'
            : html`${time(each.paused_at, 'second')} ${each.paused_because ?? ''}`,
        ]),
      );
    case 'directory':
      return shown(
        [columns.record, columns.state, columns.submitted, columns.changed, columns.note],
        answer.entries.map((each) => [
          html`<a href="${inAudit(paths.audit, pageContext, { about: `resource:${each.svc_id}` })}"
            >${each.fields.name}</a
          >`,
          each.status,
          time(each.submitted_at, 'second'),
          time(each.updated_at, 'second'),
          each.review_note ?? '–',
        ]),
      );
    case 'consents':
      return shown(
        [columns.person, columns.site, columns.allowed, columns.since, columns.changed],
        answer.entries.map(({ user, client, scopes, granted_at, changed_at }) => [
          about('person', user),
          about('client', client),
          listed(scopes),
          time(granted_at, 'second'),
          time(changed_at, 'second'),
        ]),
      );
    case 'tokens':
      return shown(
        [columns.person, columns.site, columns.signedIn, columns.access, columns.refresh],
        answer.entries.map((each) => [
          about('person', each.user),
          about('client', each.client),
          time(each.issued_at, 'second'),
          each.access_tokens.length === 0
            ? '–'
            : html`${each.access_tokens.map(
                ({ scopes, until }) =>
                  html`<div>${listed(scopes)}, ${en.upTo} ${time(until, 'second')}</div>`,
              )}`,
          each.refresh_token_until === undefined ? '–' : time(each.refresh_token_until, 'second'),
        ]),
      );
  }
}

/** What stands beside the entries: for a stream, what was folded from it. */
export function besideAnswer(answer: Answer): Html | '' {
  if (answer.question !== 'streams') return '';
  return html`${answer.beside.documents.map(
    ({ read_model, id, document, personal, standing }) =>
      html`<section class="card">
        <h2>${en.stateOf} ${read_model}</h2>
        <p>
          <code>${id}</code>
          ${standing ? badge(standing.valid ? en.worked : en.workedNot, standing.valid ? 'good' : 'bad') : ''}
          ${standing?.because ?? ''}
        </p>
        ${table({
          caption: `${en.stateOf} ${read_model} ${id}`,
          columns: [{ label: en.fieldName }, { label: en.value }],
          rows: Object.entries({ ...document, ...personal }).map(([name, value]) => [
            wordsOf(name),
            cellOf(value),
          ]),
        })}
      </section>`,
  )}`;
}

const actorOf = ({ kind, id }: Actor): string => `${kind === 'user' ? 'person' : kind} ${id}`;

const listed = (values: readonly string[]): string => values.join(', ') || '–';

/** `submitted_at` is said “Submitted at”. */
const wordsOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function cellOf(value: unknown): Cell {
  if (value === undefined || value === null || value === '') return '–';
  if (value === 'sealed' || value === 'erased') return html`<em>${en[value]}</em>`;
  if (typeof value === 'string')
    return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? time(value, 'second') : value;
  if (typeof value === 'boolean') return value ? en.yes : en.no;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return listed(value);
  if (typeof value === 'number') return value;
  if (typeof value !== 'object' || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value);
  // What was sealed and is opened for the reader.
  if (members.length === 1 && 'value' in value) return cellOf(value.value);
  return html`${members.map(([name, member]) => html`<div>${wordsOf(name)}: ${cellOf(member)}</div>`)}`;
}
