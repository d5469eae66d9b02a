import { ledgerPage } from './ledger-page.ts';
import { paymentPage, reversePage } from './payment-page.ts';
import { recordPage } from './record-page.ts';

/** The pages about the payments of a team. */
export const paymentPages = [ledgerPage, recordPage, paymentPage, reversePage];
