import type { z } from 'zod';
import { definitionOf, type DomainEvent } from './catalogue.ts';
import { memberCheckedBefore } from './checked-values.ts';
import { uuidOf } from './ids.ts';
import { metadata, type CommandContext, type Metadata } from './metadata.ts';

/** The data does not match the schema of its event. The message names the field. */
export class InvalidEvent extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidEvent';
  }
}

/**
 * An event ready to append. Its data and metadata are checked against their schemas, except a member of the data that
 * was checked before (`declareChecked`). Its id follows from the command,
 * the stream and its index among the command's events, so that a repeated append is recognised.
 * @throws InvalidEvent
 */
export function newEvent(stream: string, event: DomainEvent, index: number, context: CommandContext) {
  const definition = definitionOf(event.type);
  if (!definition) throw new InvalidEvent(`${event.type} is in no stream's definition.`);
  const data = checkedData(definition.data, event);
  const beside = checked<Metadata>(
    metadata,
    {
      commonweal_schema: definition.version,
      actor: context.actor,
      command_id: context.commandId,
      correlation_id: context.correlationId ?? context.commandId,
      causation_id: context.causationId ?? context.commandId,
      at: context.at.toISOString(),
      ...(context.requestHash === undefined ? {} : { request_hash: context.requestHash }),
    },
    'metadata',
  );
  return { id: eventIdOf(stream, index, context), type: event.type, data, metadata: beside };
}

/** The id of the event at an index among those that a command appends to a stream. */
export const eventIdOf = (stream: string, index: number, { commandId }: Pick<CommandContext, 'commandId'>) =>
  uuidOf(commandId, stream, String(index));

function checkedData(schema: z.ZodType, { type, data }: DomainEvent): unknown {
  const member = memberCheckedBefore(schema, data);
  if (!member) return checked(schema, data, type);
  const { [member.name]: _, ...others } = data as Readonly<Record<string, unknown>>;
  return { ...checked(member.rest, others, type), [member.name]: member.value };
}

function checked<Checked>(schema: z.ZodType<Checked>, value: unknown, name: string): Checked {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  throw new InvalidEvent(`${issue?.path.join('.') || name}: ${issue?.message ?? 'is not valid'}`);
}
