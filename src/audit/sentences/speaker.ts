import { teamOf, type SubjectEvent, type SubjectKind } from '../../events/audit-subjects.ts';
import type { DomainEvent } from '../../events/catalogue.ts';
import type { Metadata } from '../../events/metadata.ts';
import type { Names } from './names.ts';

/** An event to say in a sentence. */
export type DescribedEvent<Event extends DomainEvent = DomainEvent> = Event &
  Pick<SubjectEvent, 'stream'> & {
    readonly metadata: Pick<Metadata, 'actor'>;
    /** The team that the event belongs to, where the event itself does not say it. */
    readonly team?: string | undefined;
  };

/** Says the parts of a sentence about one event. What the reader may not see, it says in general words. */
export class Speaker {
  readonly #event: DescribedEvent;
  readonly #names: Names;

  constructor(event: DescribedEvent, names: Names) {
    this.#event = event;
    this.#names = names;
  }

  /** Who did it: a person, a key, a site, an operator, or the service. */
  get actor(): string {
    const { kind, id, on_behalf_of: person, claims_to_be: claimed } = this.#event.metadata.actor;
    const claim = claimed === undefined ? '' : `, who claims to be ${this.person(claimed)},`;
    const behalf =
      person === undefined || person === claimed
        ? claim
        : `${claim === '' ? ',' : claim} for ${this.person(person)},`;
    switch (kind) {
      case 'user':
        return this.person(id) + behalf;
      case 'key':
        return this.key(id) + behalf;
      case 'client':
        return this.client(id) + behalf;
      case 'system':
        return (id === 'cli' ? 'an operator' : 'the service') + behalf;
    }
  }

  /** Whether a person did it without anybody else. Pages for strangers act for whom they register. */
  isBy(person: string): boolean {
    const { kind, id } = this.#event.metadata.actor;
    return (kind === 'user' && id === person) || (kind === 'system' && ['register', 'set-up'].includes(id));
  }

  person(id: string): string {
    const named = this.#names.person(id);
    if (named) return 'erased' in named ? 'an erased person' : plainLine(named.name);
    const team = teamOf(this.#event) ?? this.#event.team;
    const role = team === undefined ? undefined : this.#names.role(team, id);
    if (team === undefined || role === undefined) return 'a person';
    return `${role === 'admin' ? 'an admin' : `a ${role}`} of ${this.team(team)}`;
  }

  team = (id: string): string => this.#named('team', id, '', `the team ${plainLine(id)}`);
  key = (id: string): string => this.#named('key', id, 'the key', 'a key');
  /** What its maker called a key. Undefined when it cannot be read. */
  labelOf = (key: string): string | undefined => this.#names.thing('key', key);
  client = (id: string): string => this.#named('client', id, 'the site', 'a site');
  resource = (id: string): string => this.#named('resource', id, '', 'a record');
  organization = (id: string): string => this.#named('organization', id, '', 'an organization');
  form = (id: string): string => this.#named('form', id, 'the form', 'a form');
  subscription = (id: string): string => this.#named('subscription', id, 'the webhook of', 'a webhook');

  /** A text of somebody, such as a reason, in quotation marks. Nothing for none. */
  because(text: string | undefined): string {
    return text === undefined ? '' : `: “${plainLine(text)}”`;
  }

  #named(kind: SubjectKind, id: string, before: string, unnamed: string): string {
    const name = this.#names.thing(kind, id);
    if (name === undefined || name.trim() === '') return unnamed;
    return before === '' ? plainLine(name) : `${before} ${plainLine(name)}`;
  }
}

/** A sentence: it begins with a capital letter, and ends with a full stop or with a sentence in quotation marks. */
export function sentence(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0x20);
  const begun = first.toUpperCase() + text.slice(first.length);
  return /[.!?]”$/.test(begun) ? begun : `${begun}.`;
}

/**
 * Characters that can break a line, move the cursor of a terminal, or change the order in which others are shown:
 * controls, line and paragraph separators, bidirectional controls (UAX 9), annotation marks, and halves of characters.
 */
const unsafe =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u{61C}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2066}-\u{2069}\u{FFF9}-\u{FFFB}\u{E0000}-\u{E007F}]/gu;

/** The most characters of a name or a text of somebody in a sentence. */
const longest = 120;

/** A text of somebody as a part of a line: unsafe characters are written out, as in `\u{202e}`, and long texts cut. */
export function plainLine(text: string): string {
  const trimmed = text.trim();
  // Most names are short and safe, and a page has hundreds.
  if (trimmed.length <= longest && trimmed.search(unsafe) === -1) return trimmed;
  const characters = Array.from(trimmed);
  const cut =
    characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('');
  return cut.replace(unsafe, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
