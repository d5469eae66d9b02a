import { publish, revise } from '../../../actions/forms.ts';
import { isConflict, valueOf } from '../../../actions/perform.ts';
import { requireForm } from '../../../commands/forms.ts';
import { refusals } from '../../../ground/refusals.ts';
import type { FormDefinition } from '../../../events/forms/definition.ts';
import { performFor } from '../../pages/action-form.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { chosen } from '../../pages/parts/chosen.ts';
import { notice, when } from '../../pages/controls.ts';
import { html } from '../../pages/html.ts';
import type { Answer, Page, TeamPageContext, View } from '../../pages/page-context.ts';
import { changedMeanwhile, type FieldChange } from '../../pages/parts/changes.ts';
import { redirectDone } from '../../pages/parts/notices.ts';
import { paths } from '../../pages/paths.ts';
import { builderForm } from './builder-view.ts';
import { formPagePath, newFormPath, ofForm } from './form-authority.ts';
import { checkDraft, draftIn, draftOf, emptyDraft, rearranged, type Draft } from './form-draft.ts';
import { en } from './texts.ts';

const texts = en.builder;

/** Makes a form and publishes it. */
export const newFormPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'change forms',
  path: newFormPath,
  get: (pageContext) => newFormView(pageContext, emptyDraft),
  async post(pageContext) {
    const { form } = pageContext;
    const draft = draftIn(form);
    const changed = rearranged(draft, pressedIn(form, draft));
    if (changed) return newFormView(pageContext, changed);
    const checked = checkDraft(draft);
    if ('problems' in checked) return newFormView(pageContext, draft, checked.problems, refusals.invalid);
    const input = { slug: draft.slug, definition: checked.definition };
    const performed = await performFor(dependencies, pageContext, publish, input);
    if (performed.kind !== 'done')
      return newFormView(pageContext, draft, { slug: en.problems.slugTaken }, refusals.conflict);
    return redirectDone(formPagePath(draft.slug), pageContext, 'published');
  },
});

/** The button that was pressed: no other word publishes or saves. */
const pressedIn = (form: URLSearchParams, { fields }: Draft): string =>
  chosen(form, 'do', [
    ...['save', 'keep', 'add'],
    ...fields.flatMap(({ choices }, place) =>
      [String(place), ...choices.map((_choice, nth) => `${place}-${nth}`)].flatMap((of) =>
        ['remove', 'up', 'down'].map((what) => `${what}-${of}`),
      ),
    ),
  ]);

function newFormView(
  pageContext: TeamPageContext,
  draft: Draft,
  problems: Readonly<Record<string, string>> = {},
  status = 200,
): View {
  return {
    title: texts.newTitle,
    status,
    content: html`${when(status !== 200, notice(en.problems.summary, 'wrong'))}
    ${builderForm(pageContext, { action: newFormPath, back: paths.forms, draft, problems })}`,
  };
}

/** Changes a form. What somebody else has changed meanwhile is shown and not overwritten. */
export const editFormPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'change forms',
  path: `${formPagePath(':form')}/edit`,
  get: ofForm(dependencies, async (pageContext, doc) => {
    const { slug, version, definition } = doc;
    return editView(pageContext, { slug, version, definition }, draftOf(slug, definition));
  }),
  post: ofForm(dependencies, async (pageContext, doc) => {
    const { form, team } = pageContext;
    const { slug } = doc;
    const of = { team: team.team, slug };
    const { version, definition, usedKeys } = await requireForm(dependencies.store, of);
    const now = { slug, version, definition };
    const draft = { ...draftIn(form), slug };
    const opened = Number(form.get('version')) || 0;
    const changed = rearranged(draft, pressedIn(form, draft));
    // The fields are only arranged anew: that somebody else has saved is said when it is saved.
    if (changed) return editView(pageContext, { ...now, version: opened }, changed);
    const checked = checkDraft(draft, definition, usedKeys);
    if ('problems' in checked)
      return editView(pageContext, { ...now, version: opened }, draft, { problems: checked.problems });
    return save(dependencies, pageContext, { ...now, opened }, draft, checked.definition);
  }),
});

interface Snapshot {
  readonly slug: string;
  readonly version: number;
  readonly definition: FormDefinition;
}

async function save(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { opened, ...now }: Snapshot & { readonly opened: number },
  draft: Draft,
  definition: FormDefinition,
): Promise<Answer> {
  const { slug } = now;
  const performed = await performFor(dependencies, pageContext, revise, {
    slug,
    definition,
    version: opened,
  });
  if (!isConflict(performed)) {
    valueOf(performed);
    return redirectDone(formPagePath(slug), pageContext, 'changed');
  }
  const theirs = await requireForm(dependencies.store, { team: pageContext.team.team, slug });
  const meanwhile = differences(draftOf(slug, theirs.definition), draft);
  return editView(pageContext, { ...now, ...theirs }, draft, { meanwhile });
}

/** Where what they have saved differs from what is typed. */
function differences(theirs: Draft, typed: Draft): FieldChange[] {
  const lines = ({ fields }: Draft) => fields.map(({ label }) => label).join('\n');
  return [
    { label: texts.title, before: theirs.title, after: typed.title },
    { label: texts.intro, before: theirs.intro, after: typed.intro },
    { label: texts.fields, before: lines(theirs), after: lines(typed) },
    ...typed.fields.flatMap((mine, place): FieldChange[] => {
      const other = theirs.fields.find(({ key }) => key !== '' && key === mine.key);
      if (!other) return [];
      const summaryOf = ({ kind, help, required, choices, options, minimum, maximum }: typeof mine) =>
        [
          texts.kinds[kind as keyof typeof texts.kinds],
          required ? texts.required : '',
          help,
          ...choices.map(({ label }) => label),
          options,
          minimum,
          maximum,
        ]
          .filter((each) => each !== '')
          .join('\n');
      return [{ label: texts.field(place + 1), before: summaryOf(other), after: summaryOf(mine) }];
    }),
    { label: texts.thanks, before: theirs.thanks, after: typed.thanks },
    { label: texts.origins, before: theirs.origins, after: typed.origins },
    { label: texts.cap, before: theirs.cap, after: typed.cap },
  ].filter(({ before, after }) => before.replace(/\r/g, '') !== after.replace(/\r/g, ''));
}

function editView(
  pageContext: TeamPageContext,
  { slug, version, definition: { languages } }: Snapshot,
  draft: Draft,
  wrong: {
    readonly problems?: Readonly<Record<string, string>>;
    readonly meanwhile?: readonly FieldChange[];
  } = {},
): View {
  const { problems = {}, meanwhile } = wrong;
  const others = languages.slice(1);
  const path = formPagePath(slug);
  return {
    title: texts.editTitle,
    status: meanwhile ? refusals.conflict : wrong.problems ? refusals.invalid : 200,
    content: html`${when(wrong.problems !== undefined, notice(en.problems.summary, 'wrong'))}
    ${meanwhile ? changedMeanwhile(meanwhile) : ''}
    ${when(others.length > 0, notice(texts.otherLanguages, 'plain'))}
    ${builderForm(pageContext, { action: `${path}/edit`, back: path, draft, problems, version })}`,
  };
}
