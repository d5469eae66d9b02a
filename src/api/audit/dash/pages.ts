import { asOfPage } from './as-of-page.ts';
import { eventPage, eventProof } from './event-page.ts';
import { eventsPage } from './events-page.ts';
import { exportFile, exportsPage } from './exports-page.ts';
import { keyUsagePage } from './key-usage-page.ts';
import { walkPage } from './walk-page.ts';

/** The pages of the audit log. */
export const auditPages = [
  eventsPage,
  eventPage,
  eventProof,
  walkPage,
  keyUsagePage,
  asOfPage,
  exportsPage,
  exportFile,
];
