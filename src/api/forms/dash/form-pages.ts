import { answerPage, answerStatePage, eraseAnswerPage } from './answer-page.ts';
import { editFormPage, newFormPage } from './builder-pages.ts';
import { closeFormPage, csvPage, formPage, readersPage, reopenFormPage, searchPage } from './form-page.ts';
import { formsPage } from './forms-list.ts';
import { mailsPage, nameOfficePage, removeOfficePage, retentionPage, settingsPage } from './settings-page.ts';
import { translationPage } from './translation-page.ts';

/** The pages about the forms of a team and what people send with them. */
export const formPages = [
  formsPage,
  newFormPage,
  formPage,
  editFormPage,
  translationPage,
  closeFormPage,
  reopenFormPage,
  readersPage,
  settingsPage,
  mailsPage,
  retentionPage,
  nameOfficePage,
  removeOfficePage,
  csvPage,
  searchPage,
  answerPage,
  answerStatePage,
  eraseAnswerPage,
];
