import { z } from 'zod';
import {
  dismissDuplicates,
  mergeChoices,
  mergeRecords,
  readBoth,
  seenOf,
  undoMerge as undoMergeOf,
  type MergeChoice,
  type MergeOutcome,
} from '../../commands/directory/merge-records.ts';
import { svcId } from '../../events/directory/resource.ts';
import {
  resourceFieldRows,
  type ResourceFieldName,
  type ResourceFields,
} from '../../events/directory/resource-fields.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { resources } from '../../projections/directory/resources.ts';
import { action, type ActionParts } from '../action.ts';
import { groupOf } from './duplicates.ts';
import { byTeam, reviewed } from './records.ts';

const fieldName = z.enum(
  resourceFieldRows.map(({ name }) => name) as [ResourceFieldName, ...ResourceFieldName[]],
);

/**
 * Merges a record into another one of its team, which takes these fields from it. `svc_id`: the record that goes; `into`: the one that
 * stays. `seen`: what whoever merges them has seen of both.
 */
export const merge = action({
  name: 'directory.merge',
  ...reviewed,
  input: z.object({
    svc_id: svcId,
    into: svcId,
    take: z.array(fieldName).default([]),
    seen: z.string().optional(),
  }),
  once: true,
  async run(parts, { svc_id: duplicate, into: survivor, take, seen }, { who, context }) {
    return merged(await mergeRecords(parts, { duplicate, survivor, take, seen, ...byTeam(who) }, context));
  },
});

/** Undoes the merge of a record. What was changed since at the one that has its place stays, and is named. */
export const undoMerge = action({
  name: 'directory.undo-merge',
  ...reviewed,
  input: z.object({ svc_id: svcId }),
  once: true,
  run: async (parts, { svc_id: duplicate }, { who, context }) =>
    merged(await undoMergeOf(parts, { duplicate, ...byTeam(who) }, context)),
});

/** Says of the records of a group that they are no duplicates. `svc_id`: one of them. */
export const dismiss = action({
  name: 'directory.dismiss-duplicates',
  ...reviewed,
  input: z.object({ svc_id: svcId }),
  once: true,
  async run(parts, { svc_id }, { who, context }) {
    const doc = await parts.documents.collection(resources.collection).get(svc_id);
    const isTheirs = doc && (who.team === undefined || doc.team === who.team);
    const group = isTheirs ? await groupOf(parts.documents, doc.team, svc_id) : undefined;
    if (!group) throw new CommandRefused('not_found', 'These records are not shown as duplicates any more.');
    const { records, inCommon } = group;
    const changes = await dismissDuplicates(parts, { records, inCommon, ...byTeam(who) }, context);
    return { changes, value: () => ({ records, inCommon }) };
  },
});

const merged = (outcome: MergeOutcome) => ({
  changes: [outcome.duplicate, outcome.survivor],
  value: () => ({
    duplicate: outcome.duplicate.state?.svc_id ?? '',
    survivor: outcome.survivor.state?.svc_id ?? '',
    name: outcome.survivor.state?.fields.name ?? '',
    left: outcome.left,
  }),
});

/** What somebody decides before they merge two records. */
export interface MergeQuestion {
  readonly goes: ResourceFields;
  readonly stays: ResourceFields;
  readonly choices: readonly MergeChoice[];
  readonly seen: string;
}

/** @throws CommandRefused not_found */
export async function mergeQuestion(
  { store }: Pick<ActionParts, 'store'>,
  of: { readonly duplicate: string; readonly survivor: string; readonly asTeam: string },
): Promise<MergeQuestion> {
  const { goes, stays } = await readBoth(store, of);
  const [one, other] = [goes.state.fields, stays.state.fields];
  return {
    goes: one,
    stays: other,
    choices: mergeChoices(other, one),
    seen: seenOf(goes.position, stays.position),
  };
}

export { mergedFields } from '../../commands/directory/merge-records.ts';
