import { cleanText } from '../../../../hsds/text.ts';
import { readHours } from '../../../../hsds/hours/read.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import type { Page, TeamPageContext, View } from '../../../pages/page-context.ts';
import { en } from '../texts.ts';
import { valuesIn, type FormValues } from './form-values.ts';
import { draftOfHours, emptyWeek, withMoreTimes } from './hours-draft.ts';
import { emptyPlace } from './places-draft.ts';

const texts = en.form.week;

/** A form that a button of it has changed, and what is to be said about that. Nothing is saved. */
export interface Rearranged {
  readonly values: FormValues;
  readonly message?: string;
}

type TeamPage = Extract<Page, { readonly audience: 'team' }>;

/** A form with buttons that change it and show it again. They save nothing, so they need no script. */
export const withButtons =
  (
    page: (dependencies: PageDependencies) => Page,
    view: (dependencies: PageDependencies, pageContext: TeamPageContext, shown: Rearranged) => Promise<View>,
  ) =>
  (dependencies: PageDependencies): Page => {
    const plain = page(dependencies) as TeamPage;
    const { post } = plain;
    if (!post) throw new Error(`The page ${plain.path} takes no form.`);
    const withForm: TeamPage = {
      ...plain,
      post(pageContext) {
        const { form } = pageContext;
        const shown = rearranged(valuesIn(form), form.get('do') ?? '');
        return shown ? view(dependencies, pageContext, shown) : post(pageContext);
      },
    };
    return withForm;
  };

/** What a button does to what was typed. Undefined: the button saves. */
function rearranged(values: FormValues, pressed: string): Rearranged | undefined {
  const { places, opening_hours } = values;
  const [, what = '', number] = /^([a-z-]+?)(?:-(\d{1,3}))?$/.exec(pressed) ?? [];
  const at = Number(number);
  const weeks = opening_hours.length === 0 ? [emptyWeek] : opening_hours;
  const here = places.length === 0 ? [emptyPlace] : places;
  switch (what) {
    case 'keep':
      return { values };
    case 'read-hours':
      return readFromWords(values);
    case 'add-week':
      return { values: { ...values, opening_hours: [...weeks, emptyWeek] } };
    case 'more-times': {
      const more = (week: (typeof weeks)[number], n: number) => (n === at ? withMoreTimes(week) : week);
      return { values: { ...values, opening_hours: weeks.map(more) } };
    }
    case 'remove-week':
      return { values: { ...values, opening_hours: weeks.filter((_, n) => n !== at) } };
    case 'add-place':
      return { values: { ...values, places: [...here, emptyPlace] } };
    case 'remove-place':
      return { values: { ...values, places: here.filter((_, n) => n !== at) } };
    default:
      return undefined;
  }
}

/** The table as the import would read it from the words. What it does not understand is said and not guessed. */
function readFromWords(values: FormValues): Rearranged {
  const { understood, rows, unread } = readHours(cleanText(values.hours));
  if (rows.length === 0) return { values, message: texts.nothingRead };
  return {
    values: { ...values, opening_hours: draftOfHours(rows) },
    message: understood === 'fully' ? texts.allRead : texts.partRead(unread.join('; ')),
  };
}
