import { answerAsOf, type Asked, type AsOfQuestion } from '../../../audit/as-of/ask.ts';
import { Moments, NoSuchMoment } from '../../../audit/as-of/moment.ts';
import { slug, text } from '../../../events/define.ts';
import { clientId } from '../../../events/oauth/values.ts';
import { CommandRefused } from '../../../commands/errors.ts';
import { defined } from '../../../ground/defined.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { field, notice, time, type Problems } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { selectField } from '../../pages/parts/choices.ts';
import { empty, filterBar, pager } from '../../pages/parts/list-controls.ts';
import type { Page } from '../../pages/page-context.ts';
import { paths } from '../../pages/paths.ts';
import { turnsOfQuestions } from '../turns.ts';
import { answerTable, besideAnswer } from './as-of-answer.ts';
import { auditHead, auditPage, inAudit, record, type AuditPageContext } from './audit-page.ts';
import { openedKinds } from './event-page.ts';
import { uuid } from './parameters.ts';
import { timeTyped } from './search-fields.ts';
import { en } from './texts.ts';

/** Each reads a part of the log. */
const [atOnce, waitAtMost] = [2, 10];
const perPage = 50;
const names = ['members', 'keys', 'subscriptions', 'directory', 'consents', 'tokens', 'streams'] as const;
const typedNames = ['question', 'at', 'of', 'position', 'status', 'stream', 'person', 'client'] as const;
/** Of records. */
const statuses = ['submitted', 'approved', 'rejected', 'inactive'] as const;
/** What few questions need stands below. */
const moreNames = typedNames.slice(3);

/** What was true at a time, answered from the log up to then. */
export function asOfPage(dependencies: PageDependencies): Page {
  const { store, side, personal, now } = dependencies;
  const moments = new Moments({ store, side, now });
  const turns = turnsOfQuestions(atOnce, waitAtMost);
  return auditPage(dependencies, {
    path: paths.auditAsOf,
    async get(pageContext) {
      const { query, team } = pageContext;
      const typed: Record<string, string> = {};
      for (const name of typedNames) {
        const value = query.get(name)?.trim() ?? '';
        if (value !== '') typed[name] = value;
      }
      const shown = (content: Html | '', problems: Problems = {}, status = 200) => ({
        title: en.title,
        status,
        content: html`${auditHead(paths.auditAsOf, pageContext)}
          <p class="lead">${en.asOfLead}</p>
          ${bar(pageContext, typed, problems)} ${content}
          <p class="quiet small">${en.clockRule}</p>`,
      });
      const question = names.find((each) => each === typed['question']);
      if (!question || (typed['at'] === undefined && typed['position'] === undefined))
        return shown('', typed['question'] === undefined ? {} : { at: en.sayWhen }, 200);
      const wrong = wrongIn(question, typed);
      if (Object.keys(wrong).length > 0) return shown('', wrong, 400);
      const of = team?.team ?? typed['of'];
      const asked = askedOf(question, typed, of);
      try {
        return await turns.run(team?.team ?? '', async () => {
          const moment = await moments.of({ at: timeTyped(typed['at']), position: typed['position'] });
          const reader = { ...defined({ team: team?.team }), opens: openedKinds };
          const after = query.get('after');
          const list = { limit: perPage, ...(after === null ? {} : { after }) };
          const answer = await answerAsOf({ store, personal }, asked, moment, reader, list);
          const { question: about, ...filter } = asked;
          await record(dependencies, pageContext, {
            question: 'as-of',
            filter: {
              about,
              ...(filter as Record<string, string>),
              position: String(moment.position),
              at: moment.at.toISOString(),
            },
            events: answer.entries.length,
          });
          const { next } = answer;
          return shown(
            html`<p>
                ${en.questions[question]}, ${time(moment.at, 'minute')}, ${en.atPosition(moment.position)}:
                ${en.found(answer.total)}
                ${moment.laterBefore > 0 ? en.laterIncluded(moment.laterBefore) : ''}
              </p>
              ${besideAnswer(answer)}
              ${answer.entries.length === 0 ? empty(en.nothingThen) : answerTable(answer, pageContext)}
              ${pager({
                next:
                  next === undefined
                    ? undefined
                    : inAudit(paths.auditAsOf, { team }, { ...typed, after: next }),
              })}`,
          );
        });
      } catch (error) {
        if (error instanceof NoSuchMoment) return shown('', { [error.parameter]: error.message }, 400);
        if (!(error instanceof CommandRefused)) throw error;
        if (question === 'streams') return shown('', { stream: error.message }, error.status);
        return shown(notice(error.message, 'wrong'), {}, error.status);
      }
    },
  });
}

function wrongIn(
  question: AsOfQuestion,
  { person, client, of, stream, status }: Record<string, string>,
): Problems {
  return {
    ...(status === undefined || statusIn(status) !== undefined ? {} : { status: en.noStatus }),
    ...(person === undefined || uuid.test(person) ? {} : { person: en.noPersonId }),
    ...(client === undefined || clientId.safeParse(client).success ? {} : { client: en.noSiteId }),
    ...(of === undefined || slug.safeParse(of).success ? {} : { of: en.noTeamName }),
    ...(question !== 'streams' || streamName.safeParse(stream).success ? {} : { stream: en.noStreamName }),
  };
}

const statusIn = (given: string | undefined) => statuses.find((each) => each === given);

const streamName = text(500);

function askedOf(
  question: AsOfQuestion,
  { person, client, stream = '', status }: Record<string, string>,
  team: string | undefined,
): Asked {
  if (question === 'streams') return { question, stream };
  const ofTeam = defined({ team });
  if (question === 'directory') {
    const of = statusIn(status);
    return { question, ...ofTeam, ...defined({ status: of }) };
  }
  if (question !== 'consents' && question !== 'tokens') return { question, ...ofTeam };
  return {
    question,
    ...defined({ person, client }),
  };
}

const bar = ({ team }: AuditPageContext, typed: Record<string, string>, problems: Problems): Html =>
  filterBar({
    action: paths.auditAsOf,
    label: en.asOf,
    button: en.answer,
    ...defined({ team: team?.team }),
    fields: html`${selectField({
        name: 'question',
        label: en.question,
        value: typed['question'],
        options: names.map((value) => ({ value, label: en.questions[value] })),
      })}
      ${field({ name: 'at', label: en.at, type: 'datetime-local', optional: true, value: typed['at'], error: problems['at'] })}
      ${team ? '' : field({ name: 'of', label: en.teamName, optional: true, value: typed['of'], error: problems['of'] })}
      <details
        class="more"
        ${moreNames.some((name) => typed[name] !== undefined || problems[name] !== undefined) ? html`open` : ''}
      >
        <summary>${en.more}</summary>
        ${field({ name: 'position', label: en.positionInstead, hint: en.positionHint, optional: true, value: typed['position'], error: problems['position'] })}
        ${selectField({
          name: 'status',
          label: en.recordStatus,
          hint: en.forRecords,
          value: typed['status'],
          options: [
            { value: '', label: en.anyStatus },
            ...statuses.map((value) => ({ value, label: en.statuses[value] })),
          ],
          error: problems['status'],
        })}
        ${field({ name: 'stream', label: en.stream, hint: en.forStreams, optional: true, value: typed['stream'], error: problems['stream'] })}
        ${field({ name: 'person', label: en.personId, hint: en.forAccess, optional: true, value: typed['person'], error: problems['person'] })}
        ${field({ name: 'client', label: en.siteId, hint: en.forAccess, optional: true, value: typed['client'], error: problems['client'] })}
      </details>`,
  });
