const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Numbers that operators set. */
export type LimitSetting =
  | 'RATE_LIMIT_PER_MINUTE'
  | 'SEARCHES_PER_MINUTE'
  | 'CODES_PER_HOUR'
  | 'REFRESHES_PER_HOUR'
  | 'CHANGES_PER_HOUR'
  | 'SIGN_INS_PER_HOUR'
  | 'INVITATIONS_PER_DAY'
  | 'FORM_DAILY_CAP'
  | 'TEAM_FORMS_DAILY_CAP';

export interface LimitRow extends Further {
  /** What is counted, and for whom. */
  readonly counts: string;
  /** How many, unless a setting says another number. */
  readonly points: number;
  /** A window begins with the first use; when it has ended, all points are there again. */
  readonly windowSeconds: number;
}

interface Further {
  /** What happens beyond it. */
  readonly beyond: string;
  readonly setting?: LimitSetting;
  /** So many times what the setting says. Absent: 1. */
  readonly times?: number;
  /** Of what is left when it is asked, one in so many. Then `points` says nothing. */
  readonly part?: number;
  /**
   * The names under which those who are counted are stored, which outlive an erasure by the window. `hash`: of random ids,
   * which nobody can guess. A purpose: a hash with a key derived for it. Absent: as they are, because they do not name a person.
   */
  readonly stored?: 'hash' | 'throttle' | 'report limits' | 'form limits' | 'form shares';
  /** Counted by each process in memory. Absent: by all processes together. */
  readonly eachProcess?: true;
}

const tooMany = '429 with Retry-After';
const guesses = { stored: 'throttle', beyond: tooMany } as const;
const mails = { stored: 'throttle', beyond: '429 that says when to try again' } as const;
const submissions = { stored: 'form limits', beyond: tooMany } as const;
const reports = { stored: 'report limits', beyond: '429' } as const;
const invitations = { beyond: 'refused, with how long to wait' };
const exchanges = { stored: 'hash', beyond: `${tooMany}, \`temporarily_unavailable\`` } as const;

const row = <Rest extends Further>(counts: string, points: number, windowSeconds: number, further: Rest) => ({
  counts,
  points,
  windowSeconds,
  ...further,
});

/**
 * Every limit on how often something may be done, said once. The names are those of `commonweal_throttled_total`; none may
 * be a prefix of another. docs/settings.md shows this table. What appends to the log is limited because events stay for
 * ever: those numbers are far above what people and sites need, so that only a loop or an attack meets them.
 */
export const limitTable = {
  // High enough for a busy site, low enough to notice a loop.
  key: row('requests with one key at the service API', 120, minute, {
    setting: 'RATE_LIMIT_PER_MINUTE',
    beyond: `${tooMany}, \`rate_limited\``,
  }),
  'invalid-tokens': row('invalid tokens from one network at the service API', 20, 5 * minute, {
    eachProcess: true,
    beyond: `invalid tokens get ${tooMany}, \`network_paused\`, for 1 minute, then for 2, up to 15`,
  }),
  // Each costs as much as twenty pages of a list. No search waits for a store, and no place keeps who searched.
  search: row('searches of one network on the public pages', 300, minute, {
    setting: 'SEARCHES_PER_MINUTE',
    eachProcess: true,
    beyond: tooMany,
  }),

  // Separate: guesses from elsewhere do not use it up, and it uses up no other limit.
  'guess-browser': row(
    'wrong passwords for one account, from a browser that has signed in to it before',
    10,
    15 * minute,
    guesses,
  ),
  'guess-pair': row('wrong passwords for one account, from one network', 10, 15 * minute, guesses),
  // Many networks of one provider give no more attempts.
  'guess-wide-pair': row('wrong passwords for one account, from the wider network', 40, hour, guesses),
  // Guessing from many networks does not pay.
  'guess-account': row('wrong passwords for one account, from everywhere', 100, hour, guesses),
  // Against one password tried on many accounts.
  'guess-network': row('wrong passwords for all accounts, from one network', 60, 15 * minute, guesses),
  'guess-wide-network': row(
    'wrong passwords for all accounts, from the wider network',
    600,
    15 * minute,
    guesses,
  ),
  // Nobody can guess one; the limit bounds the work.
  'guess-passkey': row('wrong answers for one passkey', 30, 15 * minute, {
    stored: 'throttle',
    beyond: 'the passkey does not work',
  }),
  // Bursts are recorded, not each refusal: anybody can cause them.
  'refused-burst': row(
    'events that say that sign-ins to one account, or from one network, were refused',
    1,
    hour,
    {
      stored: 'hash',
      beyond: 'no event',
    },
  ),
  // With many accounts and networks somebody could fill the log.
  'refused-day': row('events that say that sign-ins were refused, of all together', 200, day, {
    beyond: 'no event',
  }),
  // Judging takes the time of a processor.
  'judge-network': row('passwords for new accounts, from one network', 120, 15 * minute, guesses),
  'judge-wide-network': row('passwords for new accounts, from the wider network', 600, 15 * minute, guesses),

  'mail-address': row('emails about accounts to one address, sent at once', 5, hour, {
    stored: 'throttle',
    beyond: 'delayed',
  }),
  // Delayed, not dropped, so that nobody can keep an email from its reader.
  'mail-delayed': row(
    'delayed emails of one kind to one address, sent at the end of the window',
    1,
    15 * minute,
    {
      stored: 'throttle',
      beyond: 'the one that waits is enough',
    },
  ),
  'mail-browser': row('emails requested at a browser that has signed in to the account before', 3, hour, {
    stored: 'throttle',
    beyond: 'counts for the address',
  }),
  'mail-network': row('emails requested from one network', 60, hour, mails),
  'mail-wide-network': row('emails requested from the wider network', 240, hour, mails),

  'person-changes': row(
    'forms by which one person changes something, and views that are recorded',
    1_200,
    hour,
    {
      setting: 'CHANGES_PER_HOUR',
      stored: 'hash',
      beyond: tooMany,
    },
  ),
  // Only somebody who can sign in to the account uses them up.
  'person-sign-ins': row('sign-ins to one account that succeed', 120, hour, {
    setting: 'SIGN_INS_PER_HOUR',
    stored: 'hash',
    beyond: tooMany,
  }),
  // A silent sign-in a few times in an hour, and a refresh for each access token.
  codes: row('codes of one person at one site', 240, hour, {
    setting: 'CODES_PER_HOUR',
    stored: 'hash',
    beyond: '`temporarily_unavailable`',
  }),
  'refreshes-grant': row('refreshes of one sign-in at a site', 240, hour, {
    setting: 'REFRESHES_PER_HOUR',
    ...exchanges,
  }),
  // Each code begins a grant. A person with a few browsers and tabs has as many at a site.
  'refreshes-person': row('refreshes of one person at one site', 960, hour, {
    setting: 'REFRESHES_PER_HOUR',
    times: 4,
    ...exchanges,
  }),
  'invitations-team': row('invitations of one team', 100, day, {
    setting: 'INVITATIONS_PER_DAY',
    ...invitations,
  }),
  // An email can be lost, so a few; nobody is to be flooded with them. The address comes as a keyed hash.
  'invitations-address': row('invitations to one address, of all teams together', 5, day, invitations),

  // Everybody in a library, or in a meeting at which a form is filled in, shares one network.
  'form-network': row('submissions to all forms, from one network', 60, hour, submissions),
  'form-wide-network': row('submissions to all forms, from the wider network', 300, hour, submissions),
  // The address is one that anybody may have typed.
  'receipt-address': row('receipts of forms to one address, of all forms together', 3, day, {
    stored: 'form limits',
    beyond: 'no receipt',
  }),
  'receipt-network': row('receipts of forms that one network asks for', 20, hour, {
    stored: 'form limits',
    beyond: 'no receipt',
  }),
  'form-day': row('submissions to one form in a day (UTC); a form can name another number', 500, day, {
    setting: 'FORM_DAILY_CAP',
    beyond: tooMany,
  }),
  'team-forms-day': row('submissions to all forms of one team in a day (UTC)', 2_000, day, {
    setting: 'TEAM_FORMS_DAILY_CAP',
    beyond: tooMany,
  }),
  // So a few networks never use a day up: each further one still gets its part of the rest.
  'share-of-day': row(
    'submissions from one network, of what a form or a team still takes on the day',
    0,
    day,
    {
      part: 4,
      stored: 'form shares',
      beyond: tooMany,
    },
  ),
  'wide-share-of-day': row('the same from the wider network', 0, day, {
    part: 2,
    stored: 'form shares',
    beyond: tooMany,
  }),
  // Enough for a shelter whose guests share one network.
  'report-network': row('reports of mistakes, from one network', 10, hour, reports),
  'report-wide-network': row('reports of mistakes, from the wider network', 60, hour, reports),
  // Reviewers need no more to look at it.
  'report-record': row('reports of mistakes in one record', 30, day, { beyond: '429' }),
  'suggestion-network': row('suggested changes of records, from one network', 10, hour, reports),
  'suggestion-wide-network': row('suggested changes of records, from the wider network', 60, hour, reports),
  'suggestion-record': row('suggested changes of one record', 30, day, { beyond: '429' }),
  // An agency has up to fifty records in a mail, and may change its mind.
  'agency-contact': row('answers by the private links of one contact of agencies', 200, hour, {
    beyond: '429',
  }),
  'agency-network': row('the same, from one network', 600, hour, reports),
  // A mail can be lost, so a few; nobody is to be flooded with them. The address comes as a keyed hash.
  'claim-network': row('claims of records, from one network', 10, hour, reports),
  'claim-record': row('claims of one record', 20, day, { beyond: '429' }),
  'claim-address': row('claims of one record by one address', 5, day, { beyond: 'no mail' }),
  'claim-answer': row('answers by those who keep the records of an organization', 200, hour, {
    beyond: '429',
  }),
  // A log asks once for each checkpoint, and again when it did not know the size. Others cannot use this up for it.
  'cosigned-log': row('checkpoints of one log that one network sends to the witness', 120, minute, {
    eachProcess: true,
    beyond: tooMany,
  }),
  // Each check asks a server that the team names.
  'domain-check': row('checks of the domains of one site that somebody asks for', 10, 10 * minute, {
    beyond: 'no check; the page says so',
  }),
} satisfies Readonly<Record<string, LimitRow>>;

export type LimitName = keyof typeof limitTable;

/** How many of each. */
export type LimitNumbers = Readonly<Record<LimitName, number>>;

export const limitNumbers = (settings: Readonly<Record<LimitSetting, number>>): LimitNumbers =>
  Object.fromEntries(
    Object.entries<LimitRow>(limitTable).map(([name, { points, setting, times = 1 }]) => [
      name,
      setting === undefined ? points : settings[setting] * times,
    ]),
  ) as LimitNumbers;
