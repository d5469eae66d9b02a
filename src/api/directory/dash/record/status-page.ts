import { confirm, decide, decisions, type Decision } from '../../../../actions/directory/records.ts';
import type { ReviewStatus } from '../../../../commands/directory/reviewed-state.ts';
import { teamForm } from '../../../pages/action-form.ts';
import { chosen } from '../../../pages/parts/chosen.ts';
import type { TeamPageContext } from '../../../pages/page-context.ts';
import { redirectDone } from '../../../pages/parts/notices.ts';
import { confirmPath, dashRecordPath, statusPath } from '../dash-paths.ts';
import { svcIdIn } from '../team-records.ts';
import { recordView } from './record-page.ts';
import { partField, reasonField } from './status-forms.ts';

const done = {
  approve: 'approved',
  reject: 'rejected',
  deactivate: 'inactive',
  reactivate: 'active',
} as const;

/** The decision that a form asks for. */
export const decisionIn = ({ form }: TeamPageContext): Decision => chosen(form, 'action', decisions);

/** What the page says after a decision. What nobody had approved when it was taken back waits again. */
export const decidedAs = (pageContext: TeamPageContext, status: ReviewStatus) =>
  status === 'submitted' ? 'waiting' : done[decisionIn(pageContext)];

/** Changes the status of a record. */
export const statusPage = teamForm({
  path: statusPath(':svcId'),
  action: decide,
  get: recordView,
  fields: () => [reasonField],
  also: (pageContext) => ({ svc_id: svcIdIn(pageContext), decision: decisionIn(pageContext) }),
  view: recordView,
  done: (pageContext, { record }) =>
    redirectDone(dashRecordPath(record.svc_id), pageContext, decidedAs(pageContext, record.status)),
});

/** Confirms a record. */
export const confirmPage = teamForm({
  path: confirmPath(':svcId'),
  action: confirm,
  get: recordView,
  fields: () => [partField],
  also: (pageContext) => ({ svc_id: svcIdIn(pageContext) }),
  view: recordView,
  done: (pageContext, { record }) => redirectDone(dashRecordPath(record.svc_id), pageContext, 'confirmed'),
});
