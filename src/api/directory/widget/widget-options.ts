import { z } from 'zod';
import { isCategory, type Category } from '../../../events/directory/category.ts';
import { longestPlaceText } from '../list-query.ts';
import { isLanguage, type Language } from '../../pages/frame/language.ts';
import { en } from './texts.ts';

/** The id of the container when the snippet names none (interface 4.4). */
const defaultTarget = 'service-resources';
const defaultLimit = 20;
const maximumLimit = 100;

/** What is typed for these two. */
export const typedOptions = {
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/)
    .refine((text) => Number(text) <= maximumLimit),
  near: z.string().max(longestPlaceText),
  target: z.string().regex(/^[A-Za-z][\w-]{0,99}$/),
};

/** How a widget looks and what it shows: the attributes of its script (interface 4.4), and its language. */
export interface WidgetOptions {
  readonly category: Category | undefined;
  /** A place that it begins with. Empty: everywhere. */
  readonly near: string;
  readonly limit: number;
  readonly theme: 'light' | 'dark';
  /** Undefined: that of the page. */
  readonly language: Language | undefined;
  readonly target: string;
}

export const defaultOptions: WidgetOptions = {
  category: undefined,
  near: '',
  limit: defaultLimit,
  theme: 'light',
  language: undefined,
  target: defaultTarget,
};

/** Reads the options of a form or of an address. What is wrong counts as not given; the problems say what it was. */
export function optionsIn(query: URLSearchParams): {
  readonly options: WidgetOptions;
  readonly problems: Readonly<Record<'near' | 'limit' | 'target', string | undefined>>;
} {
  const category = query.get('category') ?? '';
  const language = query.get('language');
  const near = (query.get('near') ?? '').trim();
  const goodNear = typedOptions.near.safeParse(near).success;
  const limit = (query.get('limit') ?? '').trim();
  const target = (query.get('target') ?? '').trim();
  const goodLimit = typedOptions.limit.safeParse(limit).success;
  const goodTarget = typedOptions.target.safeParse(target).success;
  return {
    options: {
      category: isCategory(category) ? category : undefined,
      near: goodNear ? near : '',
      limit: goodLimit ? Number(limit) : defaultLimit,
      theme: query.get('theme') === 'dark' ? 'dark' : 'light',
      language: isLanguage(language) ? language : undefined,
      target: goodTarget ? target : defaultTarget,
    },
    problems: {
      near: goodNear ? undefined : en.form.wrongNear,
      limit: goodLimit || limit === '' ? undefined : en.form.wrongLimit,
      target: goodTarget || target === '' ? undefined : en.form.wrongTarget,
    },
  };
}

/** The attributes of the script, without those that say what is so anyway. */
export function attributesOf({
  category,
  near,
  limit,
  theme,
  target,
}: WidgetOptions): Readonly<Record<string, string>> {
  return {
    ...(category === undefined ? {} : { 'data-category': category }),
    ...(near === '' ? {} : { 'data-near': near }),
    ...(limit === defaultLimit ? {} : { 'data-limit': String(limit) }),
    ...(target === defaultTarget ? {} : { 'data-target': target }),
    ...(theme === 'light' ? {} : { 'data-theme': theme }),
  };
}
