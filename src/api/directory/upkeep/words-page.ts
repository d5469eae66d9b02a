import { takeWord } from '../../../actions/directory/upkeep/words.ts';
import { teamForm } from '../../pages/action-form.ts';
import { redirectDone } from '../../pages/parts/notices.ts';
import { dashRecordPath, takeWordPath } from '../dash/dash-paths.ts';
import { recordView } from '../dash/record/record-page.ts';
import { svcIdIn } from '../dash/team-records.ts';

/** Lets a record say what somebody else said of a field. */
export const takeWordPage = teamForm({
  path: takeWordPath(':svcId'),
  action: takeWord,
  get: recordView,
  also: (pageContext) => ({
    svc_id: svcIdIn(pageContext),
    of: pageContext.form.get('of') ?? '',
    revision: pageContext.form.get('revision') ?? '',
    field: pageContext.form.get('field') ?? '',
  }),
  view: recordView,
  done: (pageContext, { record, changed }) =>
    redirectDone(dashRecordPath(record.svc_id), pageContext, changed ? 'saved' : 'unchanged'),
});
