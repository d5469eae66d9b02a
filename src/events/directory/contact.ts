import { z } from 'zod';
import { line } from '../define.ts';
import { emailAddress } from './addresses.ts';
import { phones } from './phone.ts';

/** The most text of one contact, as JSON. */
const mostText = 10_000;

/** A person to turn to: HSDS 3 "contact". For those who help others to the service, not for the public. */
export const contact = z
  .strictObject({
    /** Given when the contact is read. Sent back, it says that the contact is the same person. */
    id: z.uuid().optional(),
    name: line(300).optional(),
    title: line(300).optional(),
    department: line(300).optional(),
    email: emailAddress.optional(),
    phones: phones.optional(),
  })
  .refine(({ id: _, ...said }) => Object.values(said).some((value) => value !== undefined), {
    message: 'must not be empty',
  })
  .refine((value) => JSON.stringify(value).length <= mostText, {
    message: `must be at most ${mostText.toLocaleString('en')} characters in all`,
  });
export type Contact = z.output<typeof contact>;
