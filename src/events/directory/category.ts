import { z } from 'zod';

/** The category slugs of a directory, from the most urgent need to the least specific. */
export const categories = [
  'emergency',
  'food',
  'housing',
  'goods',
  'transit',
  'health',
  'mental',
  'money',
  'care',
  'education',
  'employment',
  'legal',
  'other',
] as const;

export type Category = (typeof categories)[number];

export const category = z.enum(categories, { message: `must be one of ${categories.join(', ')}` });

export const isCategory = (value: string): value is Category =>
  (categories as readonly string[]).includes(value);
