import { doctorPage } from './checks.ts';
import { operationsPage } from './operations-page.ts';
import { rebuildsPage } from './rebuilds.ts';

/** What operators see and do in a browser. */
export const operationsPages = [operationsPage, rebuildsPage, doctorPage];
