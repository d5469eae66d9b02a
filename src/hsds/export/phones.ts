import type { Phone } from '../../events/directory/contact.ts';
import type { Attributes } from './attributes.ts';
import { entityId } from './ids.ts';
import { withoutEmpty } from './without-empty.ts';

/** HSDS: text, voice, fax, cell, video, pager, textphone. */
const types: Readonly<Record<NonNullable<Phone['type']>, string>> = {
  voice: 'voice',
  fax: 'fax',
  text: 'text',
  tty: 'textphone',
};

/** Whose phone it is: the member of the phone that names it. */
export type Called = Readonly<
  | { service_id: string }
  | { service_at_location_id: string }
  | { location_id: string }
  | { organization_id: string }
  | { contact_id: string }
>;

/** `place`: 0 for the service, else the number of the location. */
export function phonesOf(
  svcId: string,
  owner: Called,
  place: number,
  phones: readonly Phone[] | undefined,
  attributes: Attributes,
) {
  return (phones ?? []).map(({ number, extension, type, note, languages = [] }, index) => {
    const id = entityId(svcId, 'phone', place, index);
    const numeric = extension !== undefined && /^(0|[1-9]\d{0,14})$/.test(extension);
    return withoutEmpty({
      id,
      ...owner,
      number,
      extension: numeric ? Number(extension) : undefined,
      type: type && types[type],
      description: note,
      languages: languages.map((name, at) => ({
        // A byte for each of location, phone and language; languages of the service itself have 255.
        id: entityId(svcId, 'language', place, index, at),
        phone_id: id,
        name,
      })),
      attributes: attributes.present('phone', id, { extension: numeric ? undefined : extension }),
    });
  });
}
