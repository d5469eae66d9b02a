import { withLabels } from '../../commands/keys-label.ts';
import { userId } from '../../events/oauth/values.ts';
import { apiKeys, isValid, type ApiKeyDocument } from '../../projections/keys.ts';
import { listedMembers } from '../../projections/payments.ts';
import { memberId, members, type MemberDocument } from '../../projections/teams-members.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { notFoundView } from '../pages/frame/common-views.ts';
import { button, checkbox, form, hidden, notice, time, when } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { redirectTo, type Page, type TeamPageContext, type View } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { radioGroup } from '../pages/parts/choices.ts';
import { redirectDone } from '../pages/parts/notices.ts';
import { table } from '../pages/parts/table.ts';
import { calendarDay } from '../pages/time.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { peopleNamed } from '../../actions/accounts/people-named.ts';
import { changeRole, remove } from '../../actions/teams/members.ts';
import { teamForm, type Again } from '../pages/action-form.ts';
import { roleOptions } from './member-rows.ts';
import { memberPath } from './members-page.ts';
import { en } from './texts.ts';

const texts = en.member;

/** The most keys that are shown. All are revoked with the member, when that is asked for. */
const mostKeys = 100;

/** One member: the role, the keys that the person made, and how to remove them. */
export const memberPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'change members',
  path: `${memberPath}/:user`,
  get: (pageContext) => memberView(dependencies, pageContext),
});

const change = {
  get: (_: PageDependencies, pageContext: TeamPageContext) =>
    redirectTo(ofTeam(`${memberPath}/${userIn(pageContext) ?? ''}`, pageContext.team.team)),
  view: memberView,
};

/** Changes the role of a member. */
export const memberRolePage = teamForm({
  ...change,
  path: `${memberPath}/:user/role`,
  action: changeRole,
  fields: () => [{ name: 'role', label: texts.role, wrong: en.members.chooseRole }],
  also: (pageContext) => ({ user: userIn(pageContext) }),
  done: (pageContext) => redirectDone(paths.team, pageContext, 'role'),
});

/** Removes a member, and revokes their keys when that is asked for. */
export const removeMemberPage = teamForm({
  ...change,
  path: `${memberPath}/:user/remove`,
  action: remove,
  also: (pageContext) => ({
    user: userIn(pageContext),
    revoke_keys: pageContext.form.get('revoke-keys') === 'yes',
  }),
  done: (pageContext, { keys, keys_revoked }) =>
    redirectDone(paths.team, pageContext, keys_revoked && keys.length > 0 ? 'removed-keys' : 'removed'),
});

/** The person in the address. */
function userIn({ request }: TeamPageContext): string | undefined {
  const { user = '' } = request.params as { readonly user?: string };
  return userId.safeParse(user).success ? user : undefined;
}

async function memberView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { problems, refused }: Again = { problems: {} },
): Promise<View> {
  const { team, currentUser, formToken } = pageContext;
  const { documents } = dependencies;
  const user = userIn(pageContext);
  const member =
    user === undefined
      ? undefined
      : await documents.collection(members.collection).get(memberId(team.team, user));
  if (user === undefined || member?.status !== 'member') return noMember(pageContext);
  const [named, [listed], keys] = await Promise.all([
    peopleNamed(dependencies, [user]),
    documents
      .collection(listedMembers.collection)
      .page({ where: { team: team.team, user }, orderBy: ['member'], limit: 1 }),
    documents.collection(apiKeys.collection).page({
      where: { team: team.team, created_by: user },
      orderBy: ['created_at', 'key_id'],
      limit: mostKeys,
    }),
  ]);
  const problem = problems['role'] ?? refused?.message;
  const person = named.get(user);
  const name = person?.name ?? en.members.erased;
  const working = await withLabels(
    dependencies.personal,
    keys.filter((key) => isValid(key, dependencies.now())),
  );
  return {
    title: name,
    content: html`<p class="lead">
        ${when(person?.email !== undefined && person.email !== null, html`${person?.email ?? ''} · `)}
        ${texts.since} ${time(member.joined_at)}
      </p>
      ${when(problem !== undefined, notice(problem ?? '', 'wrong'))}
      ${
        listed
          ? html`<p>
              <a href="${ofTeam(`${paths.payments}/members/${listed.member}`, team.team)}"
                >${texts.listedBefore}</a
              >${
                listed.paid_until === undefined
                  ? ''
                  : html` · ${texts.paidUntil} ${calendarDay(listed.paid_until)}`
              }
            </p>`
          : ''
      }
      <section class="card">${roleForm(pageContext, member)}</section>
      <section class="card">
        <h2>${texts.keys}</h2>
        ${working.length === 0 ? html`<p class="quiet">${texts.noKeys}</p>` : keysTable(working)}
      </section>
      <section class="card">
        <h2>${texts.leaving}</h2>
        ${
          user === currentUser.person.user
            ? html`<p>${texts.yourself} <a href="${paths.teams}">${texts.yourTeams}</a></p>`
            : ask({
                label: texts.remove,
                of: name,
                sentence: texts.removeSentence,
                action: ofTeam(`${memberPath}/${user}/remove`, team.team),
                token: formToken,
                fields: html`${hidden('team', team.team)}
                ${
                  working.length === 0
                    ? ''
                    : html`${checkbox({ name: 'revoke-keys', label: texts.revokeKeys, ticked: false })}
                        <p class="hint">${texts.keysWorkOn}</p>`
                }`,
              })
        }
      </section>
      <p><a href="${ofTeam(paths.team, team.team)}">${texts.back}</a></p>`,
  };
}

const roleForm = ({ team, formToken, form: typed }: TeamPageContext, { user, role }: MemberDocument): Html =>
  form({
    action: ofTeam(`${memberPath}/${user}/role`, team.team),
    token: formToken,
    label: texts.role,
    content: html`${hidden('team', team.team)}
      ${radioGroup({
        name: 'role',
        label: texts.role,
        options: roleOptions,
        value: typed.get('role') ?? role,
      })}
      <div class="choices">${button(texts.saveRole)}</div>`,
  });

const keysTable = (keys: readonly ApiKeyDocument[]): Html =>
  table({
    caption: texts.keys,
    columns: [
      { label: texts.keysColumns.key },
      { label: texts.keysColumns.scopes },
      { label: texts.keysColumns.made },
    ],
    rows: keys.map(({ key_id, label, scopes, created_at }) => [
      label ?? key_id,
      scopes.join(', '),
      time(created_at),
    ]),
  });

const noMember = ({ team }: TeamPageContext): View =>
  notFoundView(texts.none, { to: ofTeam(paths.team, team.team), label: texts.back });
