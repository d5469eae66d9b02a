import { personOfActor, type Actor } from '../events/metadata.ts';
import { NoDataKey, personOf, type PersonalData } from '../personal/personal-data.ts';
import { CommandRefused } from '../ground/refusals.ts';

/** A key as read models have it, as far as its label goes. */
export interface LabelledKey {
  readonly label?: string | undefined;
  readonly label_sealed?: string | undefined;
  readonly created_by?: string | undefined;
}

/**
 * The label of a new key as its event has it. A person chose the words, so they are sealed for the person who made the
 * key, or for whom it was made, and go when that person is erased.
 * @throws CommandRefused not_found, when that person is erased
 */
export async function labelToStore(
  personal: PersonalData,
  actor: Actor,
  label: string | undefined,
): Promise<Pick<LabelledKey, 'label' | 'label_sealed'>> {
  if (label === undefined) return {};
  const person = personOfActor(actor);
  if (person === undefined) return { label };
  try {
    return { label_sealed: await personal.seal(personOf(person), label) };
  } catch (error) {
    if (!(error instanceof NoDataKey)) throw error;
    throw new CommandRefused('not_found', 'The person who is to have the key is erased.');
  }
}

/** Keys with their labels in clear, in one read of the vault. Without one where the person is erased. */
export async function withLabels<Key extends LabelledKey>(
  personal: PersonalData,
  keys: readonly Key[],
): Promise<Omit<Key, 'label_sealed'>[]> {
  const labels = await personal.openMany(
    keys.map(({ created_by, label_sealed }) => ({
      holder: personOf(created_by ?? ''),
      sealed: created_by === undefined ? undefined : label_sealed,
    })),
  );
  return keys.map(({ label_sealed: _, ...key }, place) => {
    const label = labels[place] as string | undefined;
    return label === undefined ? key : { ...key, label };
  });
}

/** One key with its label in clear. */
export async function withLabel<Key extends LabelledKey>(
  personal: PersonalData,
  key: Key,
): Promise<Omit<Key, 'label_sealed'>> {
  const [labelled] = await withLabels(personal, [key]);
  return labelled ?? key;
}
