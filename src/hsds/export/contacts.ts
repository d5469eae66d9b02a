import type { Contact } from '../../events/directory/contact.ts';
import type { Attributes } from './attributes.ts';
import { isEmail } from './email.ts';
import { entityId } from './ids.ts';
import { withoutEmpty } from './without-empty.ts';
import { phonesOf } from './phones.ts';

/** The number under which phones of the first contact are counted. Those of locations have lower ones. */
const firstPlace = 201;

export const contactsOf = (
  svcId: string,
  owner: { readonly service_id: string } | { readonly organization_id: string },
  contacts: readonly Contact[] | undefined,
  attributes: Attributes,
) =>
  contacts?.map(({ name, title, department, email, phones }, index) => {
    const id = entityId(svcId, 'contact', index);
    return withoutEmpty({
      id,
      ...owner,
      name,
      title,
      department,
      email: isEmail(email) ? email : undefined,
      phones: phonesOf(svcId, { contact_id: id }, firstPlace + index, phones, attributes),
      attributes: attributes.present('contact', id, { email: isEmail(email) ? undefined : email }),
    });
  });
export type HsdsContact = NonNullable<ReturnType<typeof contactsOf>>[number];
