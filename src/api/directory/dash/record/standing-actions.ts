import type { ResourceDocument } from '../../../../projections/directory/resources.ts';
import { field } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { TeamPageContext } from '../../../pages/page-context.ts';
import { ask } from '../../../pages/parts/ask.ts';
import { statusPath } from '../dash-paths.ts';
import { nameOf } from '../record-as-seen.ts';
import { en } from '../texts.ts';

const { records: texts, review } = en;

export type Action = 'approve' | 'reject' | 'deactivate' | 'reactivate';

/** An action that was not carried out: with a sentence, or with what is wrong about the reason. */
export interface RefusedAction {
  readonly status: number;
  readonly sentence?: string;
  readonly reason?: string;
}

/** What may be done with a record as it stands. */
export function standingActions(
  doc: ResourceDocument,
  { team, formToken, form }: TeamPageContext,
  refused: RefusedAction | undefined,
): Html {
  const asked = (
    action: Action,
    label: string,
    sentence: string,
    words: { readonly label: string; readonly optional: boolean } | undefined,
    weight: 'primary' | 'danger',
  ) => {
    const error = words?.optional === false ? refused?.reason : undefined;
    const given = words && {
      ...words,
      hint: texts.stays,
      name: 'words',
      maxlength: 2_000,
      value: refused ? (form.get('words') ?? '') : '',
      error,
      autofocus: error !== undefined,
    };
    return ask({
      label,
      of: nameOf(doc),
      sentence,
      action: statusPath(doc.svc_id),
      token: formToken,
      values: { team: team.team, action },
      ...(given ? { fields: field(given) } : {}),
      weight,
      open: error !== undefined,
    });
  };
  switch (doc.status) {
    case 'submitted':
      return html`${asked('approve', review.approve, review.approveSentence, undefined, 'primary')}
      ${asked('reject', review.reject, review.rejectSentence, { label: review.reason, optional: false }, 'danger')}`;
    case 'rejected':
      return asked('approve', review.approve, review.approveSentence, undefined, 'primary');
    case 'approved':
      return asked(
        'deactivate',
        texts.deactivate,
        texts.deactivateSentence,
        { label: texts.reason, optional: true },
        'danger',
      );
    case 'inactive':
      return asked('reactivate', texts.reactivate, texts.reactivateSentence, undefined, 'primary');
  }
}
