import { editPage } from './record/edit-page.ts';
import { newRecordPage } from './record/new-page.ts';
import { exportPage } from './export-page.ts';
import { importPage, importProgressPage } from './import-page.ts';
import { exampleDirectoryPage, importReportPage } from './import-report-file.ts';
import { sendImportPage } from './import-send-page.ts';
import { importColumnsPage } from './import/columns-page.ts';
import { templatePage } from './import/template-page.ts';
import { listPage } from './list-page.ts';
import { recordPeoplePage } from './record/people-page.ts';
import { recordPage } from './record/record-page.ts';
import { statusPage } from './record/status-page.ts';
import { reviewPage } from './review-page.ts';

/** The pages of a team's directory. */
export const directoryPages = [
  reviewPage,
  listPage,
  newRecordPage,
  exportPage,
  sendImportPage,
  exampleDirectoryPage,
  templatePage,
  importPage,
  importColumnsPage,
  importProgressPage,
  importReportPage,
  recordPage,
  editPage,
  statusPage,
  recordPeoplePage,
];
