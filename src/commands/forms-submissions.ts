import type { Actor, CommandContext, Metadata } from '../events/metadata.ts';
import { upcast } from '../events/catalogue.ts';
import {
  formSubmissionStream,
  type FormSubmissionEvent,
  type SubmissionProgress,
} from '../events/forms/submission.ts';
import { streamName } from '../events/define.ts';
import { uuidOf } from '../events/ids.ts';
import { formSubmissionOf, type PersonalData } from '../personal/personal-data.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { execute, load, type Decider, type Outcome } from './command-handler.ts';
import { erasingEvent } from './erasing-event.ts';
import { CommandRefused } from '../ground/refusals.ts';
import type { Answers } from '../events/forms/answers.ts';

type SubmissionData = Extract<FormSubmissionEvent, { type: 'FormSubmitted' }>['data'];

export type SubmissionState =
  | {
      readonly team: string;
      readonly form: string;
      readonly state: SubmissionProgress;
      readonly erased: boolean;
    }
  | undefined;

export type SubmissionCommand =
  | { readonly kind: 'submit'; readonly data: SubmissionData }
  /** `seen`: the state that was looked at. Nothing is changed when it is another by now. */
  | {
      readonly kind: 'choose state';
      readonly state: SubmissionProgress;
      readonly seen?: SubmissionProgress;
      readonly asTeam?: string;
    }
  /** `asTeam`: the team that commands, where not the operator does. Only its own submissions exist for it. */
  | { readonly kind: 'erase'; readonly asTeam?: string };

export const submission: Decider<SubmissionState, SubmissionCommand, FormSubmissionEvent> = {
  stream: formSubmissionStream,
  initial: undefined,
  evolve(state, event) {
    if (event.type === 'FormSubmitted') {
      const { team, form } = event.data;
      return { team, form, state: 'new', erased: false };
    }
    if (!state) return undefined;
    switch (event.type) {
      case 'FormSubmissionStateChosen':
        return { ...state, ...event.data };
      case 'FormSubmissionErased':
        return { ...state, erased: true };
    }
  },
  decide(command, state) {
    if (command.kind === 'submit') {
      if (state) throw new CommandRefused('conflict', 'There is such a submission already.');
      return [{ type: 'FormSubmitted', data: command.data }];
    }
    if (!state || (command.asTeam !== undefined && command.asTeam !== state.team)) throw noSubmission();
    if (command.kind === 'choose state') {
      if (state.erased) throw new CommandRefused('conflict', 'The answers are erased.');
      if (command.seen !== undefined && command.seen !== state.state)
        throw new CommandRefused('conflict', 'Somebody else has changed the state of this answer meanwhile.');
      if (command.state === state.state) return [];
      return [{ type: 'FormSubmissionStateChosen', data: { state: command.state } }];
    }
    return state.erased ? [] : [{ type: 'FormSubmissionErased', data: {} }];
  },
};

export const noSubmission = (): CommandRefused =>
  new CommandRefused('not_found', 'There is no such submission to your forms.');

export interface SubmissionParts {
  readonly store: EventStore;
  /** Seals the answers. */
  readonly personal: PersonalData;
}

export type SubmissionOutcome = Outcome<SubmissionState, FormSubmissionEvent>;

/** The id of a submission follows from the command, so a form that is sent twice is one submission. */
export const submissionIdOf = ({ commandId }: Pick<CommandContext, 'commandId'>): string =>
  uuidOf(commandId, 'form-submission');

/** Records answers that were checked against a version of the form. */
export async function submitForm(
  { store, personal }: SubmissionParts,
  of: { readonly team: string; readonly form: string; readonly version: number },
  answers: Answers,
  context: CommandContext,
): Promise<SubmissionOutcome> {
  const id = submissionIdOf(context);
  const holder = formSubmissionOf(id);
  // Runs only when it is decided: a repeated command must not begin a data key that was erased.
  const submitting = async (): Promise<SubmissionCommand> => {
    await personal.begin(holder);
    const data = {
      submission: id,
      team: of.team,
      form: of.form,
      form_version: of.version,
      submitted_at: context.at.toISOString(),
      answers_sealed: await personal.seal(holder, answers),
    };
    return { kind: 'submit', data };
  };
  return execute(store, submission, id, submitting, context);
}

/**
 * Erases the answers: destroys their data key. The events stay. Repeating it after a crash finishes it.
 * @throws CommandRefused not_found
 */
export async function eraseSubmission(
  { store, personal }: SubmissionParts,
  id: string,
  by: { readonly asTeam?: string },
  context: CommandContext,
): Promise<SubmissionOutcome> {
  await personal.readyToErase();
  const outcome = await execute(store, submission, id, { kind: 'erase', ...by }, context);
  await personal.erase(
    formSubmissionOf(id),
    erasingEvent(outcome, streamName(formSubmissionStream, id), context),
  );
  return outcome;
}

/**
 * Chooses how far a team is with an answer.
 * @throws CommandRefused not_found, conflict
 */
export const chooseSubmissionState = (
  store: EventStore,
  id: string,
  chosen: Omit<Extract<SubmissionCommand, { readonly kind: 'choose state' }>, 'kind'>,
  context: CommandContext,
): Promise<SubmissionOutcome> => execute(store, submission, id, { kind: 'choose state', ...chosen }, context);

/** A submission as it is in the log. @throws CommandRefused not_found */
export async function requireSubmission(
  store: EventStore,
  id: string,
): Promise<NonNullable<SubmissionState>> {
  const { state } = await load(store, submission, id);
  if (!state) throw noSubmission();
  return state;
}

/** What has become of a submission, by whom and when: the oldest first. */
export interface SubmissionStep {
  readonly at: string;
  readonly by: Actor;
  readonly became: SubmissionProgress | 'erased';
}

/** The history of a submission, without its beginning. */
export async function submissionHistory(store: EventStore, id: string): Promise<readonly SubmissionStep[]> {
  const history = await store.readStream(streamName(formSubmissionStream, id));
  return history.flatMap((recorded): SubmissionStep[] => {
    const event = upcast(recorded) as FormSubmissionEvent;
    const { at, actor: by } = recorded.metadata as unknown as Metadata;
    if (event.type === 'FormSubmissionStateChosen') return [{ at, by, became: event.data.state }];
    return event.type === 'FormSubmissionErased' ? [{ at, by, became: 'erased' }] : [];
  });
}

/** The answers of submissions, opened with one read of the vault. Undefined for an erased one. */
export async function openSubmissions(
  personal: PersonalData,
  submissions: readonly { readonly submission: string; readonly answers_sealed?: string }[],
): Promise<(Answers | undefined)[]> {
  const sealed = submissions.flatMap(({ submission: id, answers_sealed }) =>
    answers_sealed === undefined ? [] : [{ holder: formSubmissionOf(id), sealed: answers_sealed }],
  );
  const values = await personal.openMany(sealed);
  let next = 0;
  return submissions.map(({ answers_sealed }) =>
    answers_sealed === undefined ? undefined : (values[next++] as Answers | undefined),
  );
}
