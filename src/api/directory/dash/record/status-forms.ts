import type { Decision } from '../../../../actions/directory/records.ts';
import { agingParts } from '../../../../events/directory/upkeep/confirmation.ts';
import type { ReviewStatus } from '../../../../commands/directory/reviewed-state.ts';
import { inputFields, type InputField } from '../../../pages/action-form.ts';
import type { Problems } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { TeamPageContext } from '../../../pages/page-context.ts';
import { ask } from '../../../pages/parts/ask.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { confirmPath } from '../dash-paths.ts';
import { en } from '../texts.ts';

const { records: texts, review } = en;

/** Longer words are cut. */
const longest = 2_000;
const cut = (typed: string): string | undefined => typed.slice(0, longest).toWellFormed() || undefined;

/** What is recorded beside a decision. */
export const wordsField = { hint: texts.stays, maxlength: longest, read: cut } as const;

/** Why a record is rejected or taken out. */
export const reasonField: InputField = {
  ...wordsField,
  name: 'words',
  input: 'reason',
  label: review.reason,
  wrong: review.reasonMissing,
};

/** What each decision leads to. */
type Sentences = Readonly<Record<`${Decision}Sentence`, string>>;

const ofRecords: Sentences = {
  approveSentence: review.approveSentence,
  rejectSentence: review.rejectSentence,
  deactivateSentence: texts.deactivateSentence,
  reactivateSentence: texts.reactivateSentence,
};

/** What may be done with a record or an organization as it stands. `action`: where that is sent. */
export function statusForms(
  {
    name,
    status,
    action: to,
  }: { readonly name: string; readonly status: ReviewStatus; readonly action: string },
  { team, formToken, form }: TeamPageContext,
  problems: Problems,
  sentences: Sentences = ofRecords,
): Html {
  const one = (
    action: Decision,
    label: string,
    sentence: string,
    weight: 'primary' | 'danger',
    reason?: Partial<InputField>,
  ) =>
    ask({
      label,
      of: name,
      sentence,
      action: ofTeam(to, team.team),
      token: formToken,
      values: { team: team.team, action },
      ...(reason && { fields: inputFields([{ ...reasonField, ...reason }], form, problems) }),
      weight,
      open: reason !== undefined && problems['words'] !== undefined,
    });
  const approve = () => one('approve', review.approve, sentences.approveSentence, 'primary');
  switch (status) {
    case 'submitted':
      return html`${approve()} ${one('reject', review.reject, sentences.rejectSentence, 'danger', {})}`;
    case 'rejected':
      return approve();
    case 'approved':
      return one('deactivate', texts.deactivate, sentences.deactivateSentence, 'danger', {
        label: texts.reason,
        optional: true,
      });
    case 'inactive':
      return one('reactivate', texts.reactivate, sentences.reactivateSentence, 'primary');
  }
}

const whole = 'record';
export const partField: InputField = {
  name: 'part',
  input: 'parts',
  label: texts.confirm.what,
  options: [whole, ...agingParts].map((value) => ({
    value,
    label: texts.confirm.parts[value as keyof typeof texts.confirm.parts],
  })),
  read: (typed) => (typed === '' || typed === whole ? undefined : [typed]),
};

/** The button by which a reviewer says that a public record is still right. */
export const confirmForm = (
  { svcId, name }: { readonly svcId: string; readonly name: string },
  { team, formToken, form }: TeamPageContext,
  problems: Problems,
): Html =>
  ask({
    label: texts.confirm.label,
    of: name,
    sentence: texts.confirm.sentence,
    action: ofTeam(confirmPath(svcId), team.team),
    token: formToken,
    values: { team: team.team },
    fields: inputFields([partField], form, problems),
    weight: 'secondary',
    open: problems['part'] !== undefined,
  });
