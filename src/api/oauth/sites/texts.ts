/** The sentences of the pages of sites, in English. */
export const en = {
  sites: {
    title: 'Sign-in sites',
    lead: (team: string) =>
      `Sites and apps of ${team} where people can sign in with their Commonweal account.`,
    register: 'Register a site',
    caption: (team: string) => `Sites of ${team}`,
    none: 'This team has no sites yet. Register one to get the client_id that its developers need.',
    columns: { name: 'Name', hosts: 'Comes back to', state: 'State', registered: 'Registered' },
    more: 'Open',
  },
  site: {
    notFound: 'This team has no such site.',
    back: 'Back to the sites',
    developers: 'For its developers',
    publicClient: 'It is a public client: it needs PKCE with S256, and has no secret.',
    settings: 'Settings',
    save: 'Save',
    cancel: 'Cancel',
  },
  newSite: {
    title: 'Register a site',
    lead: (team: string) => `It will belong to ${team}.`,
    register: 'Register',
  },
  status: {
    active: 'Deactivate this site',
    inactive: 'This site is inactive',
    whileInactive: 'Nobody can sign in to it, and none of its tokens work.',
    whatEnds:
      'People can no longer sign in to it, and all its tokens stop working for good. After you reactivate it, people have to sign in again.',
    deactivate: 'Deactivate',
    reactivate: 'Reactivate',
  },
  done: {
    registered: 'The site is registered. Its developers need the details on this page.',
    saved: 'The changes are saved.',
    inactive: 'The site is deactivated.',
    active: 'The site is active again.',
  },
} as const;
