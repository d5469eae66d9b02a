import type { FormSubmissionEvent } from '../events/forms-submission.ts';
import { projection } from './engine/define.ts';

/** How many submissions the forms of a team took in one day (UTC). */
export interface DailyCountDocument {
  readonly team: string;
  readonly day: string;
  readonly total: number;
  /** By the id of the form. */
  readonly forms: Readonly<Record<string, number>>;
}

type Submitted = Extract<FormSubmissionEvent, { type: 'FormSubmitted' }>;

/** The day of a time in ISO 8601 UTC. */
export const dayOf = (time: string): string => time.slice(0, 10);

export const dailyCountId = (team: string, day: string): string => `${team}/${day}`;

/** Daily caps are counted by this read model, so that no restart forgets them. */
export const formDailyCounts = projection<DailyCountDocument, Submitted>({
  version: 1,
  events: ['FormSubmitted'],
  collection: { name: 'form-daily-counts', fields: ['team', 'day'], indexes: [['team', 'day']] },
  idOf: ({ data }) => dailyCountId(data.team, dayOf(data.submitted_at)),
  fold(doc, { data: { team, form, submitted_at } }) {
    const { total = 0, forms = {} } = doc ?? {};
    return {
      team,
      day: dayOf(submitted_at),
      total: total + 1,
      forms: { ...forms, [form]: (forms[form] ?? 0) + 1 },
    };
  },
});
