/** The sentences of the page that makes a widget. */
export const en = {
  title: 'Widget',
  lead: 'Show the directory inside a page of your own site: a search box, results, phone numbers and directions. Fill in the form, then paste the snippet into your page.',
  guide: 'The guide, also for WordPress',
  gone: 'This installation has switched off the address that widgets read from. A widget made here shows visitors a link to the directory, and no results.',
  form: {
    heading: 'Your widget',
    owner: 'Whose key',
    own: 'Your own developer key',
    ofTeam: (name: string) => `A key of ${name}`,
    ownerHint: 'The widget needs an API key. It can only read what is public.',
    otherOwner: 'Choose one of these.',
    domains:
      'Where the widget is to work, one a line: example.org is that host alone, *.example.org its subdomains. It works nowhere else.',
    noDomain:
      'Name at least one: anybody can read the key in your page, and this keeps other sites from using it.',
    category: 'Category',
    all: 'All, visitors choose',
    near: 'Near',
    nearHint: 'A postal code, a town or “25.77,-80.19”, that the widget begins with. Visitors can change it.',
    wrongNear: 'Write at most 120 characters.',
    limit: 'Results on a page',
    wrongLimit: 'Write a whole number from 1 to 100.',
    theme: 'Theme',
    light: 'Light',
    dark: 'Dark',
    language: 'Language',
    asPage: 'As the page says',
    target: 'Id of the element',
    targetHint:
      'The widget appears in the element with this id. Change it for a second widget on the same page.',
    wrongTarget: 'Begin with a letter, then use letters, digits, hyphens and underscores, at most 100.',
    team: 'Records',
    everyTeam: 'Of all teams',
    colours: { background: 'Background', text: 'Text', accent: 'Links and buttons' },
    colourHints: {
      background: 'A colour such as #fff8ee. The theme follows it.',
      text: 'A colour such as #222222.',
      accent: 'A colour such as #14583f. What cannot be read on the background is made darker or lighter.',
    },
    wrongColour: 'Write # and six digits from 0 to 9 and a to f, such as #14583f.',
    create: 'Create the snippet',
    preview: 'Preview',
  },
  made: {
    done: 'The key is made, and the snippet holds it.',
    heading: 'Your snippet',
    where: (domains: string) =>
      `It works on ${domains}, and nowhere else. Paste it where the widget is to be.`,
    once: 'The snippet with its key is shown only now: copy it.',
    repeated:
      'You sent the form twice, so the snippet was made the first time and shown then. If you did not copy it, revoke its key and make another.',
    key: 'Change its domains or revoke its key',
    policy: 'If your page has a Content Security Policy',
    policyWhat: 'Add these addresses to it. Without such a policy, leave this out.',
    label: (domain: string) => `Widget on ${domain}`,
  },
  preview: {
    heading: 'Preview',
    frame: 'The widget in the light and in the dark theme',
  },
} as const;
