import { streamName } from '../../../events/define.ts';
import { uuidOf } from '../../../events/ids.ts';
import { withoutRequest, type CommandContext } from '../../../events/metadata.ts';
import { suggestionStream, type SuggestedField } from '../../../events/directory/upkeep/suggestion.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import type { Position } from '../../../stores/event-store/port.ts';
import { execute, load } from '../../command-handler.ts';
import { refuseClosed } from '../../teams/team.ts';
import { changedBy, requirePlausiblePlaces } from '../field-changes.ts';
import {
  requireResource,
  resource,
  type ExistingResource,
  type ResourceCommand,
  type ResourceState,
} from '../resource-decider.ts';
import type { ResourceOutcome } from '../resource.ts';
import {
  changeTo,
  differencesTo,
  namesIn,
  partsOf,
  takenTogether,
  type SuggestedDifference,
  type SuggestedFields,
} from './suggested-values.ts';
import { requireSuggestion, suggestion, type ByTeam, type ExistingSuggestion } from './suggestion-decider.ts';
import { openSuggestions, type SuggestionOutcome, type SuggestionParts } from './suggestion.ts';

/** Somebody has changed fields of the record since a change of them was suggested. Nothing is taken over. */
export class SuggestionOutdated extends CommandRefused {
  readonly conflicts: readonly SuggestedDifference[];

  constructor(conflicts: readonly SuggestedDifference[]) {
    const fields = conflicts.map(({ field }) => field).join(', ');
    super(
      'conflict',
      `Since this was suggested, somebody has changed: ${fields}. Compare both, then decide.`,
    );
    this.conflicts = conflicts;
  }
}

export interface Acceptance extends ByTeam {
  /** The fields to take. Default: all that are suggested. */
  readonly take?: readonly SuggestedField[] | undefined;
  /** The position of the newest event of the record that whoever accepts has seen: conflicts up to it are decided. */
  readonly seen?: Position | undefined;
  /** What was changed since it was suggested is replaced. */
  readonly overwrite?: boolean | undefined;
}

export interface AcceptedSuggestion {
  readonly suggestion: SuggestionOutcome;
  /** What it led to in the record, in order. */
  readonly record: readonly ResourceOutcome[];
}

/**
 * Takes over a suggestion: revises the record, or takes it out where it has closed. What an agency or a claimant suggests
 * is confirmed by that, as far as it ages. The record comes first, by commands whose ids follow from the suggestion and the
 * fields, so that a repeat after a crash finishes it and does nothing twice.
 *
 * @throws SuggestionOutdated
 * @throws CommandRefused not_found; conflict, also of a record that was merged; invalid
 */
export async function acceptSuggestion(
  parts: SuggestionParts,
  id: string,
  { take, seen, overwrite = false, ...by }: Acceptance,
  context: CommandContext,
): Promise<AcceptedSuggestion> {
  const { store, personal } = parts;
  const existing = requireSuggestion(by, (await load(store, suggestion, id)).state);
  const [first] = await store.readStream(streamName(suggestionStream, id), { limit: 1 });
  const following = { ...context, correlationId: id, ...(first && { causationId: first.id }) };
  const accept = (fields: readonly SuggestedField[]): Promise<SuggestionOutcome> =>
    execute(store, suggestion, id, { kind: 'accept', fields, ...by }, following);
  // The decider says what was decided before.
  if (existing.status !== 'open') return { suggestion: await accept([]), record: [] };
  if (existing.erased)
    throw new CommandRefused('conflict', 'What was suggested is erased. It can only be dismissed.');
  await refuseClosed(store, existing.team);
  const commandOf = (what: string): CommandContext => ({
    ...withoutRequest(following),
    commandId: uuidOf(id, what),
  });
  if (existing.kind === 'not_ours') return { suggestion: await accept([]), record: [] };
  if (existing.kind === 'closed') {
    const closed = await execute(
      store,
      resource,
      existing.svc_id,
      (state: ResourceState) => closing(existing, requireResource(by, state)),
      commandOf('close'),
    );
    return { suggestion: await accept([]), record: [closed] };
  }
  const [content = {}] = await openSuggestions(personal, [existing]);
  const { fields = {} } = content;
  const taken = namesTaken(fields, take);
  const chosen: SuggestedFields = Object.fromEntries(taken.map((name) => [name, fields[name]]));
  if (taken.length === 0) return { suggestion: await accept([]), record: [] };
  const revising = (state: ResourceState, position: Position): ResourceCommand => {
    const record = requireResource(by, state);
    const conflicts = differencesTo(record.fields, { ...content, fields: chosen }).filter(
      ({ conflict }) => conflict,
    );
    if (conflicts.length > 0 && !overwrite && position !== seen) throw new SuggestionOutdated(conflicts);
    const change = changeTo(record.fields, chosen);
    requirePlausiblePlaces(changedBy(record.fields, change).locations, record.fields.locations);
    return { kind: 'revise', change, ...by };
  };
  const names = taken.join(' ');
  const revised = await execute(store, resource, existing.svc_id, revising, commandOf(`revise ${names}`));
  const confirmed = await confirmedBy(parts, existing, taken, commandOf(`confirm ${names}`));
  return { suggestion: await accept(taken), record: [revised, ...confirmed] };
}

/** Those that are chosen, with what makes sense with them alone. @throws CommandRefused invalid */
function namesTaken(
  fields: SuggestedFields,
  take: readonly SuggestedField[] | undefined,
): readonly SuggestedField[] {
  const names = namesIn(fields);
  if (take === undefined) return names;
  const taken = takenTogether(names).filter((group) => group.some((name) => take.includes(name)));
  if (taken.length === 0 && names.length > 0)
    throw new CommandRefused('invalid', 'Choose at least one field, or dismiss the suggestion.');
  return names.filter((name) => taken.some((group) => group.includes(name)));
}

/** One that is taken out already stays so. */
const closing = ({ by }: ExistingSuggestion, { status }: ExistingResource): ResourceCommand =>
  status === 'approved'
    ? { kind: 'deactivate', reason: reasons[by] }
    : status === 'inactive'
      ? { kind: 'deactivate' }
      : { kind: 'reject', reason: reasons[by] };

const reasons = {
  visitor: 'Somebody suggested that it has closed, and the team agreed.',
  agency: 'The agency says that it has closed.',
  claimant: 'The agency says that it has closed.',
} as const;

/** An agency knows. What a visitor suggests is an edit by the team. */
async function confirmedBy(
  { store }: Pick<SuggestionParts, 'store'>,
  { svc_id, by, team }: ExistingSuggestion,
  taken: readonly SuggestedField[],
  context: CommandContext,
): Promise<ResourceOutcome[]> {
  const parts = partsOf(taken);
  if (by === 'visitor' || parts.length === 0) return [];
  const { state } = await load(store, resource, svc_id);
  if (state?.status !== 'approved') return [];
  return [
    await execute(store, resource, svc_id, { kind: 'confirm', by: 'agency', parts, asTeam: team }, context),
  ];
}
