import type { SeenFollowing } from '../../../actions/directory/upkeep/following-list.ts';
import { needsAcceptance } from '../../../events/directory/upkeep/following.ts';
import type { ImportDocument } from '../../../projections/directory/imports.ts';
import { inputFields, type InputField } from '../../pages/action-form.ts';
import { button, form, hidden, notice, time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { TeamPageContext } from '../../pages/page-context.ts';
import { ask } from '../../pages/parts/ask.ts';
import { badge } from '../../pages/parts/badge.ts';
import { breakable } from '../../pages/parts/breakable.ts';
import { facts } from '../../pages/parts/facts.ts';
import { ofTeam } from '../../pages/paths.ts';
import { importsPath } from '../dash/import/import-paths.ts';
import { en } from './following-texts.ts';

/** The directories that a team follows, and following another one. */
export const followingsPath = `${importsPath}/followed`;

/** An API key of the other directory. */
export const keyField: InputField = {
  name: 'key',
  label: en.key,
  hint: en.keyHint,
  type: 'password',
  autocomplete: 'off',
  optional: true,
  maxlength: 500,
};
/** What the forms of the page do. */
export const does = ['look', 'follow', 'look-again', 'accept', 'pause', 'resume', 'stop', 'undo'] as const;

/** A followed directory: how it is, why it is paused, and what can be done about it. */
export function followingCard(
  each: SeenFollowing,
  run: ImportDocument | undefined,
  name = each.source,
  pageContext: TeamPageContext,
): Html {
  const { status, why, detail, since } = each;
  const isPaused = status === 'paused';
  return html`<section class="card">
    <h2>${name}</h2>
    <p>${isPaused ? badge(en.paused, 'bad') : badge(en.following, 'good')}</p>
    ${isPaused && why !== undefined ? notice(html`${en.why[why]} ${detail ?? ''}`, 'wrong') : ''}
    ${facts([
      [en.address, breakable(each.address)],
      [en.since, isPaused && since !== undefined ? time(since, 'minute') : undefined],
      [en.changed, each.changed_at === undefined ? en.noChange : time(each.changed_at, 'minute')],
      [en.answered, each.answered_at === undefined ? undefined : time(each.answered_at, 'minute')],
      [en.problem, isPaused ? undefined : each.problem],
      [en.import, run?.counts && en.counts(run.counts)],
      [en.fingerprint, html`<code>${breakable(each.vkey)}</code>`],
    ])}
    <div class="choices">${choices(each, name, pageContext)} ${undoOf(run, name, pageContext)}</div>
  </section>`;
}

function choices(
  { source, status, why }: SeenFollowing,
  name: string,
  { formToken: token, team: { team } }: TeamPageContext,
): Html {
  const action = ofTeam(followingsPath, team);
  const asking = (what: (typeof does)[number], label: string, sentence: string, more: object = {}): Html =>
    ask({ label, of: name, sentence, action, token, values: { team, source, do: what }, ...more });
  const stop = asking('stop', en.stop, en.stopSentence);
  if (status !== 'paused')
    return html`${asking('pause', en.pause, en.pauseSentence, { weight: 'secondary' })} ${stop}`;
  if (needsAcceptance(why))
    return html`${form({
      action,
      token,
      inline: true,
      label: `${en.lookAgain} ${name}`,
      content: html`${hidden('team', team)}${hidden('source', source)}${hidden('do', 'look-again')}
      ${button(en.lookAgain, { weight: 'primary', of: name })}`,
    })}
    ${stop}`;
  const gone = why === 'many-gone';
  const label = gone ? en.takeMany : en.resume;
  const sentence = gone ? en.takeManySentence : en.resumeSentence;
  const withKey = { ...keyField, label: en.newKey };
  const more = why === 'refused' ? { fields: inputFields([withKey], new URLSearchParams(), {}) } : {};
  return html`${asking('resume', label, sentence, { weight: 'primary', ...more })} ${stop}`;
}

/** What it changed last can be taken back. */
const undoOf = (
  run: ImportDocument | undefined,
  name: string,
  { formToken: token, team: { team } }: TeamPageContext,
): Html | string =>
  run?.status === 'ended'
    ? ask({
        ...{ label: en.undo, of: name, sentence: en.undoSentence, token },
        action: ofTeam(followingsPath, team),
        values: { team, do: 'undo', import: run.import },
      })
    : run?.status === 'undone'
      ? en.undone
      : '';
