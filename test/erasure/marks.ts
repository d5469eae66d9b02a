/**
 * What people say of themselves, or others of them: a word that occurs nowhere else for each field. All of it is sealed
 * at rest, and gone when its person, submission, report, invitation or contact is erased.
 */
export const sealedMarks = {
  email: 'zqemailzq',
  'new email': 'zqnewemailzq',
  name: 'zqnamezq',
  'new name': 'zqnewnamezq',
  username: 'zqusernamezq',
  phone: '202 555 0177',
  picture: 'zqpicturezq',
  'name of a passkey': 'zqpasskeyzq',
  'memo of a payment': 'zqmemozq',
  'why a payment was reversed': 'zqreversalzq',
  'label of a developer key': 'zqdeveloperkeyzq',
  'label of a team key that the person made': 'zqteamkeyzq',
  'label of a key that was made for the person': 'zqkeyforzq',
  'text of an email that waits': 'zqmailzq',
  'what a receiver answered': 'zqanswerzq',
  'address of an invitation': 'zqinvitedzq',
  'answer to a form, short': 'zqshortanswerzq',
  'answer to a form, long': 'zqlonganswerzq',
  'answer to a form, email': 'zqanswermailzq',
  'text of a report': 'zqreportzq',
  'contact of a report': 'zqreporterzq',
  'value of a suggestion': 'zqsuggestedzq',
  'note of a suggestion': 'zqnotezq',
  'contact of a suggestion': 'zqsuggesterzq',
  'name of a contact person': 'zqcontactzq',
  'title of a contact person': 'zqtitlezq',
  'email of a contact person': 'zqcontactmailzq',
  'who verified a record': 'zqverifierzq',
  'contact person of an import': 'zqimportedzq',
  'contact person in a file': 'zqsentzq',
  'email of a contact person in a file': 'zqsentmailzq',
  'token in the address of a webhook': 'zqtokenzq',
} as const;

/** Sealed, and shown to nobody but those who placed it. */
export const heldMark = 'zqholdreasonzq';

/** Never stored, nor written to a line of the log. */
export const neverMarks = {
  password: 'zq seven quiet herons wading',
  'a wrong password': 'zqwrongpasswordzq',
  'the name of a browser': 'zqagentzq',
  'a contact in a file that cannot be taken': 'zqfaultyzq',
  'what somebody looked for in public': 'zqlookedforzq',
  'an address that nobody has, at sign-in': 'zqstrangerzq',
  'an address that nobody has, in the audit log': 'zqauditedzq',
} as const;

/** Free words that stay for ever, in clear. The sentence of docs/audit.md names each: the words on the right. */
export const clearMarks = {
  'why a key was revoked': ['zqrevokedzq', 'why a key was revoked'],
  'why a record was rejected': ['zqrejectedzq', 'why a record was\nrejected'],
  'why a record was approved': ['zqapprovedzq', 'rejected, approved or deactivated'],
  'why a record was deactivated': ['zqdeactivatedzq', 'deactivated'],
  'a record': ['zqrecordzq', 'records themselves'],
  'the name of a team': ['zqteamzq', 'names of teams and sites'],
  'the name of a file that is imported': ['zqfilenamezq', 'names of the sources of imports'],
  'the name of a site': ['zqsitezq', 'names of teams and sites'],
  'the text of a form': ['zqformzq', 'texts of forms'],
  'what was searched for': ['zqsearchedzq', 'what was searched for in\nthe audit log'],
  'the label of a key for nobody in particular': [
    'zqoperatorkeyzq',
    'the label of a key that an operator made for nobody in particular',
  ],
} as const;
