import type { EventType } from '../../events/catalogue.ts';
import { groups, type Wording } from './what-groups.ts';

/** A choice of what happened: a whole group, or one kind of it. `value`: as it stands in addresses. */
export interface WhatChoice {
  readonly value: string;
  readonly label: string;
}

const wordOf = (wording: Wording): string => (typeof wording === 'string' ? wording : wording[0]);
const valueOf = (group: string, word: string): string =>
  `${group}.${word.replaceAll(/[^a-z]+/gi, '-').toLowerCase()}`;

/** The choices, by group: the group itself first. */
export const whatChoices: readonly { readonly label: string; readonly choices: readonly WhatChoice[] }[] =
  groups.map(({ name, label, what }) => ({
    label,
    choices: [
      { value: name, label: `${label}: all` },
      ...Object.values(what).map((wording) => ({
        value: valueOf(name, wordOf(wording)),
        label: `${label}: ${wordOf(wording)}`,
      })),
    ],
  }));

const typesByValue = new Map<string, readonly EventType[]>(
  groups.flatMap(({ name, what }) => {
    const entries = Object.entries(what) as [EventType, Wording][];
    return [
      [name, entries.map(([type]) => type)] as const,
      ...entries.map(([type, wording]) => [valueOf(name, wordOf(wording)), [type]] as const),
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
    Object.entries(what).map(([type, wording]) => [
      type,
      {
        value: valueOf(name, wordOf(wording)),
        label: `${label}: ${wordOf(wording)}`,
        several: typeof wording === 'string' ? undefined : wording[1],
      },
    ]),
  ),
);

/** The choice to which an event belongs. Undefined for a type of a newer release. */
export const whatOf = (type: string): Word | undefined => wordByType.get(type);
