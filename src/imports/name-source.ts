import { commandSource } from '../commands/directory/source.ts';
import type { ChosenSource } from './choose-source.ts';
import type { ImportParts } from './import-datapackage.ts';

/** How long an import waits until its source is listed. It is recorded by then. */
const listedWithinMs = 5_000;

/** Gives the source of an import its name, if it has none yet. */
export async function nameSource(
  parts: ImportParts,
  { team, source, name }: ChosenSource & { readonly team: string },
): Promise<void> {
  const outcome = await commandSource(parts.store, { kind: 'name', team, source, name }, parts.context());
  if (outcome.events.length > 0) await parts.waitUntilVisible([outcome], listedWithinMs);
}
