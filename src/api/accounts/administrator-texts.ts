/** What the pages about the administrators of the installation say. */
export const en = {
  title: 'Administrators',
  lead: 'They see and change everything here. When one is added or removed, an email for each of them says so.',
  done: {
    added: 'They are an administrator now. An email for each administrator says so.',
    already: 'They are an administrator already, so nothing was done.',
    removed: 'They are no longer an administrator. An email for each administrator says so.',
  },
  columns: { name: 'Name', email: 'Email', since: 'Since' },
  you: 'you',
  remove: 'Remove',
  add: 'Make somebody an administrator',
  addLead: 'They need an account with a confirmed email address first.',
  password: 'Your password',
  since: 'Administrator since',
  removeTitle: 'Take the role away',
  removeSentence:
    'The account stays. They can no longer open the pages for administrators, from the next request on.',
  removeYourself:
    'Your account stays. You can no longer open the pages for administrators, from the next request on.',
  last: 'This is the only administrator, and stays one. Make somebody else an administrator first.',
  none: 'There is no such administrator.',
  back: 'All administrators',
  cancel: 'Cancel',
} as const;
