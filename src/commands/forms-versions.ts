import { upcast } from '../events/catalogue.ts';
import { streamName } from '../events/define.ts';
import type { FormDefinition } from '../events/forms/definition.ts';
import { formStream, type FormEvent } from '../events/forms/form.ts';
import type { EventStore } from '../stores/event-store/port.ts';

/** What a form asked for in each of its versions, by their numbers. The oldest comes first. */
export type FormVersions = ReadonlyMap<number, FormDefinition>;

/** All versions of a form. None where there is no such form. */
export async function formVersions(store: EventStore, form: string): Promise<FormVersions> {
  const history = await store.readStream(streamName(formStream, form));
  const versions = new Map<number, FormDefinition>();
  for (const { data } of history.map((event) => upcast(event) as FormEvent))
    if ('definition' in data) versions.set(data.version, data.definition);
  return versions;
}
