import type { CommandContext } from '../../../events/metadata.ts';
import {
  mistakeStream,
  type MistakeEvent,
  type MistakeOutcome,
} from '../../../events/directory/upkeep/mistake.ts';
import { streamName } from '../../../events/define.ts';
import { uuidOf } from '../../../events/ids.ts';
import type { Holder, PersonalData } from '../../../personal/personal-data.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { execute, type Decider, type Outcome } from '../../command-handler.ts';
import { erasingEvent } from '../../erasing-event.ts';
import { CommandRefused } from '../../../ground/refusals.ts';

/** What a report says in the words of whoever sent it. It is personal data. */
export interface ReportTexts {
  readonly text?: string;
  /** An email address or a phone number. */
  readonly contact?: string;
}

type ReportData = Extract<MistakeEvent, { type: 'MistakeReported' }>['data'];

export type MistakeState =
  (ReportData & { readonly outcome: MistakeOutcome | undefined; readonly erased: boolean }) | undefined;

/** The team that commands, where not the operator does: only its own reports exist for it. */
interface ByTeam {
  readonly asTeam?: string;
}

export type MistakeCommand =
  | { readonly kind: 'report'; readonly data: ReportData }
  | ({ readonly kind: 'resolve'; readonly outcome: MistakeOutcome } & ByTeam)
  | ({ readonly kind: 'erase' } & ByTeam);

export const mistake: Decider<MistakeState, MistakeCommand, MistakeEvent> = {
  stream: mistakeStream,
  initial: undefined,
  evolve(state, event) {
    if (event.type === 'MistakeReported') return { ...event.data, outcome: undefined, erased: false };
    if (!state) return undefined;
    if (event.type === 'MistakeResolved') return { ...state, outcome: event.data.outcome };
    const { said: _, ...rest } = state;
    return { ...rest, erased: true };
  },
  decide(command, state) {
    if (command.kind === 'report') {
      if (state) throw new CommandRefused('conflict', 'There is such a report already.');
      return [{ type: 'MistakeReported', data: command.data }];
    }
    if (!state || (command.asTeam !== undefined && command.asTeam !== state.team)) throw noReport();
    if (command.kind === 'erase') return state.erased ? [] : [{ type: 'MistakeReportErased', data: {} }];
    if (state.outcome === command.outcome) return [];
    if (state.outcome !== undefined)
      throw new CommandRefused('conflict', `The report is ${state.outcome} already.`);
    return [{ type: 'MistakeResolved', data: { outcome: command.outcome } }];
  },
};

export const noReport = (): CommandRefused =>
  new CommandRefused('not_found', 'There is no such report in your directory.');

export interface MistakeParts {
  readonly store: EventStore;
  /** Seals what a report says. */
  readonly personal: PersonalData;
}

export type MistakeOutcomeOf = Outcome<MistakeState, MistakeEvent>;

/** The holder of the data key under which a report is sealed. */
export const reportHolder = (report: string): Holder => `mistake/${report}`;

/** Reports a mistake. The id follows from the command, so a form that is sent twice is one report. */
export async function reportMistake(
  { store, personal }: MistakeParts,
  { said, ...about }: Pick<ReportData, 'svc_id' | 'team' | 'kind'> & { readonly said: ReportTexts },
  context: CommandContext,
): Promise<MistakeOutcomeOf> {
  const report = uuidOf(context.commandId, 'mistake');
  // Sealed only when it is decided: a repeated command must not begin a data key that was erased.
  const reporting = async (state: MistakeState): Promise<MistakeCommand> => {
    const data = { report, ...about };
    if (state || Object.keys(said).length === 0) return { kind: 'report', data };
    await personal.begin(reportHolder(report));
    return { kind: 'report', data: { ...data, said: await personal.seal(reportHolder(report), said) } };
  };
  return execute(store, mistake, report, reporting, context);
}

/** Says what came of a report. @throws CommandRefused not_found, conflict */
export const resolveReport = (
  { store }: Pick<MistakeParts, 'store'>,
  report: string,
  { outcome, ...by }: { readonly outcome: MistakeOutcome } & ByTeam,
  context: CommandContext,
): Promise<MistakeOutcomeOf> => execute(store, mistake, report, { kind: 'resolve', outcome, ...by }, context);

/**
 * Erases what a report says: destroys its data key. The events stay. Repeating it after a crash finishes it.
 * @throws CommandRefused not_found
 */
export async function eraseReport(
  { store, personal }: MistakeParts,
  report: string,
  by: ByTeam,
  context: CommandContext,
): Promise<MistakeOutcomeOf> {
  await personal.readyToErase();
  const outcome = await execute(store, mistake, report, { kind: 'erase', ...by }, context);
  await personal.erase(
    reportHolder(report),
    erasingEvent(outcome, streamName(mistakeStream, report), context),
  );
  return outcome;
}

/** What reports say, opened with one read of the vault. Of an erased one, nothing. */
export async function openReports(
  personal: PersonalData,
  reports: readonly { readonly report: string; readonly said?: string }[],
): Promise<ReportTexts[]> {
  const sealed = reports.flatMap(({ report, said }) =>
    said === undefined ? [] : [{ holder: reportHolder(report), sealed: said }],
  );
  const values = await personal.openMany(sealed);
  let next = 0;
  return reports.map(({ said }) => (said === undefined ? {} : ((values[next++] ?? {}) as ReportTexts)));
}
