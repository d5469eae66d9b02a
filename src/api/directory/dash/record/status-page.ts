import { CommandRefused } from '../../../../commands/errors.ts';
import { commandResource, type CommandOnResource } from '../../../../commands/directory/resource.ts';
import { untilShown } from '../../../../projections/until-shown.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { chosen } from '../../../pages/parts/chosen.ts';
import type { Page } from '../../../pages/page-context.ts';
import { redirectDone } from '../../../pages/parts/notices.ts';
import { dashRecordPath, statusPath } from '../dash-paths.ts';
import { svcIdIn, teamRecord } from '../team-records.ts';
import { en } from '../texts.ts';
import { recordView } from './record-page.ts';
import type { Action } from './standing-actions.ts';

const { review } = en;

const done = {
  approve: 'approved',
  reject: 'rejected',
  deactivate: 'inactive',
  reactivate: 'active',
} as const;

/** Changes the status of a record. */
export function statusPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'review records',
    path: statusPath(':svcId'),
    get: (pageContext) => recordView(dependencies, pageContext),
    async post(pageContext) {
      const { form, team } = pageContext;
      const { documents } = dependencies;
      const { svc_id } = await teamRecord(documents, team.team, svcIdIn(pageContext));
      const action = chosen(form, 'action', ['approve', 'reject', 'deactivate', 'reactivate']);
      const words = (form.get('words') ?? '').trim().slice(0, 2_000);
      if (action === 'reject' && words === '')
        return recordView(dependencies, pageContext, { status: 422, reason: review.reasonMissing });
      try {
        const command = { ...commandOf(action, words), asTeam: team.team };
        const outcome = await commandResource(dependencies, svc_id, command, pageContext.context());
        await untilShown(documents, outcome);
      } catch (error) {
        if (!(error instanceof CommandRefused) || error.code !== 'conflict') throw error;
        return recordView(dependencies, pageContext, { status: error.status, sentence: error.message });
      }
      return redirectDone(dashRecordPath(svc_id), pageContext, done[action]);
    },
  };
}

function commandOf(action: Action, words: string): CommandOnResource {
  switch (action) {
    case 'approve':
      return { kind: 'approve', ...(words === '' ? {} : { note: words }) };
    case 'reject':
      return { kind: 'reject', reason: words };
    case 'deactivate':
      return { kind: 'deactivate', ...(words === '' ? {} : { reason: words }) };
    case 'reactivate':
      return { kind: 'reactivate' };
  }
}
