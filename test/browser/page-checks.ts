import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Axe in 0.65 MB, where `axe.source` has 1.5 MB: Chromium reads it anew in each page. */
export const axeProgram: string = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** What axe is asked about a page: WCAG 2.2 A and AA, and good practice. */
export const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] as const;

/** The rules that look at colours. In the other appearance, light or dark, nothing else is different. */
export const colourRules = ['color-contrast', 'link-in-text-block'] as const;

/**
 * What axe objects to, a line for each rule. `runOnly`: all that axe has on by itself unless given; `without` some of them. Axe is put in from
 * outside, so that the policy of the page stays as it is, and only where it looks: loading it into every page that a test
 * opens took half as much CPU as the pages.
 */
export async function objections(
  page: Page,
  runOnly?: readonly string[],
  without: readonly string[] = [],
): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axeProgram);
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  const options = { ...(runOnly && { runOnly }), rules, resultTypes: ['violations'] };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** By how many pixels a page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Tabs that lie beside the window, where nobody looks for them. */
export const tabsOutside = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('.tabs a')]
      .filter((tab) => tab.getBoundingClientRect().right > innerWidth)
      .map((tab) => tab.textContent)`,
  );
