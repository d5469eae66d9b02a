import { z } from 'zod';
import { CommandRefused } from '../../ground/refusals.ts';
import { resourceChange, resourceInput } from '../../commands/directory/field-changes.ts';
import { refuseMixed } from '../../commands/directory/flat-changes.ts';
import type { ResourceState } from '../../commands/directory/resource-decider.ts';
import type { ByTeam } from '../../commands/directory/reviewed-state.ts';
import { approveOrganizationOf } from '../../commands/directory/organization.ts';
import {
  commandResource,
  eraseResourcePerson,
  submitResource,
  submitterOf,
  undoDecision,
  type ResourceOutcome,
} from '../../commands/directory/resource.ts';
import { ensureCommons } from '../../commands/teams/ensure-commons.ts';
import { commons } from '../../events/teams.ts';
import { line, slug } from '../../events/define.ts';
import { confirmationData } from '../../events/directory/upkeep/confirmation.ts';
import { svcId } from '../../events/directory/resource.ts';
import { defined } from '../../ground/defined.ts';
import { resources, type ResourceDocument } from '../../projections/directory/resources.ts';
import { action, type ActionParts, type Who } from '../action.ts';
import { erasedWithAddresses } from './person-erasure.ts';

/** A record after a command. */
export interface Commanded {
  readonly record: NonNullable<ResourceState>;
  /** The command was no repetition of what the record says already. */
  readonly changed: boolean;
}

/** Submits a record to the directory of a team, or of developers without a team. The operator names the team. */
export const submit = action({
  name: 'directory.submit',
  right: 'submit records',
  scope: 'resources:submit',
  input: resourceInput.safeExtend({ team: slug.optional() }),
  once: true,
  async run(parts, { team: named, ...fields }, { who, context, another }) {
    const team = (who.kind === 'operator' ? named : who.team) ?? commons.team;
    refuseMixed(fields);
    // A server has ensured it at its start.
    if (who.kind === 'operator' && team === commons.team) await ensureCommons(parts.store, another());
    return commanded(await submitResource(parts, { team, fields }, context));
  },
});

export const reviewed = { right: 'review records', scope: 'directory:manage' } as const;

/** Changes fields of a record. `seen`: the position of the newest event that whoever changes it has seen. */
export const revise = action({
  name: 'directory.revise',
  ...reviewed,
  input: resourceChange.extend({ svc_id: svcId, seen: z.bigint().optional() }),
  once: true,
  async run(parts, { svc_id, seen, ...change }, { who, context }) {
    const command = { kind: 'revise', change, unchangedSince: seen, ...byTeam(who) } as const;
    return commanded(await commandResource(parts, svc_id, command, context));
  },
});

/**
 * Changes a record that waits or was rejected, by whoever submitted it: it waits for a reviewer again. Once it is public,
 * reviewers alone change it.
 */
export const sendAgain = action({
  name: 'directory.send-again',
  right: 'submit records',
  input: resourceChange.extend({ svc_id: svcId, seen: z.bigint().optional() }),
  once: true,
  async run(parts, { svc_id, seen, ...change }, { who, context }) {
    if (who.kind === 'person' && (await submitterOf(parts, svc_id)) !== who.user)
      throw new CommandRefused('forbidden', 'Only the person who submitted a record can send it again.');
    const command = { kind: 'send-again', change, unchangedSince: seen, ...byTeam(who) } as const;
    return commanded(await commandResource(parts, svc_id, command, context));
  },
});

/** What may be decided about a record. */
export const decisions = ['approve', 'reject', 'deactivate', 'reactivate'] as const;
export type Decision = (typeof decisions)[number];

/** A note or a reason. */
export const words = line(2_000);

/** A submission that somebody else has changed since it was looked at. Nothing is decided about it. */
export class SubmissionChanged extends CommandRefused {
  readonly now: ResourceDocument;

  constructor(now: ResourceDocument) {
    super('conflict', 'Somebody else has changed this record meanwhile.');
    this.now = now;
  }
}

/**
 * Decides about a record. Approving it approves its organization too, where that waits for review. `note` stands beside an approval, `reason` beside a rejection or a deactivation. `seen`: the
 * time of the newest change of a submission that whoever decides has seen.
 */
export const decide = action({
  name: 'directory.decide',
  ...reviewed,
  input: z
    .object({
      svc_id: svcId,
      decision: z.enum(decisions),
      note: words.optional(),
      reason: words.optional(),
      seen: z.string().optional(),
    })
    .refine(({ decision, reason }) => decision !== 'reject' || reason !== undefined, {
      path: ['reason'],
      message: 'say why it is rejected',
    }),
  async run(parts, { svc_id, decision, note, reason, seen }, { who, context, another }) {
    if (seen !== undefined) {
      const doc = await parts.documents.collection(resources.collection).get(svc_id);
      // Of one that is decided, the command finds out what was decided.
      const isTheirs = who.team === undefined || doc?.team === who.team;
      if (isTheirs && doc?.status === 'submitted' && doc.updated_at !== seen)
        throw new SubmissionChanged(doc);
    }
    const command =
      decision === 'reject'
        ? { kind: decision, reason: reason ?? '' }
        : { kind: decision, ...defined({ note, reason }) };
    const outcome = await commandResource(parts, svc_id, { ...command, ...byTeam(who) }, context);
    const approved =
      decision === 'approve' ? await approveOrganizationOf(parts, outcome, another()) : undefined;
    return { ...commanded(outcome), changes: approved ? [outcome, approved] : outcome };
  },
});

/** Confirms that a public record, or some of its parts, is still right, on behalf of the team. */
export const confirm = action({
  name: 'directory.confirm',
  ...reviewed,
  input: z.object({ svc_id: svcId, parts: confirmationData.shape.parts }),
  once: true,
  async run(parts, { svc_id, parts: confirmed }, { who, context }) {
    const command = {
      kind: 'confirm',
      by: 'team',
      ...defined({ parts: confirmed }),
      ...byTeam(who),
    } as const;
    return commanded(await commandResource(parts, svc_id, command, context));
  },
});

/** Takes back a decision, as if it had not been. `recorded`: the correlation id of the request that decided. */
export const takeBack = action({
  name: 'directory.take-back',
  ...reviewed,
  input: z.object({ svc_id: svcId, recorded: z.uuid() }),
  once: true,
  async run(parts, { svc_id, recorded }, { who, context }) {
    const doc = await parts.documents.collection(resources.collection).get(svc_id);
    if (who.team !== undefined && doc?.team !== who.team)
      throw new CommandRefused('not_found', 'There is no such record in your directory.');
    return commanded(await undoDecision(parts, svc_id, recorded, context));
  },
});

/** Erases what a record has ever said about a person, for ever, and what its team keeps under their addresses. `id`: the person. */
export const erasePerson = action({
  name: 'directory.erase-person',
  ...reviewed,
  input: z.object({ svc_id: svcId, id: z.string() }),
  async run(parts: ActionParts, { svc_id, id: person }, { who, context, another }) {
    const about = { record: svc_id, person, by: byTeam(who) };
    const { outcome, changes } = await erasedWithAddresses(parts, about, another, () =>
      eraseResourcePerson(parts, svc_id, { person, ...about.by }, context),
    );
    return { ...commanded(outcome), changes };
  },
});

/** Whose records exist for somebody: those of the team. The operator has all. */
export const byTeam = ({ team }: Who): ByTeam => defined({ asTeam: team });

/** What a command on a record answers. */
export const commanded = (outcome: ResourceOutcome) => ({
  changes: outcome,
  value: (): Commanded => {
    if (!outcome.state) throw new Error('A record has no state after a command to it.');
    return { record: outcome.state, changed: outcome.events.length > 0 };
  },
});
