import { mkdirSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { password, startDashboard, type Account, type Dashboard } from '../../api/accounts/harness.ts';
import type { ServerSettings } from '../../api/harness.ts';
import { requirePlainWords } from '../../support/plain-words.ts';
import { launch } from '../chromium.ts';
import { objections, overflow } from '../page-checks.ts';

/** Where pictures go, for whoever wants to look: `PICTURES=/tmp/pictures npx vitest run test/browser/journeys`. */
const pictures = process.env['PICTURES'];

/**
 * `npm run test:journeys` makes every journey on every screen, and axe looks at all of their pages. That takes a quarter of
 * an hour. Otherwise a journey is made once: on the wide screen, with axe, and each of its pages is also made narrow to see
 * that it fits. test/browser/accessibility.test.ts has axe look at narrow pages, and test/api/dashboard-actions.test.ts
 * names the test that sends each form without scripts.
 */
const isCampaign = process.env['JOURNEYS'] === 'all';

const narrow = ['a narrow, light', { width: 360, colorScheme: 'light' }] as const;
const wide = ['a wide, dark', { width: 1440, colorScheme: 'dark' }] as const;
const scriptless = ['a narrow, scriptless', { width: 360, scripts: false }] as const;

/** The screens of a journey that needs scripts. */
export const screens = isCampaign ? [narrow, wide] : [wide];

/** The screens of other journeys: without scripts every action of the dashboard works too. */
export const screensAndNoScripts = isCampaign ? [narrow, wide, scriptless] : [wide];

/** The screens of a journey that goes another way without scripts, so that this way is always made too. */
export const screensAndOtherWay = isCampaign ? screensAndNoScripts : [wide, scriptless];

const height = 900;

export interface Screen {
  readonly width: number;
  readonly colorScheme?: 'light' | 'dark';
  /** False: without JavaScript. Then axe cannot look at the pages. */
  readonly scripts?: boolean;
}

/** A browser and a service with an empty data folder, for the tests of one describe block. */
export interface Service {
  readonly chromium: Browser;
  readonly dash: Dashboard;
}

/** Starts both before the tests and stops them afterwards. The values are there once the tests run. */
export function startService(settings: ServerSettings = {}): Service {
  const service = {} as { -readonly [Key in keyof Service]: Service[Key] };
  beforeAll(async () => {
    [service.chromium, service.dash] = await Promise.all([launch(), startDashboard(settings)]);
  });
  afterAll(async () => {
    await service.chromium.close();
    await service.dash.stop();
  });
  return service;
}

/** What one person does in a browser of their own. */
export class Visitor {
  readonly page: Page;
  readonly #origin: string;
  /** Other origins whose pages the person opens. */
  readonly #others = new Set<string>();
  readonly #screen: Screen;
  /** What should not happen: errors in the console, faults of scripts, requests to anybody else. */
  readonly #objections: string[] = [];
  /** Pages that were answered with 4xx, such as a form with an error. The console names each, and that is no fault. */
  readonly #refused = new Set<string>();

  constructor(page: Page, origin: string, screen: Screen) {
    this.page = page;
    this.#origin = origin;
    this.#screen = screen;
    page.setDefaultTimeout(30_000);
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      const isRefused =
        message.text().startsWith('Failed to load resource') && this.#refused.has(message.location().url);
      if (!isRefused) this.#objections.push(message.text());
    });
    page.on('response', (response) => {
      const status = response.status();
      if (status >= 400 && status < 500 && response.request().resourceType() === 'document')
        this.#refused.add(response.url());
    });
    page.on('pageerror', (error) => this.#objections.push(String(error)));
    page.on('request', (request) => {
      const { protocol, origin: asked } = new URL(request.url());
      if (protocol !== 'data:' && asked !== origin && !this.#others.has(asked))
        this.#objections.push(request.url());
    });
  }

  /** Opens a page of another origin, such as a site that people sign in to. */
  async openElsewhere(address: string): Promise<void> {
    this.#others.add(new URL(address).origin);
    await this.page.goto(address);
  }

  /** Opens a page of the service. `path` begins with a slash. */
  async open(path: string): Promise<void> {
    await this.page.goto(this.#origin + path);
  }

  async signIn({ email }: Account): Promise<void> {
    await this.open('/dash/sign-in');
    await this.fill('Email', email);
    await this.fill('Password', password);
    await this.press('Sign in');
    await this.heading('Home');
  }

  /** Fills in a field. Some labels also say what to write, so a pattern fits where the whole label does not. */
  async fill(label: string | RegExp, value: string): Promise<void> {
    await this.#field(label).fill(value);
  }

  async choose(label: string | RegExp, option: string): Promise<void> {
    await this.#field(label).selectOption({ label: option });
  }

  #field(label: string | RegExp): Locator {
    return this.page.getByLabel(label, { exact: typeof label === 'string' });
  }

  async press(name: string, within: Page | Locator = this.page): Promise<void> {
    await within.getByRole('button', { name, exact: true }).click();
  }

  async follow(name: string | RegExp): Promise<void> {
    await this.page
      .getByRole('link', { name, exact: typeof name === 'string' })
      .first()
      .click();
  }

  /** Opens a page of a thing by its tab: the menu may have an entry of the same name. */
  async followTab(name: string): Promise<void> {
    await this.page.locator('nav.tabs').getByRole('link', { name, exact: true }).click();
  }

  /** Opens a page by its entry in the menu, which a narrow screen hides until it is asked for. */
  async goTo(name: string): Promise<void> {
    const menu = this.page.getByRole('navigation', { name: 'Commonweal' });
    if (!(await menu.isVisible())) await this.follow('Menu');
    await menu.getByRole('link', { name, exact: true }).click();
    await this.page.locator('main h1').waitFor();
  }

  /** The entries of the menu for the team that is shown. */
  async menuEntries(): Promise<string[]> {
    const entries = await this.page.locator('nav.menu section a').allTextContents();
    return entries.map((each) => each.trim());
  }

  /** Opens the question of a change that asks first, such as Revoke, and confirms it. `label`: the words that confirm. */
  async confirm(name: string, label = name): Promise<void> {
    await this.page.locator('summary', { hasText: name }).first().click();
    await this.page.locator('details[open] .asked').getByRole('button', { name: label }).first().click();
  }

  /** Waits until the page says so. */
  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  async heading(name: string | RegExp): Promise<void> {
    await this.page.getByRole('heading', { name }).first().waitFor();
  }

  /** Nothing that axe objects to, nothing wider than the window, no word that people do not know. */
  async looksRight(name: string): Promise<void> {
    const { page } = this;
    const picture = `${name}-${this.#screen.width}`;
    if (pictures !== undefined) {
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: `${pictures}/${picture}.png`, fullPage: true });
    }
    requirePlainWords(await page.innerText('body'), picture);
    expect(await overflow(page), picture).toBeLessThanOrEqual(0);
    if (!isCampaign && this.#screen.width > narrow[1].width) {
      await page.setViewportSize({ width: narrow[1].width, height });
      expect(await overflow(page), `${name} made narrow`).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: this.#screen.width, height });
    }
    if (this.#screen.scripts === false) return;
    expect(await objections(page), picture).toEqual([]);
  }

  /** Ends the visit, in which nothing may have happened that should not. */
  async leave(): Promise<void> {
    expect(this.#objections).toEqual([]);
    await this.page.context().close();
  }
}

/** Counts from now on what somebody does: presses of buttons, links and boxes, and pages that are opened. */
export async function countSteps({ page }: Visitor): Promise<{ presses: number; pages: number }> {
  const steps = { presses: 0, pages: 0 };
  await page.exposeBinding('pressed', () => {
    steps.presses += 1;
  });
  await page.addInitScript(`addEventListener('pointerdown', () => globalThis.pressed(), { capture: true })`);
  page.on('load', () => {
    steps.pages += 1;
  });
  return steps;
}

/** Somebody new, with a browser of their own. */
export async function visit(
  { chromium, dash }: Pick<Service, 'chromium'> & { readonly dash: { readonly origin: string } },
  screen: Screen,
): Promise<Visitor> {
  const { width, colorScheme = 'light', scripts = true } = screen;
  const context = await chromium.newContext({
    viewport: { width, height },
    colorScheme,
    javaScriptEnabled: scripts,
    // Colours that change with the appearance then change at once.
    reducedMotion: 'reduce',
  });
  return new Visitor(await context.newPage(), dash.origin, screen);
}
