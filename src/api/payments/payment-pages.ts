import { ledgerPage } from './ledger-page.ts';
import {
  changeMemberPage,
  eraseMemberPage,
  joinMemberPage,
  memberDataPage,
  memberPage,
} from './member-page.ts';
import { addMemberPage, addMembersPage } from './add-member-pages.ts';
import { membersCsvPage, membersPage } from './members-page.ts';
import { paymentPage, reversePage } from './payment-page.ts';
import { recordPage } from './record-page.ts';

/** The pages about the payments of a team. */
export const paymentPages = [
  ledgerPage,
  recordPage,
  paymentPage,
  reversePage,
  membersPage,
  membersCsvPage,
  addMemberPage,
  addMembersPage,
  memberPage,
  changeMemberPage,
  eraseMemberPage,
  joinMemberPage,
  memberDataPage,
];
