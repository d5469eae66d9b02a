import type { EventType } from '../../events/catalogue.ts';
import { groups, type Said } from './what-groups.ts';

/** A choice of what happened: a whole group, or one kind of it. `value`: as it stands in addresses. */
export interface WhatChoice {
  readonly value: string;
  readonly label: string;
}

const wordOf = (said: Said): string => (typeof said === 'string' ? said : said[0]);
const valueOf = (group: string, word: string): string =>
  `${group}.${word.replaceAll(/[^a-z]+/gi, '-').toLowerCase()}`;

/** The choices, by group: the group itself first. */
export const whatChoices: readonly { readonly label: string; readonly choices: readonly WhatChoice[] }[] =
  groups.map(({ name, label, what }) => ({
    label,
    choices: [
      { value: name, label: `${label}: all` },
      ...Object.values(what).map((said) => ({
        value: valueOf(name, wordOf(said)),
        label: `${label}: ${wordOf(said)}`,
      })),
    ],
  }));

const typesByValue = new Map<string, readonly EventType[]>(
  groups.flatMap(({ name, what }) => {
    const entries = Object.entries(what) as [EventType, Said][];
    return [
      [name, entries.map(([type]) => type)] as const,
      ...entries.map(([type, said]) => [valueOf(name, wordOf(said)), [type]] as const),
    ];
  }),
);

/** The types of events of a choice. Undefined when it is none. */
export const typesOfWhat = (value: string): readonly EventType[] | undefined => typesByValue.get(value);

interface Word {
  readonly value: string;
  readonly label: string;
  readonly several: string | undefined;
}

const wordByType = new Map<string, Word>(
  groups.flatMap(({ name, label, what }) =>
    Object.entries(what).map(([type, said]) => [
      type,
      {
        value: valueOf(name, wordOf(said)),
        label: `${label}: ${wordOf(said)}`,
        several: typeof said === 'string' ? undefined : said[1],
      },
    ]),
  ),
);

/** The choice to which an event belongs. Undefined for a type of a newer release. */
export const whatOf = (type: string): Word | undefined => wordByType.get(type);
