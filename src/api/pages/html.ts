/** Where a control has its attribute `autofocus`, or could have it. */
export interface FocusPlace {
  readonly at: number;
  readonly length: number;
  /** The value of the control is wrong. Of a group, its first control stands for it. */
  readonly isWrong: boolean;
}

/** Text that is already HTML. */
export class Html {
  readonly text: string;
  /** In the order of the text. */
  readonly focus: readonly FocusPlace[];

  constructor(text: string, focus: readonly FocusPlace[] = noFocus) {
    this.text = text;
    this.focus = focus;
  }
}

const noFocus: readonly FocusPlace[] = [];

type Part = string | number | Html | readonly Part[];

/** HTML from a template. Values are escaped, unless they are HTML. */
export function html(template: TemplateStringsArray, ...values: readonly Part[]): Html {
  const literals = withoutIndentation(template);
  let text = literals[0] ?? '';
  let focus: FocusPlace[] | undefined;
  const add = (part: Part): void => {
    if (part instanceof Html) {
      if (part.focus.length > 0)
        (focus ??= []).push(...part.focus.map((place) => ({ ...place, at: place.at + text.length })));
      text += part.text;
    } else if (typeof part === 'object') part.forEach(add);
    else text += escaped(String(part));
  };
  values.forEach((value, index) => {
    add(value);
    text += literals[index + 1] ?? '';
  });
  return new Html(text, focus);
}

const unindented = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The literals of a template without the indentation of its lines, which would be a third of a table. */
function withoutIndentation(template: TemplateStringsArray): readonly string[] {
  const made = unindented.get(template) ?? template.map((literal) => literal.replace(/\n[ \t]+/g, '\n'));
  unindented.set(template, made);
  return made;
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
