/** Text that is already HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Part[];

/** HTML from a template. Values are escaped, unless they are HTML. */
export function html(literals: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(
    literals.reduce((all, literal, index) => all + rendered(values[index - 1] ?? '') + literal),
  );
}

function rendered(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(rendered).join('');
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
