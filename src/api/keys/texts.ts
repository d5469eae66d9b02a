import type { KeyScope } from '../../events/teams.ts';

/** The sentences of the pages about API keys. */
export const en = {
  developer: {
    title: 'Developer keys',
    lead: 'With a key, your program reads the directory and submits to it. Developer keys are yours alone and reach public data only.',
    none: 'You have no key yet. Create one below; it works at once.',
    other: 'You have no such key.',
    back: 'Back to your keys',
  },
  team: {
    title: 'API keys',
    lead: (name: string) =>
      `With a key, a program acts for ${name}. Give each program a key of its own, so that you can revoke one without stopping the others.`,
    none: 'The team has no key yet. Create one below; it works at once.',
    other: 'The team has no such key.',
    back: 'Back to the keys of the team',
  },
  list: {
    caption: 'Keys',
    columns: {
      key: 'Key',
      may: 'May',
      domains: 'Domains',
      maker: 'Made by',
      made: 'Created',
      used: 'Last used',
    },
    everywhere: 'anywhere',
    unknownMaker: 'an operator',
    erasedMaker: 'somebody who is erased',
    notUsed: 'not yet',
    notUsedSince: 'not since',
    active: 'active',
    revoked: 'revoked',
    expired: 'expired',
    until: 'until',
    legacy: 'old address',
    unlabelled: 'Without a label',
  },
  create: {
    heading: 'Create a key',
    label: 'Label',
    labelHint: 'Where it is used, such as Website of the library. You find it by this later.',
    labelLong: 'Use at most 200 characters on one line.',
    scopes: 'What it may do',
    noScope: 'Choose at least one.',
    otherScope: 'This key cannot be given one of these. Choose again.',
    expires: 'Expires after',
    expiresHint:
      'The last day on which it works. Before, you are told by email and on Home. Leave it empty for a key without an end.',
    expiresWrong: 'Choose a day from today on, within the next 10 years.',
    domains:
      'Web pages on other domains cannot use the key. One a line: example.org is that host alone, *.example.org its subdomains. Leave it empty for a program on a server.',
    button: 'Create',
  },
  made: {
    heading: 'Your new key',
    sentence: 'Copy it now and store it where your program finds it. Whoever has it can use it.',
    created: 'The key is created.',
    repeated:
      'You sent the form twice, so the key was made the first time and shown then. If you did not copy it, revoke it and create another.',
  },
  roll: {
    label: 'Roll',
    sentence:
      'You get a new key with the same label, scopes and domains. Both work, so that you can change your programs in your own time.',
    button: 'Make the new key',
    old: 'The old key works',
    ends: {
      never: 'until I revoke it',
      day: 'for another day',
      week: 'for another week',
      month: 'for another 30 days',
    },
    endsWrong: 'Choose how long the old key works.',
    done: 'The new key is created. The old one works until you revoke it, or until it was to end.',
    doneUntil: (time: string) => `The new key is created. The old one works until ${time}.`,
    rolled: 'This key was rolled: the new one is',
    untilRevoked: 'This one works until you revoke it. Do so when no program uses it any more.',
    until: 'This one works until',
  },
  revoke: {
    label: 'Revoke',
    sentence: 'It is refused from the next request on. This cannot be undone.',
    reason: 'Reason',
    reasonHint: 'It is for whoever looks at this later, and stays in the log for ever. Do not name a person.',
    reasonLong: 'Use at most 500 characters on one line.',
  },
  done: {
    revoked: 'The key is revoked. Every request with it is answered 401 from now on.',
    domains: 'The domains are saved. They hold from the next request on.',
  },
  key: {
    settings: 'Where it may be used',
    save: 'Save',
    revoked: 'This key is revoked. It cannot be used again.',
    expired: 'This key has expired. It cannot be used again.',
    facts: {
      id: 'Key id',
      may: 'May',
      domains: 'Domains',
      made: 'Created',
      expires: 'Expires',
      replaces: 'In the place of',
      replacedBy: 'Rolled to',
      revokedAt: 'Revoked',
      used: 'Last used',
    },
    usage: 'Use in the last 30 days',
    perDay: 'Requests per day',
    day: 'Day',
    answered: 'Answered',
    refused: 'Refused',
    unused: 'No request in the last 30 days.',
    since: 'Counted since',
    kinds: 'Requests by kind',
    columns: { kind: 'Request', outcome: 'Outcome', requests: 'Requests', last: 'Last' },
  },
  requests: {
    heading: 'The last requests',
    hint: 'At most 50, of the last seven days. What a request named and where it came from is not kept.',
    columns: { at: 'Time', request: 'Request', status: 'Status', reason: 'Reason' },
  },
  start: {
    heading: 'Quick start',
    withKey: 'These calls hold your new key. They work when you paste them into a terminal.',
    withoutKey: 'Put your key in place of API_KEY.',
    more: 'All calls are in the',
    reference: 'API reference',
    old: 'The old address',
  },
  legacy: {
    before: (day: string) => `Programs should no longer use it. It ends on ${day}.`,
    served: (day: string) =>
      `It has been out of date since ${day}. This installation still answers it, so that widgets go on working. Programs should use the calls above.`,
    gone: (day: string) =>
      `It has been out of date since ${day}, and this installation has switched it off: every request is answered 410, also those of widgets.`,
    callers: (programs: number, pages: number) =>
      `Programs with this key called the old address ${times(programs)} in the last 30 days${
        pages > 0 ? `, and web pages ${times(pages)}` : ''
      }. Move the programs to the new address. The widget may go on using the old one.`,
  },
} as const;

const times = (count: number): string => (count === 1 ? 'once' : `${count.toLocaleString('en')} times`);

/** What a scope lets a key do. */
export const scopeTexts: Readonly<Record<KeyScope, string>> = {
  'resources:read': 'Read the public directory',
  'resources:submit': 'Submit records for review',
  'directory:manage': 'Change and review the records of the team',
  'needs:read': 'Read what people looked for in vain, as numbers',
  'team:manage': 'Rename the team, see what it uses, and close it',
  'members:read': 'Read the names and addresses of members',
  'forms:read': 'Read what people send with forms',
  'payments:write': 'Record and reverse payments',
  'webhooks:read': 'Read webhooks and their deliveries',
  'webhooks:write': 'Use the test receiver, name webhooks and send again, never elsewhere',
  'audit:read': 'Read the audit log of the team',
};
