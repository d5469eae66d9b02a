import { asOfConditions, askAsOf } from '../../../actions/audit-as-of.ts';
import { perform } from '../../../actions/perform.ts';
import { Moments, NoSuchMoment } from '../../../audit/as-of/moment.ts';
import { defined } from '../../../ground/defined.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { whoOf } from '../../pages/action-form.ts';
import { field, notice, time, type Problems } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Page } from '../../pages/page-context.ts';
import { selectField } from '../../pages/parts/choices.ts';
import { empty, filterBar, pager } from '../../pages/parts/list-controls.ts';
import { paths } from '../../pages/paths.ts';
import { turnsOfQuestions } from '../turns.ts';
import { answerTable, besideAnswer } from './as-of-answer.ts';
import { auditHead, auditPage, inAudit, type AuditPageContext } from './audit-page.ts';
import { timeField, timeTyped } from './search-fields.ts';
import { en } from './texts.ts';

/** Each reads a part of the log. */
const [atOnce, waitAtMost] = [2, 10];
const perPage = 50;
const names = ['members', 'keys', 'subscriptions', 'directory', 'consents', 'tokens', 'streams'] as const;
const typedNames = ['question', 'at', 'of', 'position', 'status', 'stream', 'person', 'client'] as const;
/** What few questions need stands below. */
const moreNames = typedNames.slice(3);

/** What was true at a time, answered from the log up to then. */
export function asOfPage(dependencies: PageDependencies): Page {
  const parts = { ...dependencies, moments: new Moments(dependencies) };
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
        return shown('', typed['question'] === undefined ? {} : { at: en.sayWhen });
      const after = query.get('after') ?? undefined;
      const { stream = question === 'streams' ? '' : undefined } = typed;
      const input = {
        ...typed,
        ...defined({ team: typed['of'], at: timeTyped(typed['at']), stream, after }),
      };
      const performed = await turns.run(team?.team ?? '', () =>
        perform(askAsOf, parts, {
          who: whoOf(pageContext),
          input: { ...input, question, limit: perPage },
          context: () => pageContext.context(),
        }),
      );
      if (performed.kind === 'invalid') return shown('', problemsOf(performed.fields), 400);
      if (performed.kind === 'refused') {
        const { refusal } = performed;
        if (refusal instanceof NoSuchMoment) return shown('', { [refusal.parameter]: refusal.message }, 400);
        if (question === 'streams') return shown('', { stream: refusal.message }, refusal.status);
        return shown(notice(refusal.message, 'wrong'), {}, refusal.status);
      }
      const { moment, answer } = performed.value;
      const { next } = answer;
      return shown(
        html`<p>
            ${en.questions[question]}, ${time(moment.at, 'second')}, ${en.atPosition(moment.position)}:
            ${en.found(answer.total)} ${moment.laterBefore > 0 ? en.laterIncluded(moment.laterBefore) : ''}
          </p>
          ${besideAnswer(answer)}
          ${answer.entries.length === 0 ? empty(en.nothingThen) : answerTable(answer, pageContext)}
          ${pager({
            next:
              next === undefined ? undefined : inAudit(paths.auditAsOf, { team }, { ...typed, after: next }),
          })}`,
      );
    },
  });
}

/** By the field of the form. The team is the field `of`: the parameter `team` says whose page it is. */
const problemsOf = ({ team, ...fields }: Readonly<Record<string, string>>): Problems =>
  Object.fromEntries(
    Object.keys(team === undefined ? fields : { ...fields, of: team }).map((name) => [
      name,
      wrongTexts[name as keyof typeof wrongTexts],
    ]),
  );

const wrongTexts = {
  status: en.noStatus,
  person: en.noPersonId,
  client: en.noSiteId,
  of: en.noTeamName,
  stream: en.noStreamName,
};

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
      ${timeField('at', en.at, typed['at'], problems['at'])}
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
            ...asOfConditions.status.options.map((value) => ({ value, label: en.statuses[value] })),
          ],
          error: problems['status'],
        })}
        ${field({ name: 'stream', label: en.stream, hint: en.forStreams, optional: true, value: typed['stream'], error: problems['stream'] })}
        ${field({ name: 'person', label: en.personId, hint: en.forAccess, optional: true, value: typed['person'], error: problems['person'] })}
        ${field({ name: 'client', label: en.siteId, hint: en.forAccess, optional: true, value: typed['client'], error: problems['client'] })}
      </details>`,
  });
