import { streamName } from '../../../events/define.ts';
import { uuidOf } from '../../../events/ids.ts';
import type { CommandContext } from '../../../events/metadata.ts';
import { suggestionStream, type SuggestionEvent } from '../../../events/directory/upkeep/suggestion.ts';
import { defined } from '../../../ground/defined.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import type { Holder, PersonalData } from '../../../personal/personal-data.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { execute, load, type Outcome } from '../../command-handler.ts';
import { erasingEvent } from '../../erasing-event.ts';
import { refuseClosed } from '../../teams/team.ts';
import { requireResource, resource } from '../resource-decider.ts';
import {
  checkedFields,
  differing,
  namesIn,
  valueIn,
  type SuggestedContent,
  type SuggestedFields,
} from './suggested-values.ts';
import {
  suggestion,
  type ByTeam,
  type SuggestionCommand,
  type SuggestionData,
  type SuggestionState,
} from './suggestion-decider.ts';

export interface SuggestionParts {
  readonly store: EventStore;
  /** Seals what is suggested. */
  readonly personal: PersonalData;
}

export type SuggestionOutcome = Outcome<SuggestionState, SuggestionEvent>;

/** The holder of the data key under which a suggestion is sealed. */
export const suggestionHolder = (id: string): Holder => `suggestion/${id}`;

/** The id of the suggestion that a command makes. */
export const suggestionOf = ({ commandId }: Pick<CommandContext, 'commandId'>): string =>
  uuidOf(commandId, 'suggestion');

/** What somebody suggests. `suggested.fields`: values as the form of a record takes them; null removes one. */
export interface NewSuggestion extends Pick<SuggestionData, 'svc_id' | 'team' | 'by' | 'kind'> {
  /** The mail that it answers. */
  readonly ask?: string | undefined;
  readonly suggested: {
    readonly fields?: SuggestedFields | undefined;
    readonly note?: string | undefined;
    readonly contact?: string | undefined;
  };
}

/**
 * Suggests a change of a public record. Nothing of the record changes. Fields that stand as suggested are left out. The id
 * follows from the command, so a form that is sent twice is one suggestion.
 *
 * @throws CommandRefused not_found; conflict, where the record is not public; invalid, also where nothing is suggested
 */
export async function suggestChange(
  { store, personal }: SuggestionParts,
  { suggested, ...about }: NewSuggestion,
  context: CommandContext,
): Promise<SuggestionOutcome> {
  const id = suggestionOf(context);
  const fields = checkedFields(suggested.fields ?? {});
  const { svc_id, team, by, kind, ask } = about;
  // Sealed only when it is decided: a repeated command must not begin a data key that was erased.
  const suggesting = async (state: SuggestionState): Promise<SuggestionCommand> => {
    const data = { suggestion: id, svc_id, team, by, kind, fields: [], ...defined({ ask }) };
    if (state) return { kind: 'suggest', data };
    const record = requireResource({ asTeam: team }, (await load(store, resource, svc_id)).state);
    if (record.status !== 'approved')
      throw new CommandRefused('conflict', 'This record is not public any more.');
    await refuseClosed(store, team);
    const changed = differing(fields, record.fields);
    const names = namesIn(changed);
    const { note, contact } = suggested;
    if (kind === 'change' && names.length === 0 && note === undefined)
      throw new CommandRefused('invalid', 'Nothing of it differs from what stands.');
    const content: SuggestedContent = {
      ...(names.length === 0
        ? {}
        : {
            fields: changed,
            before: Object.fromEntries(names.map((name) => [name, valueIn(record.fields, name)])),
          }),
      ...defined({ note, contact }),
    };
    if (Object.keys(content).length === 0) return { kind: 'suggest', data };
    const holder = suggestionHolder(id);
    await personal.begin(holder);
    return {
      kind: 'suggest',
      data: { ...data, fields: names, suggested: await personal.seal(holder, content) },
    };
  };
  return execute(store, suggestion, id, suggesting, context);
}

/** Dismisses a suggestion: nothing of the record changes. @throws CommandRefused not_found, conflict */
export const dismissSuggestion = (
  { store }: Pick<SuggestionParts, 'store'>,
  id: string,
  by: ByTeam,
  context: CommandContext,
): Promise<SuggestionOutcome> => execute(store, suggestion, id, { kind: 'dismiss', ...by }, context);

/**
 * Erases what was suggested: destroys its data key. The events stay. Repeating it after a crash finishes it.
 *
 * @throws CommandRefused not_found
 */
export async function eraseSuggestion(
  { store, personal }: SuggestionParts,
  id: string,
  by: ByTeam,
  context: CommandContext,
): Promise<SuggestionOutcome> {
  await personal.readyToErase();
  const outcome = await execute(store, suggestion, id, { kind: 'erase', ...by }, context);
  const event = erasingEvent(outcome, streamName(suggestionStream, id), context);
  await personal.erase(suggestionHolder(id), event);
  return outcome;
}

/** What suggestions say, opened with one read of the vault. Of an erased one, nothing. */
export async function openSuggestions(
  personal: PersonalData,
  suggestions: readonly { readonly suggestion: string; readonly suggested?: string | undefined }[],
): Promise<SuggestedContent[]> {
  const sealed = suggestions.flatMap(({ suggestion: id, suggested }) =>
    suggested === undefined ? [] : [{ holder: suggestionHolder(id), sealed: suggested }],
  );
  const values = await personal.openMany(sealed);
  let next = 0;
  return suggestions.map(({ suggested }) =>
    suggested === undefined ? {} : ((values[next++] ?? {}) as SuggestedContent),
  );
}
