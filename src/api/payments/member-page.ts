import { Readable } from 'node:stream';
import {
  changeMember,
  eraseMember,
  isOverdue,
  joinMember,
  listedDataOf,
  listedList,
  sameAddress,
  totalsOf,
  type ListedMember,
} from '../../actions/teams/listed-members.ts';
import { peopleNamed } from '../../actions/accounts/people-named.ts';
import { findIn } from '../../actions/listing.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { inputFields, teamForm, type Again } from '../pages/action-form.ts';
import { button, form, hidden, notice } from '../pages/controls.ts';
import { notFoundView } from '../pages/frame/common-views.ts';
import { html, type Html } from '../pages/html.ts';
import { calendarDay } from '../pages/time.ts';
import { redirectTo, type Page, type TeamPageContext, type View } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { badge } from '../pages/parts/badge.ts';
import { facts } from '../pages/parts/facts.ts';
import { doneNotice, redirectDone } from '../pages/parts/notices.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { recordPath } from './ledger-page.ts';
import { memberFields, membersPath } from './member-fields.ts';
import { en } from './texts.ts';
import { totalsLine } from './totals-line.ts';

const texts = en.members;
const path = `${membersPath}/:member`;

const idIn = ({ request }: TeamPageContext): string =>
  (request.params as { readonly member?: string }).member ?? '';

const backTo = ({ team, ...pageContext }: TeamPageContext) => {
  const id = listedList.id.safeParse(idIn({ team, ...pageContext }));
  return redirectTo(ofTeam(id.success ? `${membersPath}/${id.data}` : membersPath, team.team));
};

/** One member without an account. */
export const memberPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'record payments',
  path,
  get: (pageContext) => memberView(dependencies, pageContext),
});

export const changeMemberPage = teamForm({
  path: `${path}/change`,
  action: changeMember,
  get: (_, pageContext) => backTo(pageContext),
  fields: () => memberFields(),
  also: (pageContext) => ({ id: idIn(pageContext) }),
  view: memberView,
  done: (pageContext, { member }) => redirectDone(`${membersPath}/${member}`, pageContext, 'changed'),
});

export const eraseMemberPage = teamForm({
  path: `${path}/erase`,
  action: eraseMember,
  get: (_, pageContext) => backTo(pageContext),
  also: (pageContext) => ({ id: idIn(pageContext) }),
  view: memberView,
  done: (pageContext) => redirectDone(membersPath, pageContext, 'erased'),
});

export const joinMemberPage = teamForm({
  path: `${path}/join`,
  action: joinMember,
  get: (_, pageContext) => backTo(pageContext),
  also: async (pageContext, dependencies) => {
    const id = idIn(pageContext);
    return { id, user: await sameAddress(dependencies, pageContext.team.team, id) };
  },
  view: memberView,
  done: (pageContext) => redirectDone(membersPath, pageContext, 'joined'),
});

/** What is stored about one, for whoever asks for their own data. */
export const memberDataPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'record payments',
  path: `${path}/data`,
  async get(pageContext) {
    const { team } = pageContext.team;
    const found = await findIn(listedList, dependencies, team, idIn(pageContext));
    if (!found) return missing(pageContext);
    const data = await listedDataOf(dependencies, team, found.member);
    return {
      download: Readable.from([`${JSON.stringify(data, null, 1)}\n`]),
      filename: `member-${found.member}.json`,
      type: 'application/json',
    };
  },
});

const missing = ({ team }: TeamPageContext): View =>
  notFoundView(texts.missing, { to: ofTeam(membersPath, team.team), label: texts.back });

async function memberView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { problems, refused }: Again = { problems: {} },
): Promise<View> {
  const { team } = pageContext.team;
  const found = await findIn(listedList, dependencies, team, idIn(pageContext));
  if (!found) return missing(pageContext);
  const { member, user, status, details, paid_until } = found;
  const payer = user ?? member;
  const account = user === undefined ? undefined : (await peopleNamed(dependencies, [user])).get(user);
  return {
    title: details?.name ?? account?.name ?? (status === 'joined' ? texts.choices.joined : en.erased),
    content: html`${refused ? notice(refused.message, 'wrong') : ''} ${doneNotice(pageContext, en.done)}
      ${status === 'joined' ? notice(texts.joined, 'plain') : ''}
      ${
        account && user !== undefined
          ? html`<p><a href="${ofTeam(`${paths.team}/members/${user}`, team)}">${texts.toAccount}</a></p>`
          : ''
      }
      ${status === 'erased' ? notice(texts.gone, 'plain') : ''}
      <section class="card">
        ${facts([
          [texts.email, details?.email],
          [texts.phone, details?.phone],
          [texts.note, details?.note],
          [
            texts.paidUntil,
            paid_until === undefined
              ? undefined
              : html`${calendarDay(paid_until)}
                ${status === 'listed' && isOverdue(found, dependencies.now()) ? badge(texts.overdue, 'bad') : ''}`,
          ],
        ])}
        ${totalsLine(await totalsOf(dependencies, team, payer))}
        <div class="choices">
          <a class="button secondary" href="${ofTeam(paths.payments, team, { member: payer })}"
            >${texts.theirs}</a
          >
          ${
            status === 'listed'
              ? html`<a class="button primary" href="${ofTeam(recordPath, team, { member })}"
                  >${texts.record}</a
                >`
              : ''
          }
        </div>
      </section>
      ${status === 'listed' ? await ofListed(dependencies, pageContext, found, problems) : ''}
      <p><a href="${ofTeam(membersPath, team)}">${texts.back}</a></p>`,
  };
}

async function ofListed(
  dependencies: PageDependencies,
  { team: { team }, formToken, form: typed }: TeamPageContext,
  found: ListedMember,
  problems: Again['problems'],
): Promise<Html> {
  const here = `${membersPath}/${found.member}`;
  const name = found.details?.name ?? '';
  const joins = await sameAddress(dependencies, team, found.member);
  const same = { token: formToken, fields: hidden('team', team), of: name };
  return html`${
      joins === undefined
        ? ''
        : html`<section class="card">
            ${ask({
              ...same,
              label: texts.join,
              sentence: texts.joinSentence(name),
              action: ofTeam(`${here}/join`, team),
              weight: 'primary',
            })}
          </section>`
    }
    <section class="card">
      <h2>${texts.change}</h2>
      ${form({
        action: ofTeam(`${here}/change`, team),
        token: formToken,
        content: html`${hidden('team', team)} ${inputFields(memberFields(found), typed, problems)}
        ${button(texts.save, { weight: 'secondary' })}`,
      })}
    </section>
    <section class="card">
      <p><a href="${ofTeam(`${here}/data`, team)}">${texts.data}</a></p>
      ${ask({ ...same, label: texts.erase, sentence: texts.eraseSentence, action: ofTeam(`${here}/erase`, team) })}
    </section>`;
}
