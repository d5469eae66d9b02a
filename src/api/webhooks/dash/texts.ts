import type { DeliveryState } from '../../../commands/webhooks/delivery.ts';

/** The sentences of the pages about webhooks. A second language is another object of this type. */
export const en = {
  title: 'Webhooks',
  lead: 'A webhook sends what happens in your team to an address of yours, signed, within seconds.',
  none: 'Your team has no webhooks yet. Add the address of a program of yours that should learn what happens.',
  noneDeleted: 'No webhook was deleted.',
  add: 'Add a webhook',
  inUse: 'In use',
  deleted: 'Deleted',
  allDeliveries: 'All deliveries',
  notFound: 'There is no webhook with this address in your team.',
  deliveryNotFound: 'There is no delivery with this address in your team.',
  back: 'Back to the webhooks',

  new: {
    title: 'Add a webhook',
    address: 'Address',
    addressHint:
      'Where we send events, such as https://example.org/webhooks. It has to accept POST requests.',
    events: 'Events',
    limit: (most: number) =>
      `A team can have up to ${most.toLocaleString('en')} webhooks. Deleted ones do not count.`,
    madeTitle: 'The webhook is added',
    made: (url: string) => `From now on we send your events to ${url}.`,
    again: 'This webhook was added already. Its signing secret was shown then.',
    replaceSecret: 'If you did not keep the secret, replace it in the settings.',
    open: 'Open the webhook',
  },
  secret: {
    label: 'Signing secret',
    sentence:
      'Your program checks with it that a request comes from us. Store it where your program reads it.',
  },
  catalogue: {
    heading: 'What is sent',
    example: 'Example',
    fields: 'All fields (JSON Schema)',
  },
  problems: {
    noEvents: 'Choose at least one event.',
    noAddress: 'Write the address where we should send events.',
    wrongTime: 'Write a day or a time, such as 2026-01-31 or 2026-01-31 17:00.',
    future: 'This time is in the future.',
  },

  tabs: {
    label: 'This webhook',
    overview: 'Overview',
    deliveries: 'Deliveries',
    settings: 'Settings',
  },
  one: { state: 'State' },
  actions: {
    pause: 'Pause',
    pauseAsks: 'Nothing is sent while it is paused. What happens meanwhile waits, for 30 days at most.',
    resume: 'Resume',
    resumeAsks: (count: string) => `We start sending again. Deliveries that wait: ${count}.`,
    waiting: 'What waits',
    send: 'Send it, the oldest first',
    discardThem: 'Discard it',
    replayLater: 'You can still send these events again later.',
    discard: 'Discard what waits',
    discardAsks: (count: string) =>
      `Deliveries that wait: ${count}. They are not sent. You can still send these events again later.`,
    confirm: 'Confirm healthy',
    confirmWhy:
      'We paused this webhook because its receiver did not work. Repair it, then confirm: we send one test, and when your receiver accepts it with a status from 200 to 299, we send everything that waits.',
    onlyConfirmed:
      'We paused this webhook because its receiver did not work. Use Confirm healthy: it becomes active when a test is accepted.',
  },
  done: {
    paused: 'The webhook is paused. What happens from now on waits.',
    resumed: 'The webhook is active again. What waited is sent, the oldest first.',
    resumedEmpty: 'The webhook is active again. What waited is discarded.',
    discarded: 'What waited is discarded.',
    discarding:
      'There is a lot to discard. It goes on by itself. Open this page again to see how much still waits.',
    confirmed: 'Your receiver accepted the test. The webhook is active, and what waited is sent now.',
    saved: 'Your changes are saved. What waits goes to the new address.',
  },
  rotate: {
    title: 'The signing secret is replaced',
    done: (url: string) => `The previous secret of ${url} no longer works.`,
    again: 'The secret was replaced already. The new one was shown then.',
  },
  health: {
    heading: 'How the receiver does',
    failingSince: 'Every attempt has failed since',
    nothingWaits: 'Nothing waits to be sent.',
    waits: (count: string, one: boolean) =>
      one ? '1 delivery waits, since' : `${count} deliveries wait, the oldest since`,
    period: 'Period',
    attempts: 'Attempts',
    accepted: 'Accepted',
    givenUp: 'Given up',
    half: 'Half within',
    most: '95% within',
    hour: 'Last hour',
    day: 'Last 24 hours',
    week: 'Last 7 days',
    chart: (hours: number) => `Attempts in the last ${hours} hours`,
    hourColumn: 'Hour',
    acceptedKey: 'Accepted',
    failedKey: 'Failed',
  },
  test: {
    heading: 'Send a test',
    sentence:
      'We send the example of an event once, also while the webhook is paused. What it says is made up.',
    event: 'Event',
    send: 'Send a test',
  },

  state: {
    active: 'active',
    pausedByYou: 'paused by you',
    pausedByUs: 'paused by us',
    deleted: 'deleted',
    failing: 'failing',
  },
  delivery: {
    pending: 'waiting',
    delivered: 'delivered',
    failed: 'failed',
    discarded: 'discarded',
    parked: 'set aside',
    expired: 'expired',
  } satisfies Record<DeliveryState['status'], string>,
} as const;
