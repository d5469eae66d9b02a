import { requireErrorsInWords, requirePlainWords } from '../../support/plain-words.ts';

const ofTeam = /^\/dash\/t\/([^/]+)/;

/** A browser without scripts: keeps cookies, follows our redirects, fills in and submits the forms of a page. */
export class PlainBrowser {
  readonly cookies = new Map<string, string>();
  /** Sent with everything, such as X-Forwarded-For. */
  headers: Record<string, string> = {};
  status = 0;
  html = '';
  answer: Headers = new Headers();
  /** Where it is, or where it was sent beyond our own addresses. */
  url: URL;
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
    this.url = new URL(origin);
  }

  open(path: string): Promise<this> {
    return this.#request(this.#at(path));
  }

  /** Fills in the form that has this button and presses the button; `false` unticks a box. */
  async press(button: string, fields: Readonly<Record<string, string | false>> = {}): Promise<this> {
    const { action, values } = this.#filled(button, fields);
    return this.post(action, values);
  }

  /** The same with a file, which stands last. A box that is not ticked may be given, too. */
  async pressWithFile(
    button: string,
    file: {
      readonly field: string;
      readonly name: string;
      readonly content: Uint8Array<ArrayBuffer> | string;
    },
    fields: Readonly<Record<string, string>> = {},
  ): Promise<this> {
    const { action, values } = this.#filled(button, {});
    values.delete(file.field);
    for (const [name, value] of Object.entries(fields)) values.set(name, value);
    const body = new FormData();
    for (const [name, value] of values) body.append(name, value);
    body.append(file.field, new Blob([file.content]), file.name);
    return this.sendForm(action, body);
  }

  /** Sends a form with files, as a page of ours does. */
  sendForm(path: string, body: FormData, headers: Record<string, string> = {}): Promise<this> {
    return this.#request(this.#at(path), {
      method: 'POST',
      body,
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
    });
  }

  /** What the form with this button sends. */
  #filled(
    button: string,
    fields: Readonly<Record<string, string | false>>,
  ): { readonly action: string; readonly values: URLSearchParams } {
    const form = this.forms().find(({ buttons }) => buttons.some(({ label }) => label === button));
    const pressed = form?.buttons.find(({ label }) => label === button);
    if (!form || !pressed)
      throw new Error(`There is no button ${button} at ${this.url.pathname}: ${this.text}`);
    const values = new URLSearchParams([...form.fields]);
    for (const [name, value] of Object.entries(fields)) {
      if (!values.has(name)) throw new Error(`The form has no field ${name}.`);
      if (value === false) values.delete(name);
      else values.set(name, value);
    }
    if (pressed.name !== '') values.set(pressed.name, pressed.value);
    return { action: form.action, values };
  }

  /** Posts as a page of ours does, whatever there is on it. */
  post(
    path: string,
    values: URLSearchParams | Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<this> {
    return this.#request(this.#at(path), {
      method: 'POST',
      body: new URLSearchParams(values).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
    });
  }

  async follow(label: string): Promise<this> {
    const link = [...this.html.matchAll(/<a\s[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a\s*>/g)].find(
      ([, , content = '']) => plain(content) === label,
    );
    if (!link?.[1]) throw new Error(`There is no link ${label} at ${this.url.pathname}: ${this.text}`);
    return this.open(decoded(link[1]));
  }

  /** The path of the page without the team, as the pages are registered. */
  get path(): string {
    return this.url.pathname.replace(ofTeam, '/dash');
  }

  /** The team in the address. */
  get team(): string | undefined {
    return ofTeam.exec(this.url.pathname)?.[1];
  }

  /** What stands on the page. */
  get text(): string {
    return plain(this.html.replace(/<head>[\s\S]*?<\/head>/, ''));
  }

  get heading(): string {
    return plain(/<h1>([\s\S]*?)<\/h1>/.exec(this.html)?.[1] ?? '');
  }

  /** What is said beside a field. */
  problem(name: string): string | undefined {
    const found = new RegExp(`id="${name}-error">([\\s\\S]*?)</p>`).exec(this.html)?.[1];
    return found === undefined ? undefined : plain(found);
  }

  forms(): PlainForm[] {
    return [...this.html.matchAll(/<form([\s\S]*?)>([\s\S]*?)<\/form>/g)].map(([, head = '', body = '']) => ({
      action: attribute(head, 'action') ?? '',
      fields: [
        ...[...body.matchAll(/<input([^>]*)>/g)]
          .filter(isSent)
          .map(([, input = '']): [string, string] => [
            attribute(input, 'name') ?? '',
            attribute(input, 'value') ?? '',
          ]),
        ...[...body.matchAll(/<textarea([^>]*)>([\s\S]*?)<\/textarea>/g)].map(
          // The first line break in it is no part of the text (HTML, section 13.2.6.4.7).
          ([, input = '', value = '']): Field => [
            attribute(input, 'name') ?? '',
            decoded(value.replace(/^\n/, '')),
          ],
        ),
        ...[...body.matchAll(/<select([^>]*)>([\s\S]*?)<\/select>/g)].map(
          ([, select = '', options = '']): Field => [attribute(select, 'name') ?? '', chosenIn(options)],
        ),
      ],
      offered: new Set(
        [...body.matchAll(/<(input|select)([^>]*)>/g)]
          .filter(
            ([, kind, control = '']) =>
              kind === 'select' || /^(hidden|radio|checkbox)$/.test(attribute(control, 'type') ?? ''),
          )
          .map(([, , control = '']) => attribute(control, 'name') ?? ''),
      ),
      buttons: [...body.matchAll(/<button([^>]*)>([\s\S]*?)<\/button>/g)].map(
        ([, button = '', content = '']) => ({
          label: plain(content),
          name: attribute(button, 'name') ?? '',
          value: attribute(button, 'value') ?? '',
        }),
      ),
    }));
  }

  /** A value that a form of the page hides. */
  hidden(name: string): string {
    const value = this.forms()
      .flatMap(({ fields }) => fields)
      .find(([given]) => given === name)?.[1];
    if (value === undefined) throw new Error(`Nothing hidden is called ${name}.`);
    return value;
  }

  /** Beyond our own addresses there is no page from which a path could lead on. */
  #at(path: string): URL {
    return new URL(path, this.url.origin === this.#origin ? this.url : this.#origin);
  }

  async #request(url: URL, init: RequestInit = {}): Promise<this> {
    this.url = url;
    if (url.origin !== this.#origin) return this;
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: {
        ...this.headers,
        ...(init.headers as Record<string, string>),
        ...(cookie === '' ? {} : { cookie }),
      },
    });
    for (const set of answer.headers.getSetCookie()) this.#keep(set);
    this.status = answer.status;
    this.answer = answer.headers;
    this.html = await answer.text();
    if (this.html.startsWith('<!doctype')) {
      requirePlainWords(this.text, url.pathname);
      requireErrorsInWords(this.html, url.pathname);
    }
    const location = answer.headers.get('location');
    if (answer.status === 303 && location !== null) return this.#request(new URL(location, url));
    const refresh = /<meta http-equiv="refresh" content="0; url=([^"]+)"/.exec(this.html)?.[1];
    return refresh === undefined ? this : this.#request(new URL(decoded(refresh), url));
  }

  #keep(set: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    if (/; Max-Age=0/.test(set)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** A box that is not ticked is not sent. */
const isSent = ([, input = '']: RegExpExecArray): boolean =>
  !/^(checkbox|radio)$/.test(attribute(input, 'type') ?? '') || /\schecked\s/.test(`${input} `);

/** The option that is selected, else the first one. */
function chosenIn(options: string): string {
  const all = [...options.matchAll(/<option([^>]*)>([^<]*)/g)];
  const [, option = '', text = ''] =
    all.find(([, each = '']) => /\sselected(\s|$)/.test(each)) ?? all[0] ?? [];
  return attribute(option, 'value') ?? plain(text);
}

type Field = [name: string, value: string];

interface PlainForm {
  readonly action: string;
  readonly fields: readonly Field[];
  /** The names of the fields whose values the page offers: hidden ones, boxes to tick and lists. */
  readonly offered: ReadonlySet<string>;
  readonly buttons: { readonly label: string; readonly name: string; readonly value: string }[];
}

const attribute = (head: string, name: string): string | undefined => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(head)?.[1];
  return value === undefined ? undefined : decoded(value);
};

const decoded = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

const plain = (content: string): string =>
  decoded(content.replace(/<[^>]+>/g, ''))
    .replace(/\s+/g, ' ')
    .trim();
