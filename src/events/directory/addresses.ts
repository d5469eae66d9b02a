import { text } from '../define.ts';

export const webAddress = text(2_000).refine(
  (value) => /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value),
  { message: 'must be an http or https URL' },
);

export const emailAddress = text(254).regex(/^[^\s@]+@[^\s@]+$/, { message: 'must be an email address' });
