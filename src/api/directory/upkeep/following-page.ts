import { undo } from '../../../actions/directory/past-imports.ts';
import {
  followDirectory,
  lookAtDirectory,
  lookAtFollowed,
  pauseFollowing,
  resumeFollowing,
  stopFollowing,
} from '../../../actions/directory/upkeep/followings.ts';
import { withContacts } from '../../../actions/directory/upkeep/following-list.ts';
import type { SeenDirectory } from '../../../actions/directory/upkeep/look-at-directory.ts';
import { Sealer } from '../../../ground/seal.ts';
import { imports } from '../../../projections/directory/imports.ts';
import { followingsOf } from '../../../projections/directory/upkeep/followings.ts';
import { sourcesOf } from '../../../projections/directory/sources.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { inputFields, postForm, type Again, type InputField } from '../../pages/action-form.ts';
import { button, checkbox, form, hidden, notice } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Answer, Page, TeamPageContext, View } from '../../pages/page-context.ts';
import { breakable } from '../../pages/parts/breakable.ts';
import { chosen } from '../../pages/parts/chosen.ts';
import { facts } from '../../pages/parts/facts.ts';
import { empty } from '../../pages/parts/list-controls.ts';
import { doneNotice, redirectDone } from '../../pages/parts/notices.ts';
import { ofTeam } from '../../pages/paths.ts';
import { importsPath } from '../dash/import/import-paths.ts';
import { does, followingCard, followingsPath, keyField } from './following-card.ts';
import { en } from './following-texts.ts';

const addressField: InputField = {
  name: 'address',
  label: en.address,
  hint: en.addressHint,
  maxlength: 2_000,
};
const nameField: InputField = {
  name: 'name',
  label: en.sourceName,
  hint: en.sourceNameHint,
  optional: true,
  maxlength: 200,
};

/** What stands above the list: a directory that was looked at. */
type Above = { readonly kind: 'seen' | 'again'; readonly seen: SeenDirectory; readonly key: string };

export function followingsPage(dependencies: PageDependencies): Page {
  // Between looking and following the key is in a page, where nobody is to read it.
  const sealer = new Sealer(dependencies.masterKey, 'following-form');
  const sealed = (key: string) =>
    key === '' ? '' : sealer.seal('key', Buffer.from(key)).toString('base64url');
  const unsealed = (text: string) => {
    if (text === '') return '';
    try {
      return sealer.unseal('key', Buffer.from(text, 'base64url')).toString();
    } catch {
      return '';
    }
  };
  const done = (pageContext: TeamPageContext, what: string) => () =>
    redirectDone(followingsPath, pageContext, what);

  const seen =
    (pageContext: TeamPageContext, kind: Above['kind']) =>
    (_: TeamPageContext, of: SeenDirectory): Promise<Answer> =>
      view(dependencies, pageContext, undefined, {
        kind,
        seen: of,
        key: sealed((pageContext.form.get('key') ?? '').trim()),
      });
  return {
    audience: 'team',
    right: 'import records',
    path: followingsPath,
    get: (pageContext) => view(dependencies, pageContext),
    post(pageContext) {
      const { form: typed } = pageContext;
      const again = (of: PageDependencies, context: TeamPageContext, wrong: Again) =>
        view(of, context, wrong);
      const ofSource = () => ({ source: typed.get('source') ?? '' });
      const plain = { also: ofSource, view: again };
      switch (chosen(typed, 'do', does)) {
        case 'look':
          return postForm(dependencies, pageContext, {
            action: lookAtDirectory,
            fields: () => [addressField, keyField],
            also: () => ({ address: typed.get('address') ?? '' }),
            view: again,
            done: seen(pageContext, 'seen'),
          });
        case 'look-again':
          return postForm(dependencies, pageContext, {
            ...plain,
            action: lookAtFollowed,
            done: seen(pageContext, 'again'),
          });
        case 'follow':
          return postForm(dependencies, pageContext, {
            action: followDirectory,
            fields: () => [nameField],
            also: () => ({
              address: typed.get('address') ?? '',
              vkey: typed.get('vkey') ?? '',
              key: unsealed(typed.get('sealed') ?? ''),
              approve: typed.get('approve') !== null,
            }),
            view: again,
            done: done(pageContext, 'begun'),
          });
        case 'accept':
          return postForm(dependencies, pageContext, {
            ...plain,
            action: resumeFollowing,
            also: () => ({ ...ofSource(), vkey: typed.get('vkey') ?? '' }),
            done: done(pageContext, 'resumed'),
          });
        case 'resume':
          return postForm(dependencies, pageContext, {
            ...plain,
            action: resumeFollowing,
            fields: () => [keyField],
            done: done(pageContext, 'resumed'),
          });
        case 'undo':
          return postForm(dependencies, pageContext, {
            action: undo,
            also: () => ({ id: typed.get('import') ?? '' }),
            view: again,
            done: done(pageContext, 'undone'),
          });
        case 'pause':
          return postForm(dependencies, pageContext, {
            ...plain,
            action: pauseFollowing,
            done: done(pageContext, 'paused'),
          });
        case 'stop':
          return postForm(dependencies, pageContext, {
            ...plain,
            action: stopFollowing,
            done: done(pageContext, 'stopped'),
          });
      }
    },
  };
}

async function view(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { problems, refused }: Again = { problems: {} },
  above?: Above,
): Promise<View> {
  const { team } = pageContext.team;
  const [docs, sources] = await Promise.all([
    followingsOf(dependencies.documents, team),
    sourcesOf(dependencies.documents, team),
  ]);
  const names = new Map(sources.map(({ source, name }) => [source, name]));
  const all = await withContacts(dependencies, docs);
  const newest = docs.flatMap((doc) => doc.import ?? []);
  const runs = await dependencies.documents.collection(imports.collection).getMany(newest);
  return {
    title: en.title,
    content: html`<p><a href="${ofTeam(importsPath, team)}">${en.back}</a></p>
      <p class="lead">${en.lead}</p>
      ${doneNotice(pageContext, { begun: en.begun, paused: en.pausedDone, resumed: en.resumed, stopped: en.stopped, undone: en.undone })}
      ${refused === undefined ? '' : notice(refused.message, 'wrong')}
      ${above === undefined ? '' : seenSection(above, pageContext)}
      ${
        all.length === 0
          ? empty(en.none)
          : all.map((each) =>
              followingCard(each, runs.get(each.import ?? ''), names.get(each.source), pageContext),
            )
      }
      ${above === undefined ? newForm(pageContext, problems) : ''}`,
  };
}

const newForm = (
  { formToken: token, form: typed, team }: TeamPageContext,
  problems: Again['problems'],
): Html =>
  html`<section class="card">
    <h2>${en.link}</h2>
    ${form({
      action: ofTeam(followingsPath, team.team),
      token,
      label: en.link,
      content: html`${hidden('team', team.team)}${hidden('do', 'look')}
      ${inputFields([addressField, keyField], new URLSearchParams({ address: typed.get('address') ?? '' }), problems)}
      ${button(en.look)}`,
    })}
  </section>`;

/** What a directory shows of itself, before anybody follows it or goes on with it. */
function seenSection(
  { kind, seen, key }: Above,
  { formToken: token, form: typed, team }: TeamPageContext,
): Html {
  const isNew = kind === 'seen';
  return html`<section class="card">
    <h2>${isNew ? en.seen : en.acceptTitle}</h2>
    <p>${isNew ? en.seenLead : en.acceptLead}</p>
    ${facts([
      [en.address, breakable(seen.address)],
      [en.name, breakable(seen.name)],
      [en.records, seen.records === undefined ? en.recordsUnknown : en.count(seen.records)],
      [en.fingerprint, html`<code>${breakable(seen.vkey)}</code>`],
    ])}
    ${form({
      action: ofTeam(followingsPath, team.team),
      token,
      label: isNew ? en.follow : en.accept,
      content: html`${hidden('team', team.team)}${hidden('do', isNew ? 'follow' : 'accept')}
      ${hidden('vkey', seen.vkey)}
      ${
        isNew
          ? html`${hidden('address', seen.address)}${hidden('sealed', key)}
            ${inputFields([{ ...nameField, value: new URL(seen.address).host }], new URLSearchParams(), {})}
            ${checkbox({ name: 'approve', label: en.approve, ticked: false })} ${button(en.follow)}`
          : html`${hidden('source', typed.get('source') ?? '')} ${button(en.accept)}`
      }`,
    })}
  </section>`;
}
