import { definitionOf, type DomainEvent } from './catalogue.ts';
import { uuidOf } from './ids.ts';
import type { CommandContext, Metadata } from './metadata.ts';

/** Data that is not what the schema of its event says; the message names the field. */
export class InvalidEvent extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidEvent';
  }
}

/**
 * An event ready to append, checked against its schema. Its id follows from the command, the stream and its
 * place among the command's events, so that a repeated append is recognised.
 *
 * @throws InvalidEvent
 */
export function newEvent(stream: string, event: DomainEvent, index: number, context: CommandContext) {
  const definition = definitionOf(event.type);
  if (!definition) throw new InvalidEvent(`${event.type} is in no stream's definition.`);
  const checked = definition.data.safeParse(event.data);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new InvalidEvent(`${issue?.path.join('.') || event.type}: ${issue?.message ?? 'is not valid'}`);
  }
  const metadata: Metadata = {
    commonweal_schema: definition.version,
    actor: context.actor,
    command_id: context.commandId,
    correlation_id: context.correlationId ?? context.commandId,
    causation_id: context.causationId ?? context.commandId,
    at: context.at.toISOString(),
    ...(context.requestHash === undefined ? {} : { request_hash: context.requestHash }),
  };
  return { id: uuidOf(context.commandId, stream, String(index)), type: event.type, data: checked.data, metadata };
}
