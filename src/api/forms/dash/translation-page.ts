import { revise } from '../../../actions/forms.ts';
import { isConflict, valueOf } from '../../../actions/perform.ts';
import { refusals } from '../../../ground/refusals.ts';
import { requireForm } from '../../../commands/forms.ts';
import { languageTag, type FormDefinition } from '../../../events/forms/definition.ts';
import { performFor } from '../../pages/action-form.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { notFoundView } from '../../pages/frame/common-views.ts';
import { button, field, form, hidden, notice, when, type Problems } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Page, TeamPageContext, View } from '../../pages/page-context.ts';
import { changedMeanwhile, type FieldChange } from '../../pages/parts/changes.ts';
import { redirectDone } from '../../pages/parts/notices.ts';
import { ofTeam } from '../../pages/paths.ts';
import { formPagePath, ofForm } from './form-authority.ts';
import { partsOf, translated } from './form-translation.ts';
import { en } from './texts.ts';

const texts = en.translation;

const translationPath = (slug: string): string => `${formPagePath(slug)}/texts`;

/** The texts of a form in one of its further languages, or in a new one. The language stands in the address. */
export const translationPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'change forms',
  path: translationPath(':form'),
  get: ofForm(dependencies, async (pageContext, doc) => {
    const language = languageIn(pageContext.query, doc.definition);
    return language === undefined
      ? noLanguageView(pageContext, doc.slug)
      : translationView(pageContext, doc, { language });
  }),
  post: ofForm(dependencies, async (pageContext, doc) => {
    const { form: typed, team } = pageContext;
    const of = { team: team.team, slug: doc.slug };
    const version = Number(typed.get('version')) || 0;
    const now = await requireForm(dependencies.store, of);
    const language = languageIn(typed, now.definition);
    if (language === undefined) return noLanguageView(pageContext, doc.slug);
    const checked = translated(now.definition, language, typed);
    if ('problems' in checked)
      return translationView(
        pageContext,
        { ...now, version },
        { language, typed, problems: checked.problems },
      );
    const input = { slug: doc.slug, definition: checked.definition, version };
    const performed = await performFor(dependencies, pageContext, revise, input);
    if (isConflict(performed)) {
      const theirs = await requireForm(dependencies.store, of);
      const meanwhile = differences(theirs.definition, language, typed);
      return translationView(pageContext, theirs, { language, typed, meanwhile });
    }
    valueOf(performed);
    return redirectDone(formPagePath(doc.slug), pageContext, 'changed');
  }),
});

/** The ways to the texts in each further language, and to those in a new one. */
export function languagesCard(
  { team }: TeamPageContext,
  { slug, definition: { languages } }: { readonly slug: string; readonly definition: FormDefinition },
): Html {
  const path = translationPath(slug);
  const [first = 'en', ...others] = languages;
  const offered = commonLanguages.filter((each) => !languages.includes(each));
  return html`<section class="card" aria-labelledby="languages">
    <h2 id="languages">${texts.languages}</h2>
    <p>${texts.first(languageName(first))}</p>
    ${
      others.length === 0
        ? ''
        : html`<ul class="points">
            ${others.map(
              (each) =>
                html`<li>
                  <a href="${ofTeam(path, team.team, { language: each })}"
                    >${texts.title(languageName(each))}</a
                  >
                </li>`,
            )}
          </ul>`
    }
    ${
      offered.length === 0 || languages.length >= mostLanguages
        ? ''
        : html`<form
            method="get"
            action="${ofTeam(path, team.team)}"
            class="filters"
            aria-label="${texts.add}"
          >
            <div class="field">
              <label for="language">${texts.add}</label>
              <input id="language" name="language" list="known-languages" maxlength="11" required />
              <datalist id="known-languages">
                ${offered.map((each) => html`<option value="${each}">${languageName(each)}</option>`)}
              </datalist>
              <p class="hint">${texts.addHint}</p>
            </div>
            <button type="submit" class="secondary">${texts.write}</button>
          </form>`
    }
  </section>`;
}

/** Offered to choose from. Any other language tag can be typed. */
const commonLanguages = [
  'en',
  'es',
  'ar',
  'fr',
  'ht',
  'ko',
  'pt',
  'ru',
  'so',
  'tl',
  'uk',
  'vi',
  'zh',
] as const;
/** As of events/forms/definition.ts. */
const mostLanguages = 8;

/** A further language of the form, or one that it does not have yet. The first language is that of the builder. */
function languageIn(sent: URLSearchParams, { languages: [first] }: FormDefinition): string | undefined {
  const parsed = languageTag.safeParse(sent.get('language')?.trim());
  return parsed.success && parsed.data !== first ? parsed.data : undefined;
}

const names = new Intl.DisplayNames(['en'], { type: 'language' });
const languageName = (tag: string): string => names.of(tag) ?? tag;

const noLanguageView = (pageContext: TeamPageContext, slug: string): View =>
  notFoundView(texts.none, { to: ofTeam(formPagePath(slug), pageContext.team.team), label: texts.back });

interface Snapshot {
  readonly slug: string;
  readonly version: number;
  readonly definition: FormDefinition;
}

/** What they have saved, and what is typed, where the two differ. */
const differences = (theirs: FormDefinition, language: string, typed: URLSearchParams): FieldChange[] => {
  const saved = partsOf(theirs, language).flatMap((part) => part.texts);
  return partsOf(theirs, language, typed)
    .flatMap(({ heading, texts: all }) => all.map((each) => ({ ...each, heading })))
    .map(({ heading, label, value }, place) => ({
      label: `${heading}: ${label}`,
      before: saved[place]?.value ?? '',
      after: value.replace(/\r\n?/g, '\n'),
    }))
    .filter(({ before, after }) => before !== after);
};

function translationView(
  { formToken, team }: TeamPageContext,
  { slug, version, definition }: Snapshot,
  shown: {
    readonly language: string;
    readonly typed?: URLSearchParams;
    readonly problems?: Problems;
    readonly meanwhile?: readonly FieldChange[];
  },
): View {
  const { language, typed, problems = {}, meanwhile } = shown;
  const content = html`${hidden('team', team.team)}${hidden('language', language)}
    ${hidden('version', String(version))}
    ${partsOf(definition, language, typed).map(
      ({ heading, texts: all }) =>
        html`<fieldset class="card part">
          <legend>${heading}</legend>
          ${all.map(({ name, label, original, isLong, value }) =>
            field({
              name,
              label,
              hint: original,
              value,
              ...(isLong ? { type: 'prose' as const } : {}),
              optional: true,
              error: problems[name],
            }),
          )}
        </fieldset>`,
    )}
    <div class="choices">
      ${button(en.builder.save)}
      <a class="button secondary" href="${ofTeam(formPagePath(slug), team.team)}">${en.builder.cancel}</a>
    </div>`;
  return {
    title: texts.title(languageName(language)),
    status: meanwhile ? refusals.conflict : shown.problems ? refusals.invalid : 200,
    content: html`<p class="lead">${texts.lead}</p>
      ${when(shown.problems !== undefined, notice(problems['form'] ?? en.problems.summary, 'wrong'))}
      ${meanwhile ? changedMeanwhile(meanwhile) : ''}
      ${form({ action: ofTeam(translationPath(slug), team.team), token: formToken, content })}`,
  };
}
