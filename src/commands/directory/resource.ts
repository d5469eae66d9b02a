import {
  resourceStream,
  type ResourceEvent,
  type ResourceFields,
  type ResourceSource,
} from '../../events/directory/resource.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { CommandRefused } from '../errors.ts';
import { integerId, svcIdOf } from '../../events/ids.ts';
import { shownName } from '../../events/directory/shown-name.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { execute, type Decider, type Outcome } from '../command-handler.ts';
import { requireTeamExists } from '../teams/team.ts';
import { changedBy, differ, fieldsOf, type ResourceChange, type ResourceInput } from './field-changes.ts';

export type ResourceStatus = 'submitted' | 'approved' | 'rejected' | 'inactive';

export type ResourceState =
  | {
      readonly status: ResourceStatus;
      readonly svc_id: string;
      readonly id: number;
      readonly team: string;
      readonly source?: ResourceSource | undefined;
      /** Deactivated because its source deactivated it, not by a reviewer. */
      readonly inactiveAtSource?: boolean;
      readonly fields: ResourceFields;
    }
  | undefined;

/** `asTeam`: the command may touch this team's resources only. Resources of other teams count as not found. */
interface ByTeam {
  readonly asTeam?: string;
}

export type ResourceCommand =
  | {
      readonly kind: 'submit';
      readonly svc_id: string;
      readonly id: number;
      readonly team: string;
      readonly fields: ResourceFields;
    }
  | {
      readonly kind: 'import';
      readonly svc_id: string;
      readonly id: number;
      readonly team: string;
      readonly source: ResourceSource;
      readonly fields: ResourceFields;
      readonly active: boolean;
      readonly approve: boolean;
    }
  | ({ readonly kind: 'approve'; readonly note?: string } & ByTeam)
  | ({ readonly kind: 'reject'; readonly reason: string } & ByTeam)
  | ({ readonly kind: 'revise'; readonly change: ResourceChange } & ByTeam)
  | ({ readonly kind: 'deactivate'; readonly reason?: string } & ByTeam)
  | ({ readonly kind: 'reactivate' } & ByTeam);

export const resource: Decider<ResourceState, ResourceCommand, ResourceEvent> = {
  stream: resourceStream,
  initial: undefined,
  evolve(state, event) {
    if (event.type === 'ResourceSubmitted') return { status: 'submitted', ...event.data };
    if (!state) return state;
    switch (event.type) {
      case 'ResourceApproved':
      case 'ResourceReactivated':
        return { ...state, status: 'approved' };
      case 'ResourceRejected':
        return { ...state, status: 'rejected' };
      case 'ResourceDeactivated':
        return { ...state, status: 'inactive', inactiveAtSource: event.data.at_source === true };
      case 'ResourceRevised':
        return { ...state, fields: event.data.fields };
    }
  },
  decide(command, state) {
    switch (command.kind) {
      case 'submit':
        if (state) throw new CommandRefused('conflict', `${command.svc_id} is taken.`);
        return [submitted(command)];
      case 'import':
        if (!state) return imported(command);
        if (!sameSource(state, command)) throw new CommandRefused('conflict', `${command.svc_id} is taken.`);
        return refreshed(command, state);
      case 'approve':
        return approved(known(command, state), command.note);
      case 'reject':
        return rejected(known(command, state), command.reason);
      case 'revise':
        return revised(known(command, state), command.change);
      case 'deactivate':
        return deactivated(known(command, state), command.reason);
      case 'reactivate':
        return reactivated(known(command, state));
    }
  },
};

type Known = NonNullable<ResourceState>;
type Import = Extract<ResourceCommand, { kind: 'import' }>;

function known(command: ByTeam, state: ResourceState): Known {
  if (!state || (command.asTeam !== undefined && command.asTeam !== state.team)) {
    throw new CommandRefused('not_found', 'There is no such resource in your directory.');
  }
  return state;
}

function submitted({
  svc_id,
  id,
  team,
  fields,
  ...rest
}: Extract<ResourceCommand, { fields: unknown }>): ResourceEvent {
  const source = 'source' in rest ? { source: rest.source } : {};
  return { type: 'ResourceSubmitted', data: { svc_id, id, team, ...source, fields } };
}

function imported(command: Import): ResourceEvent[] {
  const submission = submitted(command);
  if (!command.approve || !command.active) return [submission];
  return [submission, ...approved({ ...command, status: 'submitted' }, undefined)];
}

function refreshed(command: Import, state: Known): ResourceEvent[] {
  const events: ResourceEvent[] = [];
  const now = { ...state, fields: command.fields };
  if (differ(state.fields, command.fields)) {
    events.push({ type: 'ResourceRevised', data: { fields: command.fields } });
  }
  if (!command.active && state.status === 'approved') {
    const reason = 'No longer active at its source.';
    events.push({ type: 'ResourceDeactivated', data: { reason, at_source: true } });
  }
  if (command.active && state.status === 'inactive' && state.inactiveAtSource) {
    events.push({ type: 'ResourceReactivated', data: {} });
  }
  // A reviewer's rejection stays, however often the source offers the record again.
  if (command.active && command.approve && state.status === 'submitted')
    events.push(...approved(now, undefined));
  return events;
}

function approved(state: Known, note: string | undefined): ResourceEvent[] {
  switch (state.status) {
    case 'approved':
      return [];
    case 'inactive':
      throw new CommandRefused(
        'conflict',
        'This resource was approved and then deactivated; reactivate it instead.',
      );
    case 'submitted':
    case 'rejected':
      return [
        { type: 'ResourceApproved', data: { ...announced(state), ...(note === undefined ? {} : { note }) } },
      ];
  }
}

function rejected(state: Known, reason: string): ResourceEvent[] {
  switch (state.status) {
    case 'rejected':
      return [];
    case 'approved':
    case 'inactive':
      throw new CommandRefused('conflict', 'This resource was approved before; deactivate it instead.');
    case 'submitted':
      return [{ type: 'ResourceRejected', data: { ...announced(state), reason } }];
  }
}

function revised(state: Known, change: ResourceChange): ResourceEvent[] {
  const fields = changedBy(state.fields, change);
  return differ(state.fields, fields) ? [{ type: 'ResourceRevised', data: { fields } }] : [];
}

function deactivated(state: Known, reason: string | undefined): ResourceEvent[] {
  switch (state.status) {
    case 'inactive':
      return [];
    case 'submitted':
    case 'rejected':
      throw new CommandRefused(
        'conflict',
        `This resource is ${state.status}; only an approved one can be deactivated.`,
      );
    case 'approved':
      return [{ type: 'ResourceDeactivated', data: reason === undefined ? {} : { reason } }];
  }
}

function reactivated(state: Known): ResourceEvent[] {
  switch (state.status) {
    case 'approved':
      return [];
    case 'submitted':
    case 'rejected':
      throw new CommandRefused(
        'conflict',
        `This resource is ${state.status}; only a deactivated one can be reactivated.`,
      );
    case 'inactive':
      return [{ type: 'ResourceReactivated', data: {} }];
  }
}

function announced({ svc_id, id, team, fields }: Known) {
  return { svc_id, id, team, name: shownName(fields), category: fields.category };
}

type ResourceOutcome = Outcome<ResourceState, ResourceEvent>;

/** What commands on resources are carried out with. */
export interface ResourceParts {
  readonly store: EventStore;
  /** Seals what a record says about persons. */
  readonly personal: PersonalData;
}

/** Submits a resource. Its id follows from the command, so a repeat finds its own stream. */
export async function submitResource(
  { store }: ResourceParts,
  { team, fields: input }: { readonly team: string; readonly fields: ResourceInput },
  context: CommandContext,
): Promise<ResourceOutcome> {
  const submission = { team, fields: fieldsOf(input) };
  await requireTeamExists(store, submission.team);
  for (let draw = 0; ; draw++) {
    const id = integerId('submission', context.commandId, String(draw));
    try {
      return await execute(
        store,
        resource,
        svcIdOf(id),
        { kind: 'submit', svc_id: svcIdOf(id), id, ...submission },
        context,
        { from: 'no_stream' },
      );
    } catch (error) {
      // Another resource has this 52-bit number, so the next candidate is tried.
      if (!(error instanceof CommandRefused) || error.code !== 'conflict') throw error;
    }
  }
}

/**
 * Creates, revises or keeps one record of a source. Its id is a hash of (team, system, source id). When another
 * resource has that number, a counter is added to the hash.
 */
export async function importResource(
  { store }: ResourceParts,
  record: Omit<Import, 'kind' | 'svc_id' | 'id'>,
  context: CommandContext,
): Promise<ResourceOutcome> {
  for (let draw = 0; ; draw++) {
    const id = integerId('import', record.team, record.source.system, record.source.id, String(draw));
    const svc_id = svcIdOf(id);
    try {
      return await execute(store, resource, svc_id, { kind: 'import', svc_id, id, ...record }, context);
    } catch (error) {
      if (!(error instanceof CommandRefused) || error.code !== 'conflict') throw error;
    }
  }
}

export function commandResource(
  { store }: ResourceParts,
  svcId: string,
  command: Exclude<ResourceCommand, { kind: 'submit' | 'import' }>,
  context: CommandContext,
): Promise<ResourceOutcome> {
  return execute(store, resource, svcId, command, context);
}

function sameSource(
  state: Known,
  record: { readonly team: string; readonly source: ResourceSource },
): boolean {
  return (
    state.team === record.team &&
    state.source?.system === record.source.system &&
    state.source.id === record.source.id
  );
}
