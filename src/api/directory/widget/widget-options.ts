import { z } from 'zod';
import { slug } from '../../../events/define.ts';
import { isCategory, type Category } from '../../../events/directory/category.ts';
import { longestPlaceText } from '../list-query.ts';
import { isLanguage, type Language } from '../../pages/frame/language.ts';
import { en } from './texts.ts';

/** The id of the container when the snippet names none (interface 4.4). */
const defaultTarget = 'service-resources';
const defaultLimit = 20;
const maximumLimit = 100;

const colour = z.string().regex(/^(#([0-9a-f]{3}){1,2})?$/i);

/** What is typed for these. */
export const typedOptions = {
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/)
    .refine((text) => Number(text) <= maximumLimit),
  near: z.string().max(longestPlaceText),
  target: z.string().regex(/^[A-Za-z][\w-]{0,99}$/),
  background: colour,
  text: colour,
  accent: colour,
};

export const colourNames = ['background', 'text', 'accent'] as const;
type Colours = Readonly<Partial<Record<(typeof colourNames)[number], string>>>;

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
  /** The slug of the team whose records alone it shows. */
  readonly team: string | undefined;
  /** As people write them: the script corrects what cannot be read. */
  readonly colours: Colours;
}

export const defaultOptions: WidgetOptions = {
  category: undefined,
  near: '',
  limit: defaultLimit,
  theme: 'light',
  language: undefined,
  target: defaultTarget,
  team: undefined,
  colours: {},
};

/** Reads the options of a form or of an address. What is wrong counts as not given; the problems say what it was. */
export function optionsIn(query: URLSearchParams): {
  readonly options: WidgetOptions;
  readonly problems: Readonly<Record<keyof typeof typedOptions, string | undefined>>;
} {
  const category = query.get('category') ?? '';
  const language = query.get('language');
  const near = (query.get('near') ?? '').trim();
  const goodNear = typedOptions.near.safeParse(near).success;
  const limit = (query.get('limit') ?? '').trim();
  const target = (query.get('target') ?? '').trim();
  const goodLimit = typedOptions.limit.safeParse(limit).success;
  const goodTarget = typedOptions.target.safeParse(target).success;
  const team = slug.safeParse(query.get('team')).data;
  const colours: Record<string, string> = {};
  const wrongColours: Record<string, string> = {};
  for (const name of colourNames) {
    const value = (query.get(name) ?? '').trim();
    if (!colour.safeParse(value).success) wrongColours[name] = en.form.wrongColour;
    else if (value !== '') colours[name] = value.toLowerCase();
  }
  return {
    options: {
      category: isCategory(category) ? category : undefined,
      near: goodNear ? near : '',
      limit: goodLimit ? Number(limit) : defaultLimit,
      theme: query.get('theme') === 'dark' ? 'dark' : 'light',
      language: isLanguage(language) ? language : undefined,
      target: goodTarget ? target : defaultTarget,
      team,
      colours,
    },
    problems: {
      near: goodNear ? undefined : en.form.wrongNear,
      limit: goodLimit || limit === '' ? undefined : en.form.wrongLimit,
      target: goodTarget || target === '' ? undefined : en.form.wrongTarget,
      background: wrongColours['background'],
      text: wrongColours['text'],
      accent: wrongColours['accent'],
    },
  };
}

/** The attributes of the script. Those with their default value are left out. */
export function attributesOf({
  category,
  near,
  limit,
  theme,
  target,
  team,
  colours,
}: WidgetOptions): Readonly<Record<string, string>> {
  return {
    ...(category === undefined ? {} : { 'data-category': category }),
    ...(near === '' ? {} : { 'data-near': near }),
    ...(limit === defaultLimit ? {} : { 'data-limit': String(limit) }),
    ...(target === defaultTarget ? {} : { 'data-target': target }),
    ...(theme === 'light' ? {} : { 'data-theme': theme }),
    ...(team === undefined ? {} : { 'data-team': team }),
    ...Object.fromEntries(Object.entries(colours).map(([name, value]) => [`data-${name}`, value])),
  };
}
