import { z } from 'zod';

/** One event type: its current schema version, the schema of its data, and its upcasters. */
export interface EventDefinition<Data extends z.ZodType = z.ZodType> {
  readonly version: number;
  readonly data: Data;
  /** One sentence for the catalogue: what has happened. */
  readonly means: string;
  /** `upcast[n]` turns data written at version n into data of version n + 1. */
  readonly upcast?: Readonly<
    Record<number, (data: unknown, metadata: Readonly<Record<string, unknown>>) => unknown>
  >;
}

/** One kind of stream, `{name}-{id}`, with its event types. */
export interface StreamDefinition<
  Events extends Record<string, EventDefinition> = Record<string, EventDefinition>,
> {
  readonly name: string;
  readonly events: Events;
}

/** The events of a stream as a discriminated union of `{ type, data }`. */
export type EventOf<Stream extends StreamDefinition> = {
  [Type in keyof Stream['events'] & string]: {
    readonly type: Type;
    readonly data: z.output<Stream['events'][Type]['data']>;
  };
}[keyof Stream['events'] & string];

export function event<Data extends z.ZodType>(
  means: string,
  data: Data,
  version = 1,
  upcast?: EventDefinition['upcast'],
): EventDefinition<Data> {
  return upcast ? { version, data, means, upcast } : { version, data, means };
}

export function stream<const Events extends Record<string, EventDefinition>>(
  name: string,
  events: Events,
): StreamDefinition<Events> {
  return { name, events };
}

/** All event types of a kind of stream. */
export const typesOf = (kind: StreamDefinition): readonly string[] => Object.keys(kind.events);

/** `{kind}-{id}`. */
export const streamName = (kind: { readonly name: string }, id: string): string => `${kind.name}-${id}`;

/** The id in the name of a stream of that kind. */
export const streamId = (event: { readonly stream: string }, kind: { readonly name: string }): string =>
  event.stream.slice(kind.name.length + 1);

/**
 * Text that can be stored, hashed and shown: well-formed Unicode without NUL. All checks at once: zod copies a schema for each
 * call, and every thread makes some hundred of these at its start.
 */
export const text = (maximum: number) =>
  z.string().check(
    z.maxLength(maximum),
    z.refine((value) => value.isWellFormed(), { message: 'contains ill-formed Unicode' }),
    z.refine((value) => !value.includes('\0'), { message: 'contains a NUL character' }),
  );

/** Like `text`, trimmed, and not empty. */
export const line = (maximum: number) =>
  text(maximum)
    .refine((value) => value.trim() !== '', { message: 'must not be empty' })
    .transform((value) => value.trim());

/** Like `line`, of several lines. Line breaks are stored as LF. */
export const paragraphs = (maximum: number) =>
  line(maximum).transform((value) => value.replace(/\r\n?/g, '\n'));

export const slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/, {
    message: 'must be 1–48 lower-case letters, digits and inner hyphens',
  })
  .meta({ title: 'slug' });
