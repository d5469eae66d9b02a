import { eventPage, eventProof } from './event-page.ts';
import { eventsPage } from './events-page.ts';
import { keyUsagePage } from './key-usage-page.ts';
import { walkPage } from './walk-page.ts';

/** The pages of the audit log. */
export const auditPages = [eventsPage, eventPage, eventProof, walkPage, keyUsagePage];
