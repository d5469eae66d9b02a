import { decide, decisions, type Decision } from '../../../../actions/directory/records.ts';
import { teamForm } from '../../../pages/action-form.ts';
import { chosen } from '../../../pages/parts/chosen.ts';
import type { TeamPageContext } from '../../../pages/page-context.ts';
import { redirectDone } from '../../../pages/parts/notices.ts';
import { dashRecordPath, statusPath } from '../dash-paths.ts';
import { svcIdIn } from '../team-records.ts';
import { recordView } from './record-page.ts';
import { reasonField } from './status-forms.ts';

const done = {
  approve: 'approved',
  reject: 'rejected',
  deactivate: 'inactive',
  reactivate: 'active',
} as const;

const decisionIn = ({ form }: TeamPageContext): Decision => chosen(form, 'action', decisions);

/** Changes the status of a record. */
export const statusPage = teamForm({
  path: statusPath(':svcId'),
  action: decide,
  get: recordView,
  fields: () => [reasonField],
  also: (pageContext) => ({ svc_id: svcIdIn(pageContext), decision: decisionIn(pageContext) }),
  view: recordView,
  done: (pageContext, { record }) =>
    redirectDone(
      dashRecordPath(record.svc_id),
      pageContext,
      record.status === 'submitted' ? 'waiting' : done[decisionIn(pageContext)],
    ),
});
