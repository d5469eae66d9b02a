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

export const problemDetails = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  error: z.string().describe('Short code; listed at /docs/errors.'),
});

/** The error answers of a route, for the reference. */
export const problemResponses = (...codes: readonly number[]) =>
  Object.fromEntries(
    codes.map((code) => [
      code,
      {
        description: problemMeanings[code] ?? '',
        content: { 'application/problem+json': { schema: problemDetails } },
      },
    ]),
  );

const problemMeanings: Readonly<Record<number, string>> = {
  400: 'A parameter, header or the JSON is wrong.',
  401: 'Token missing, malformed, unknown or revoked.',
  403: 'The key lacks a scope, or may not be used from here.',
  404: 'No such resource, or none that this key may see.',
  409: 'The resource is in another state.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The body is wrong, or the Idempotency-Key was used for another.',
  429: 'Too many requests, or too many invalid tokens.',
  503: 'Try again later.',
};
