import { bulkActionsPage, bulkPage, bulkProgressPage } from './import/bulk-page.ts';
import { editPage, sendAgainPage } from './record/edit-page.ts';
import { newRecordPage } from './record/new-page.ts';
import { exportPage } from './export-page.ts';
import { importConflictsPage } from './import/import-conflicts-page.ts';
import { importPage } from './import/import-page.ts';
import { importProgressPage } from './import/import-progress.ts';
import { exampleDirectoryPage, importReportPage } from './import/import-report-file.ts';
import { sendImportPage } from './import/import-send-page.ts';
import { importColumnsPage } from './import/columns-page.ts';
import { templatePage } from './import/template-page.ts';
import { organizationEditPage, newOrganizationPage } from './organization-edit-page.ts';
import { organizationListPage } from './organization-list-page.ts';
import { dashOrganizationPage, organizationStatusPage } from './organization-page.ts';
import { listPage } from './list-page.ts';
import { ownSubmissionsPageOf } from './own-submissions.ts';
import { recordPeoplePage } from './record/people-page.ts';
import { duplicatesPage } from './duplicates-page.ts';
import { mergePage, unmergePage } from '../merge-page.ts';
import { recordPage } from './record/record-page.ts';
import { confirmPage, statusPage } from './record/status-page.ts';
import { takeWordPage } from '../upkeep/words-page.ts';
import { precedencePage, sourcesPage } from './import/sources-page.ts';
import { needsPage } from '../upkeep/needs-page.ts';
import { askingPage } from '../upkeep/asking/asking-page.ts';
import { callsPage } from '../upkeep/asking/calls-page.ts';
import { followingsPage } from '../upkeep/following-page.ts';
import { reviewPage } from './review-page.ts';

/** The pages of a team's directory. */
export const directoryPages = [
  reviewPage,
  listPage,
  newRecordPage,
  ownSubmissionsPageOf,
  exportPage,
  bulkActionsPage,
  bulkPage,
  bulkProgressPage,
  sendImportPage,
  sourcesPage,
  precedencePage,
  followingsPage,
  exampleDirectoryPage,
  templatePage,
  importPage,
  importColumnsPage,
  importProgressPage,
  importReportPage,
  importConflictsPage,
  askingPage,
  callsPage,
  organizationListPage,
  newOrganizationPage,
  dashOrganizationPage,
  organizationEditPage,
  organizationStatusPage,
  duplicatesPage,
  needsPage,
  mergePage,
  unmergePage,
  recordPage,
  editPage,
  sendAgainPage,
  statusPage,
  confirmPage,
  takeWordPage,
  recordPeoplePage,
];
