import { z } from 'zod';
import { upcast } from '../../../events/catalogue.ts';
import { streamName } from '../../../events/define.ts';
import { svcId, resourceStream, type ResourceEvent } from '../../../events/directory/resource.ts';
import type { ResourceFields } from '../../../events/directory/resource-fields.ts';
import type { ResourceChange } from '../../../commands/directory/field-changes.ts';
import { commandResource, type ResourceParts } from '../../../commands/directory/resource.ts';
import { resource } from '../../../commands/directory/resource-decider.ts';
import {
  fieldsTogether,
  hasFields,
  otherWords,
  wordsIn,
  type OtherWords,
  type WordEvent,
} from '../../../commands/directory/upkeep/words.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import { suggestions } from '../../../projections/directory/upkeep/suggestions.ts';
import { imports } from '../../../projections/directory/imports.ts';
import { action, type ActionParts } from '../../action.ts';
import { byTeam, commanded, reviewed } from '../records.ts';

/** The fields of a record, and those of which a source, or people before a source, said otherwise last. */
export interface WordsOfRecord {
  readonly fields: ResourceFields;
  readonly words: readonly OtherWords[];
}

/** Read from the streams of the record and of the duplicates that were merged into it. Undefined: there is no such record. */
export async function wordsOfRecord(
  parts: Pick<ActionParts, 'store' | 'documents'>,
  svcId: string,
): Promise<WordsOfRecord | undefined> {
  const own = await eventsOf(parts, svcId);
  const state = own.map(({ event }) => event).reduce(resource.evolve, resource.initial);
  if (!state) return undefined;
  const duplicates = [...(state.absorbed?.keys() ?? [])];
  const others = await Promise.all(duplicates.map((each) => eventsOf(parts, each)));
  // What people said of a duplicate was decided when it was merged. Its source goes on to speak.
  const ofSources = others.map((events) => events.filter(({ source }) => source !== undefined));
  return { fields: state.fields, words: otherWords(state.fields, [own, ...ofSources].map(wordsIn)) };
}

/** Lets a record say again what somebody said of a field: its source, or people before the source counted. */
export const takeWord = action({
  name: 'directory.take-word',
  ...reviewed,
  input: z.object({
    svc_id: svcId,
    field: z.string().max(100),
    of: svcId.describe(
      'The record in whose stream it was said: the same, or a duplicate that was merged into it.',
    ),
    revision: z.coerce.number().int().min(0),
  }),
  once: true,
  async run(parts, { svc_id, field, of, revision }, { who, context }) {
    const change = await changeTo(parts, { svc_id, field, of, revision });
    return commanded(
      await commandResource(parts, svc_id, { kind: 'revise', change, ...byTeam(who) }, context),
    );
  },
});

async function changeTo(
  { store }: Pick<ResourceParts, 'store'>,
  {
    svc_id,
    field,
    of,
    revision,
  }: Readonly<Record<'svc_id' | 'field' | 'of', string>> & { readonly revision: number },
): Promise<ResourceChange> {
  const events = of === svc_id ? undefined : await store.readStream(streamName(resourceStream, svc_id));
  const state = events
    ?.map((each) => upcast(each) as ResourceEvent)
    .reduce(resource.evolve, resource.initial);
  const isOfRecord = of === svc_id || state?.absorbed?.has(of) === true;
  const [recorded] = isOfRecord
    ? await store.readStream(streamName(resourceStream, of), { from: revision, limit: 1 })
    : [];
  const event = recorded && (upcast(recorded) as ResourceEvent);
  const together = fieldsTogether(field);
  if (!event || !hasFields(event) || !together)
    throw new CommandRefused('not_found', 'Nobody has said this of the record.');
  const { fields } = event.data;
  // It was checked when it was recorded, and nothing in it is about a person.
  return Object.fromEntries(together.map((name) => [name, fields[name] ?? null]));
}

/**
 * With whose word each event is. An import speaks for its source, whichever record takes what it says, and a suggestion of the
 * agency that was accepted for the agency.
 */
async function eventsOf(
  { store, documents }: Pick<ActionParts, 'store' | 'documents'>,
  of: string,
): Promise<WordEvent[]> {
  const recorded = await store.readStream(streamName(resourceStream, of));
  const events = recorded.map((each) => ({ ...each, event: upcast(each) as ResourceEvent }));
  const correlations = [...new Set(recorded.map(({ metadata }) => String(metadata['correlation_id'])))];
  const [byImport, bySuggestion] = await Promise.all([
    documents.collection(imports.collection).getMany(correlations),
    documents.collection(suggestions.collection).getMany(correlations),
  ]);
  let ownSource: string | undefined;
  return events.map(({ event, metadata, revision }) => {
    if (event.type === 'ResourceSubmitted') ownSource = event.data.source?.system;
    const isOfSource =
      event.type === 'ResourceReadFromSource' || (event.type === 'ResourceRevised' && event.data.from_source);
    const correlation = String(metadata['correlation_id']);
    const imported = byImport.get(correlation)?.source;
    const { by = 'visitor' } = bySuggestion.get(correlation) ?? {};
    const source = imported ?? (isOfSource || event.type === 'ResourceSubmitted' ? ownSource : undefined);
    const voice = by === 'visitor' ? { source } : { agency: true as const };
    return { of, event, at: String(metadata['at']), revision, ...voice };
  });
}
