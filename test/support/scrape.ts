import { expect } from 'vitest';

export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A scrape, read as Prometheus reads it. */
export function seriesOf(text: string): Series[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      expect([line, name]).toEqual([line, expect.stringMatching(/./)]);
      const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"(?:,|$)/g)];
      return {
        name,
        labels: Object.fromEntries(pairs.map(([, label = '', of = '']) => [label, of])),
        value: Number(value),
      };
    });
}

/** The names of all metrics, those without a series too. */
export const familiesIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));

/** The metric that a series belongs to: those of a histogram have endings of their own. */
export const familyOf = (series: string): string => series.replace(/_(bucket|count|sum)$/, '');
