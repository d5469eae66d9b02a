import { z } from 'zod';
import { resourceFields } from '../../events/directory/resource.ts';
import { statuses } from './list-query.ts';

const { name, category, ...optional } = resourceFields.shape;
const { description, url, city, region, phone, email, address, hours, languages, eligibility } = optional;
const time = z.iso.datetime();

/** A change of a resource: what is absent stays, null takes an optional field away. */
export const resourceChange = z.strictObject({
  name: name.optional(),
  category: category.optional(),
  description: description.nullable(),
  url: url.nullable(),
  city: city.nullable(),
  region: region.nullable(),
  phone: phone.nullable(),
  email: email.nullable(),
  address: address.nullable(),
  hours: hours.nullable(),
  languages: languages.nullable(),
  eligibility: eligibility.nullable(),
});

const text = z.string().nullable();

const developerRecord = z.object({
  svc_id: z.string().describe('r_ and 16 hex digits; stable.'),
  name: z.string(),
  category: z.string(),
  description: text,
  url: text,
  city: text,
  region: text,
  updated_at: time,
});

const contact = {
  phone: text,
  email: text,
  address: text,
  hours: text,
  languages: z.array(z.string()),
  eligibility: text,
};
const standing = { status: z.enum(statuses), team: z.string() };

/** What the read endpoints answer with; the tier of the key decides which members there are. */
export const record = developerRecord.extend(
  z.object({ ...contact, ...standing, submitted_at: time, review_note: text }).partial().shape,
);

export const recordList = z.object({
  data: z.array(record),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});

export const legacyList = z.object({
  data: z.array(developerRecord),
  has_more: z.boolean(),
  total: z.int().optional().describe('Absent where q matches more than 1,000.'),
});

/** What the writing endpoints answer with. */
export const commandedRecord = developerRecord.omit({ updated_at: true }).extend({ ...contact, ...standing });
