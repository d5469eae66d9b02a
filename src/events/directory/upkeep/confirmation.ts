import { z } from 'zod';
import { line } from '../../define.ts';
import { sourceDate } from '../source.ts';
import { agingPart, agingParts, type AgingPart, type SourceConfirmed } from './aging-parts.ts';

export { agingPart, agingParts, differingParts, type AgingPart } from './aging-parts.ts';

/**
 * Who says that a record is still right: the source it comes from, by the dates that it gives; the team of the directory;
 * or the agency that offers the service.
 */
export const confirmers = ['source', 'team', 'agency'] as const;
export type Confirmer = (typeof confirmers)[number];

/** The data of `ResourceConfirmed`. */
export const confirmationData = z.strictObject({
  by: z.enum(['team', 'agency']).describe('Who said so: the team of the directory, or the agency itself.'),
  parts: z
    .array(agingPart)
    .min(1)
    .max(agingParts.length)
    .optional()
    .describe('What was confirmed. Absent: the whole record.'),
  by_link: z
    .strictObject({
      ask: z.uuid().describe('The mail that it answers.'),
      organization: line(500).optional().describe('Whose contact got the mail.'),
    })
    .optional()
    .describe(
      'It was said by the private link that was mailed to a contact of the agency. Nobody knows who has it.',
    ),
  by_claim: z
    .strictObject({ host: line(253).describe('The host at which they proved to have an address.') })
    .optional()
    .describe('It was said by the people of the organization who keep its records.'),
});

/** A confirmation that was made before. */
export const pastConfirmation = z.strictObject({
  on: sourceDate.describe('Its date, as precisely as it is known.'),
  by: z
    .enum(confirmers)
    .describe('Who said so: the source by its dates, the team of the directory, or the agency.'),
});

/** `on`: a date as precisely as it is known; see `sourceDate`. */
export interface Confirmation {
  readonly on: string;
  readonly by: Confirmer;
}

/**
 * A part of which the source says something else than what was confirmed. `changed`: the day on which that was read, which is
 * not when the source wrote it. `on`: the date that the source gives for it, if any.
 */
export interface ChangedBySource {
  readonly by: 'source';
  readonly on?: string;
  readonly changed: string;
}

/**
 * When a record was last confirmed as a whole, and those of its parts that were confirmed later than that, or of which the
 * confirmation has ended.
 */
export type Confirmed = Partial<Confirmation> & {
  readonly [Part in AgingPart]?: Confirmation | ChangedBySource;
};

/** What is kept of the events of a record to tell when it was confirmed. */
export interface ConfirmationState {
  /** The day of its field `last_verified`. */
  readonly verified?: string;
  /** Its field `last_modified`. */
  readonly modified?: string;
  /** It came from a source. */
  readonly ofSource?: true;
  /** The day of verification that its source said last, taken or not. */
  readonly ofSourceOn?: string;
  /** The team set `verified`, not the source. */
  readonly verifiedHere?: true;
  /** What stood when the team set `verified`: it stands again when that is undone. */
  readonly beforeVerified?: Pick<ConfirmationState, 'verified' | 'changed'>;
  /** What was said about the record as it stands. */
  readonly answers?: Answers;
  /** The parts that people had confirmed and the source has changed since, by the day on which that was read. */
  readonly changed?: { readonly [Part in AgingPart]?: string };
  /** What its source has confirmed by itself, and stands as the source says. */
  readonly sourceConfirmed?: SourceConfirmed;
}

type Answers = Partial<Confirmation> & { readonly [Part in AgingPart]?: Confirmation };

/** What of the events of a record tells when it was confirmed. */
type ConfirmingEvent =
  | {
      readonly type: 'ResourceSubmitted';
      readonly data: OfSource & { readonly source?: unknown };
    }
  | {
      readonly type: 'ResourceRevised';
      readonly data: OfSource & {
        readonly from_source?: true | undefined;
        readonly unconfirmed?: readonly AgingPart[] | undefined;
        readonly confirmed?: readonly AgingPart[] | undefined;
      };
    }
  | { readonly type: 'ResourceReadFromSource'; readonly data: OfSource }
  | { readonly type: 'ResourceApproved' }
  | { readonly type: 'ResourceConfirmed'; readonly data: z.output<typeof confirmationData> };

interface OfSource {
  readonly fields: Dates;
  readonly source_confirmed?: SourceConfirmed | undefined;
}

interface Dates {
  readonly last_verified?: string | undefined;
  readonly last_modified?: string | undefined;
}

/** The state after an event. `at`: its time. Whoever approves what was written here has read it. */
export function confirmationAfter(
  { sourceConfirmed: before, ...state }: ConfirmationState,
  event: ConfirmingEvent,
  at: string,
): ConfirmationState {
  const after = answersAfter(state, event, at);
  const sourceConfirmed =
    ('data' in event && 'fields' in event.data && event.data.source_confirmed) || before;
  return sourceConfirmed && Object.keys(sourceConfirmed).length > 0 ? { ...after, sourceConfirmed } : after;
}

function answersAfter(state: ConfirmationState, event: ConfirmingEvent, at: string): ConfirmationState {
  const on = at.slice(0, 10);
  switch (event.type) {
    case 'ResourceSubmitted': {
      const { fields, source } = event.data;
      const dates = datesOf(fields);
      return source === undefined ? dates : { ...dates, ofSource: true, ...ofSourceOn(fields) };
    }
    case 'ResourceReadFromSource': {
      const { ofSourceOn: _, ...rest } = state;
      return { ...rest, ...ofSourceOn(event.data.fields) };
    }
    case 'ResourceRevised': {
      const { confirmed } = event.data;
      const revised = afterRevision(state, event.data, on);
      return confirmed ? withAnswer(revised, { on, by: 'team' }, confirmed) : revised;
    }
    case 'ResourceApproved':
      return state.ofSource ? state : withAnswer(state, { on, by: 'team' });
    case 'ResourceConfirmed':
      return withAnswer(state, { on, by: event.data.by }, event.data.parts);
  }
}

/** What an import merges into what stands is no revision by the source. It has said before which day it gives. */
function afterRevision(
  state: ConfirmationState,
  { fields, from_source, unconfirmed = [] }: Extract<ConfirmingEvent, { type: 'ResourceRevised' }>['data'],
  on: string,
): ConfirmationState {
  const { ofSource, answers, beforeVerified, verified: before } = state;
  const dates = datesOf(fields);
  const { verified } = dates;
  const sourceDay = from_source ? ofSourceOn(fields) : ofSourceOn({ last_verified: state.ofSourceOn });
  const isHere = !from_source && verified !== undefined && verified !== sourceDay.ofSourceOn;
  const isTakenBack = !from_source && beforeVerified !== undefined && verified === beforeVerified.verified;
  const isVerified = isHere && verified !== before && !isTakenBack;
  const changed = {
    ...(!isVerified && state.changed),
    ...(isTakenBack && beforeVerified.changed),
    ...Object.fromEntries(unconfirmed.map((part) => [part, on])),
  };
  const setAside = isVerified
    ? { ...(before !== undefined && { verified: before }), ...(state.changed && { changed: state.changed }) }
    : verified === before && !from_source
      ? beforeVerified
      : undefined;
  return {
    ...dates,
    ...(ofSource && { ofSource, ...sourceDay }),
    ...(isHere && { verifiedHere: true }),
    ...(setAside && { beforeVerified: setAside }),
    ...(answers && { answers: without(answers, unconfirmed) }),
    ...(Object.keys(changed).length > 0 && { changed }),
  };
}

const ofSourceOn = ({ last_verified: day }: Dates): Pick<ConfirmationState, 'ofSourceOn'> =>
  day === undefined ? {} : { ofSourceOn: day };

/** Undefined: nobody has confirmed anything of it. */
export function confirmedIn(state: ConfirmationState): Confirmed | undefined {
  const { verified, modified, verifiedHere, ofSource, answers = {}, changed = {} } = state;
  const { sourceConfirmed = {} } = state;
  const byDate = (on: string | undefined, by: Confirmer) => (on === undefined ? undefined : { on, by });
  const whole = [
    byDate(modified, 'source'),
    byDate(verified, ofSource && !verifiedHere ? 'source' : 'team'),
    wholeOf(answers),
  ].reduce(later);
  const isOfSource = ofSource && !verifiedHere;
  const { on } =
    [byDate(modified, 'source'), byDate(isOfSource ? verified : undefined, 'source')].reduce(later) ?? {};
  const confirmed = {
    ...whole,
    // What the source says later than anybody, it says of what it has changed as well.
    ...(whole && whole.by !== 'source' && changedParts(changed, sourceConfirmed, on)),
    ...partsAfter(withSource(answers, sourceConfirmed), whole),
  };
  return Object.keys(confirmed).length === 0 ? undefined : confirmed;
}

/** The first day that a date can mean, so that nothing looks fresher than it is: of `2018` the first of January. */
export const firstDayOf = (date: string): string => `${date}${'-01-01'.slice(date.length - 4)}`.slice(0, 10);

const datesOf = ({ last_verified, last_modified }: Dates): ConfirmationState => ({
  ...(last_verified === undefined ? {} : { verified: last_verified }),
  ...(last_modified === undefined ? {} : { modified: last_modified }),
});

function withAnswer(
  state: ConfirmationState,
  answer: Confirmation,
  parts?: readonly AgingPart[],
): ConfirmationState {
  const { answers = {} } = state;
  if (!parts) {
    const whole = later(wholeOf(answers), answer);
    const { changed: _, beforeVerified: _before, ...rest } = state;
    return { ...rest, answers: { ...whole, ...partsAfter(answers, whole) } };
  }
  const confirmed = Object.fromEntries(parts.map((part) => [part, later(answers[part], answer)]));
  const { changed, beforeVerified, ...rest } = state;
  const stillChanged = without(changed ?? {}, parts);
  return {
    ...rest,
    answers: { ...answers, ...confirmed },
    ...(Object.keys(stillChanged).length > 0 && { changed: stillChanged }),
    ...(beforeVerified && {
      beforeVerified: { ...beforeVerified, changed: without(beforeVerified.changed ?? {}, parts) },
    }),
  };
}

const wholeOf = ({ on, by }: Answers): Confirmation | undefined =>
  on === undefined || by === undefined ? undefined : { on, by };

/** The parts that were confirmed later than the whole. */
const partsAfter = (confirmed: Answers, whole: Confirmation | undefined): Answers =>
  Object.fromEntries(
    agingParts.flatMap((part) => {
      const own = confirmed[part];
      return own && (whole === undefined || firstDayOf(own.on) > firstDayOf(whole.on)) ? [[part, own]] : [];
    }),
  );

/** The later of what people and what the source said of each part. */
const withSource = (answers: Answers, sourceConfirmed: SourceConfirmed): Answers =>
  Object.fromEntries(
    agingParts.flatMap((part) => {
      const on = sourceConfirmed[part];
      const own = later(on === undefined ? undefined : { on, by: 'source' }, answers[part]);
      return own ? [[part, own]] : [];
    }),
  );

const changedParts = (
  changed: NonNullable<ConfirmationState['changed']>,
  sourceConfirmed: SourceConfirmed,
  whole: string | undefined,
) =>
  Object.fromEntries(
    agingParts.flatMap((part): [AgingPart, ChangedBySource][] => {
      const day = changed[part];
      const on = sourceConfirmed[part] ?? whole;
      return day === undefined
        ? []
        : [[part, { by: 'source', ...(on !== undefined && { on }), changed: day }]];
    }),
  );

const without = <Parts extends object>(parts: Parts, names: readonly AgingPart[]): Parts =>
  Object.fromEntries(
    Object.entries(parts).filter(([name]) => !(names as readonly string[]).includes(name)),
  ) as Parts;

/** The later of two confirmations; the second where both are of one day. */
function later(one: Confirmation | undefined, other: Confirmation | undefined): Confirmation | undefined {
  if (!one || !other) return one ?? other;
  return firstDayOf(other.on) >= firstDayOf(one.on) ? other : one;
}
