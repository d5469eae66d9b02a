import type { Decision } from '../../../../actions/directory/records.ts';
import type { ResourceDocument } from '../../../../projections/directory/resources.ts';
import { inputFields, type InputField } from '../../../pages/action-form.ts';
import type { Problems } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { TeamPageContext } from '../../../pages/page-context.ts';
import { ask } from '../../../pages/parts/ask.ts';
import { statusPath } from '../dash-paths.ts';
import { nameOf } from '../record-as-seen.ts';
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

/** What may be done with a record as it stands. */
export function statusForms(
  doc: ResourceDocument,
  { team, formToken, form }: TeamPageContext,
  problems: Problems,
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
      of: nameOf(doc),
      sentence,
      action: statusPath(doc.svc_id),
      token: formToken,
      values: { team: team.team, action },
      ...(reason && { fields: inputFields([{ ...reasonField, ...reason }], form, problems) }),
      weight,
      open: reason !== undefined && problems['words'] !== undefined,
    });
  const approve = () => one('approve', review.approve, review.approveSentence, 'primary');
  switch (doc.status) {
    case 'submitted':
      return html`${approve()} ${one('reject', review.reject, review.rejectSentence, 'danger', {})}`;
    case 'rejected':
      return approve();
    case 'approved':
      return one('deactivate', texts.deactivate, texts.deactivateSentence, 'danger', {
        label: texts.reason,
        optional: true,
      });
    case 'inactive':
      return one('reactivate', texts.reactivate, texts.reactivateSentence, 'primary');
  }
}
