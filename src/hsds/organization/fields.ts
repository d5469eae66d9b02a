import { z } from 'zod';
import { line, paragraphs } from '../../events/define.ts';
import { emailAddress, webAddress } from '../../events/directory/addresses.ts';
import { contact } from '../../events/directory/contact.ts';
import { location } from '../../events/directory/location.ts';
import { phones } from '../../events/directory/phone.ts';

/** What a source says of an organization: HSDS 3 "organization" in short form. */
export const readOrganization = z.strictObject({
  name: line(300),
  alternate_name: line(300).optional(),
  description: paragraphs(10_000).optional(),
  url: webAddress.optional(),
  additional_urls: z.array(webAddress).max(20).optional(),
  /** Of the organization as a whole. */
  phones: phones.optional(),
  /** Its offices: where no service is offered. */
  locations: z.array(location).max(200).optional(),
  /** By which an authority or another directory knows it. */
  identifiers: z
    .array(z.strictObject({ scheme: line(100).optional(), type: line(100).optional(), value: line(200) }))
    .max(50)
    .optional(),
  year_incorporated: z.int().min(1_000).max(2_200).optional(),
  legal_status: line(300).optional(),
  /** The organization of which it is a part. */
  parent: z.strictObject({ name: line(300) }).optional(),
  email: emailAddress.optional(),
  contacts: z.array(contact).max(50).optional(),
});
export type ReadOrganization = z.output<typeof readOrganization>;
