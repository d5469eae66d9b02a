import { z } from 'zod';
import { line, text } from '../define.ts';

export const webAddress = text(2_000).refine(
  (value) => /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value),
  { message: 'must be an http or https URL' },
);

export const emailAddress = text(254).regex(/^[^\s@]+@[^\s@]+$/, { message: 'must be an email address' });

export const phoneTypes = ['voice', 'fax', 'text', 'tty'] as const;

const longestNumber = 120;

export const phone = z.strictObject({
  /** As people write it. */
  number: line(longestNumber),
  extension: line(20).optional(),
  type: z.enum(phoneTypes).describe('voice where absent').optional(),
  /** Who answers, and when. */
  note: line(300).optional(),
  /** Names of languages spoken on this line. */
  languages: z.array(line(60)).max(100).optional(),
});
export type Phone = z.output<typeof phone>;

export const phones = z.array(phone).max(100);

export const isVoice = ({ type = 'voice' }: Phone): boolean => type === 'voice';

/** "305-555-0100 ext. 7", "(305) 555-0100 x7", "555-0100, extension 12": the digits before it are a whole number. */
const withExtension = /^(.*\d[^\p{L}]*?)[\s,;(]*(?<!\p{L})(?:extension|ext|x)[.:#\s]{0,3}(\d{1,8})\)?$/iu;

/** A number with its extension apart, where the text of the number has one and none is known. */
export function withExtensionApart(phone: Phone): Phone {
  if (phone.extension !== undefined || phone.number.length > longestNumber) return phone;
  const [, number, extension] = withExtension.exec(phone.number) ?? [];
  if (number === undefined || extension === undefined || number.replace(/\D/g, '').length < 7) return phone;
  return { ...phone, number: number.replace(/[\s,;(]+$/, ''), extension };
}

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
  .refine(({ id: _, ...details }) => Object.values(details).some((value) => value !== undefined), {
    message: 'must not be empty',
  })
  .refine((value) => JSON.stringify(value).length <= mostText, {
    // Written out: to format a number, each thread would load what Intl needs, a tenth of all schemas.
    message: 'must be at most 10,000 characters in all',
  });
export type Contact = z.output<typeof contact>;
