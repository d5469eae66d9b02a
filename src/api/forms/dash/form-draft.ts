import { slug } from '../../../events/define.ts';
import {
  fieldKinds,
  formDefinition,
  type FormDefinition,
  type FormField,
  type TextByLanguage,
} from '../../../events/forms/definition.ts';
import { numberIn } from '../../../events/forms/answers.ts';
import { noKeys, type UsedKeys } from '../../../events/forms/used-keys.ts';
import { defined } from '../../../ground/defined.ts';
import { en } from './texts.ts';

/** The kinds of the builder: a choice of several is one of its own. */
export const draftKinds = [...fieldKinds.slice(0, 6), 'choices', ...fieldKinds.slice(6)] as const;

/** A field as it is typed. */
export interface DraftField {
  /** The key of a field that was published. Empty: a new field. */
  readonly key: string;
  readonly kind: string;
  readonly label: string;
  readonly help: string;
  readonly required: boolean;
  /** The choices that were published. Each keeps its key, whatever it is called. */
  readonly choices: readonly DraftChoice[];
  /** Choices that are added, one a line. */
  readonly options: string;
  /** The bounds of a number. */
  readonly minimum: string;
  readonly maximum: string;
}

export interface DraftChoice {
  readonly key: string;
  readonly label: string;
}

/** A form as it is typed, whether it is right or not. */
export interface Draft {
  readonly slug: string;
  readonly title: string;
  readonly intro: string;
  readonly thanks: string;
  readonly origins: string;
  readonly cap: string;
  readonly fields: readonly DraftField[];
}

export const emptyField: DraftField = {
  key: '',
  kind: 'text',
  label: '',
  help: '',
  required: false,
  choices: [],
  options: '',
  minimum: '',
  maximum: '',
};

export const emptyDraft: Draft = {
  slug: '',
  title: '',
  intro: '',
  thanks: '',
  origins: '',
  cap: '',
  fields: [emptyField],
};

/** More fields than a form may have, so that one too many is said and not cut off. */
const mostRead = 61;
/** More choices than a field may have. */
const mostChoicesRead = 51;

/** The names of the controls of a field. They are numbered in the order of the form. */
export const nameOf = (place: number, what: keyof DraftField): string => `f${place}-${what}`;

/** The name of the control of a choice, and of the key beside it. */
export const choiceName = (place: number, nth: number): string => `f${place}-choice${nth}`;
export const choiceKeyName = (place: number, nth: number): string => `${choiceName(place, nth)}-key`;

/** What was typed into the builder. */
export function draftIn(form: URLSearchParams): Draft {
  const textOf = (name: string) => (form.get(name) ?? '').replace(/\r\n?/g, '\n');
  const fields: DraftField[] = [];
  for (let place = 0; place < mostRead && form.has(nameOf(place, 'kind')); place++)
    fields.push({
      key: textOf(nameOf(place, 'key')),
      kind: textOf(nameOf(place, 'kind')),
      label: textOf(nameOf(place, 'label')),
      help: textOf(nameOf(place, 'help')),
      required: form.has(nameOf(place, 'required')),
      choices: choicesAt(place),
      options: textOf(nameOf(place, 'options')),
      minimum: textOf(nameOf(place, 'minimum')).trim(),
      maximum: textOf(nameOf(place, 'maximum')).trim(),
    });
  return {
    slug: textOf('slug').trim(),
    title: textOf('title'),
    intro: textOf('intro'),
    thanks: textOf('thanks'),
    origins: textOf('origins'),
    cap: textOf('cap').trim(),
    fields,
  };

  function choicesAt(place: number): DraftChoice[] {
    const choices: DraftChoice[] = [];
    for (let nth = 0; nth < mostChoicesRead && form.has(choiceName(place, nth)); nth++)
      choices.push({ key: textOf(choiceKeyName(place, nth)), label: textOf(choiceName(place, nth)) });
    return choices;
  }
}

/** What a button of the builder does to the fields and choices. Undefined: it is no such button. */
export function rearranged(draft: Draft, pressed: string): Draft | undefined {
  if (pressed === 'keep') return draft;
  if (pressed === 'add') return { ...draft, fields: [...draft.fields, emptyField] };
  const [, what = '', number, ofChoice] = /^(remove|up|down)-(\d{1,2})(?:-(\d{1,2}))?$/.exec(pressed) ?? [];
  const place = Number(number);
  const field = draft.fields[place];
  if (!field) return undefined;
  if (ofChoice === undefined) return { ...draft, fields: rearrangedList(draft.fields, what, place) };
  const choices = rearrangedList(field.choices, what, Number(ofChoice));
  return { ...draft, fields: draft.fields.with(place, { ...field, choices }) };
}

function rearrangedList<Entry>(list: readonly Entry[], what: string, place: number): readonly Entry[] {
  const entry = list[place];
  if (entry === undefined) return list;
  const others = list.toSpliced(place, 1);
  return what === 'remove'
    ? others
    : others.toSpliced(Math.max(0, place + (what === 'up' ? -1 : 1)), 0, entry);
}

/** A published form, to be changed in its first language. */
export function draftOf(of: string, definition: FormDefinition): Draft {
  const [first = 'en'] = definition.languages;
  const text = (texts: TextByLanguage | undefined) => texts?.[first] ?? '';
  return {
    slug: of,
    title: text(definition.title),
    intro: text(definition.intro),
    thanks: text(definition.thanks),
    origins: definition.allowed_origins.join('\n'),
    cap: definition.daily_cap === undefined ? '' : String(definition.daily_cap),
    fields: definition.fields.map(
      ({ key, kind, several, label, help, required, options = [], ...bounds }) => ({
        key,
        kind: kind === 'choice' && several ? 'choices' : kind,
        label: text(label),
        help: text(help),
        required,
        choices: options.map((each) => ({ key: each.key, label: text(each.label) })),
        options: '',
        minimum: bounds.minimum === undefined ? '' : String(bounds.minimum),
        maximum: bounds.maximum === undefined ? '' : String(bounds.maximum),
      }),
    ),
  };
}

export type CheckedDraft =
  | { readonly definition: FormDefinition }
  /** By the names of the controls. */
  | { readonly problems: Readonly<Record<string, string>> };

/**
 * The form that was typed. `before`: the published one that it changes. Texts in other languages, which the builder does
 * not show, stay as they were. `used`: the keys that no new field or choice may get.
 */
export function checkDraft(draft: Draft, before?: FormDefinition, used: UsedKeys = noKeys): CheckedDraft {
  const problems: Record<string, string> = {};
  const [first = 'en'] = before?.languages ?? [];
  const inFirst = (typed: string, texts: TextByLanguage | undefined): TextByLanguage | undefined =>
    typed.trim() === '' ? undefined : { ...texts, [first]: typed.trim() };
  if (draft.title.trim() === '') problems['title'] = en.problems.title;
  if (!before && !slug.safeParse(draft.slug).success) problems['slug'] = en.problems.slug;
  if (draft.cap !== '' && !/^[1-9]\d{0,5}$/.test(draft.cap)) problems['cap'] = en.problems.cap;
  if (draft.fields.length === 0) problems['fields'] = en.problems.noFields;
  if (draft.fields.length >= mostRead) problems['fields'] = en.problems.manyFields;

  const keys = new Set(used.keys());
  const newKey = (label: string, taken: Set<string>, otherwise: string): string => {
    const key = keyFrom(label, taken, otherwise);
    taken.add(key);
    return key;
  };
  const bound = (name: string, typed: string): number | undefined => {
    const number = typed === '' ? undefined : numberIn(typed);
    if (typed !== '' && number === undefined) problems[name] = en.problems.bound;
    return number;
  };
  const kept = new Set<string>();
  const fields = draft.fields.map((typed, place): FormField => {
    const old = kept.has(typed.key) ? undefined : before?.fields.find(({ key }) => key === typed.key);
    if (old) kept.add(old.key);
    const kind = typed.kind === 'choices' ? 'choice' : fieldKinds.find((each) => each === typed.kind);
    const options = kind === 'choice' ? optionsOf(typed, old) : undefined;
    const [minimum, maximum] =
      kind === 'number'
        ? [bound(nameOf(place, 'minimum'), typed.minimum), bound(nameOf(place, 'maximum'), typed.maximum)]
        : [];
    if (!kind) problems[nameOf(place, 'kind')] = en.problems.kind;
    if (typed.label.trim() === '') problems[nameOf(place, 'label')] = en.problems.label;
    return {
      key: old?.key ?? newKey(typed.label, keys, `field_${place + 1}`),
      kind: kind ?? 'text',
      label: inFirst(typed.label, old?.label) ?? {},
      ...defined({ help: inFirst(typed.help, old?.help) }),
      required: typed.required,
      ...defined({ options }),
      ...(typed.kind === 'choices' ? { several: true } : {}),
      ...defined({ minimum, maximum }),
    };

    function optionsOf({ choices, options: added }: DraftField, former: FormField | undefined) {
      const newLabels = added
        .split('\n')
        .map((each) => each.trim())
        .filter((each) => each !== '');
      const labels = [...choices.map(({ label }) => label.trim()), ...newLabels];
      if (new Set(labels).size !== labels.length) problems[nameOf(place, 'options')] = en.problems.options;
      const taken = new Set(former ? used.get(former.key) : []);
      const made = (label: string, nth: number) => ({
        key: newKey(label, taken, `option_${nth + 1}`),
        label: { [first]: label },
      });
      const rows = new Set<string>();
      return labels.map((label, nth) => {
        const key = choices[nth]?.key;
        if (label === '') problems[choiceName(place, nth)] = en.problems.choice;
        const before = rows.has(key ?? '') ? undefined : former?.options?.find((each) => each.key === key);
        if (!before) return made(label, nth);
        rows.add(before.key);
        return { key: before.key, label: { ...before.label, [first]: label } };
      });
    }
  });
  const parsed = formDefinition.safeParse({
    languages: before?.languages ?? ['en'],
    title: inFirst(draft.title, before?.title) ?? {},
    ...defined({ intro: inFirst(draft.intro, before?.intro) }),
    fields,
    ...defined({ thanks: inFirst(draft.thanks, before?.thanks) }),
    allowed_origins: [
      ...new Set(
        draft.origins
          .split('\n')
          .map((each) => each.trim().replace(/\/$/, ''))
          .filter((each) => each !== ''),
      ),
    ],
    ...(draft.cap === '' ? {} : { daily_cap: Number(draft.cap) }),
  });
  for (const { path } of parsed.error?.issues ?? []) {
    const [name, problem] = placeOf(path);
    problems[name] ??= problem;
  }
  return parsed.success && Object.keys(problems).length === 0 ? { definition: parsed.data } : { problems };
}

/** The control that belongs to a part of the definition, and what to say beside it. */
function placeOf(path: readonly PropertyKey[]): [string, string] {
  const [part, place, member] = path;
  const { problems } = en;
  if (part === 'title') return [part, problems.title];
  if (part === 'intro' || part === 'thanks') return [part, problems.text];
  if (part === 'allowed_origins') return ['origins', problems.origins];
  if (part === 'daily_cap') return ['cap', problems.cap];
  if (part !== 'fields') return ['fields', problems.large];
  if (typeof place !== 'number') return ['fields', problems.noFields];
  if (member === 'help' || member === 'options' || member === 'kind')
    return [nameOf(place, member), problems[member]];
  if (member === 'minimum' || member === 'maximum') return [nameOf(place, member), problems.bound];
  return [nameOf(place, 'label'), problems.label];
}

/** A key that is made from words, once in its list. It never changes, whatever becomes of the words. */
function keyFrom(words: string, taken: ReadonlySet<string>, otherwise: string): string {
  const made = words
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 32)
    .replace(/_+$/, '');
  const base = made === '' || made === 'constructor' ? otherwise : made;
  for (let nth = 1; ; nth++) {
    const key = nth === 1 ? base : `${base}_${nth}`;
    if (!taken.has(key)) return key;
  }
}
