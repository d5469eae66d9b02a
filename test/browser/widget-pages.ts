import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { UnsealedFields } from '../../src/events/directory/resource-fields.ts';
import { startSystem, type RunningSystem } from '../api/harness.ts';
import { startProxy, type Proxy } from '../support/proxy.ts';
import { launch } from './chromium.ts';

/** Where the widget goes when its script says nothing else. */
export const container = '<div id="service-resources"></div>';

/** What the clock of a page begins with: a Tuesday, 10:00 in New York. */
export const tuesday = new Date('2026-03-31T14:00:00Z');

export type Attributes = Readonly<Record<string, string>>;

type Settings = BrowserContextOptions & { readonly headers?: Attributes };

export interface OpenedPage {
  readonly page: Page;
  /** Errors in its console. */
  readonly said: readonly string[];
  /** The first widget in it. */
  readonly widget: Locator;
}

/** A directory, pages of another origin that show it, and a browser. */
export interface WidgetSite {
  readonly system: RunningSystem;
  /** Between the pages and the service, which can go away behind it. */
  readonly proxy: Proxy;
  /** The address of the service, as pages know it. */
  readonly base: string;
  /** The origin of the pages. */
  readonly origin: string;
  /** The script tag, with a key that may read. */
  readonly tag: (attributes?: Attributes) => string;
  /** Opens a page. */
  readonly open: (html: string, settings?: Settings) => Promise<OpenedPage>;
  readonly stop: () => Promise<void>;
}

export async function startWidgetSite(
  count: number,
  fields: (index: number) => Partial<UnsealedFields> = () => ({}),
): Promise<WidgetSite> {
  const pages: { html: string; headers: Attributes }[] = [];
  const [chromium, system, site] = await Promise.all([
    launch(),
    startSystem(),
    listening((request, response) => {
      const found = pages[Number(request.url?.slice(1))];
      response
        .writeHead(found ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', ...found?.headers })
        .end(found?.html);
    }),
  ]);
  await system.resources(count, { fields });
  const { key } = await system.key({ scopes: ['resources:read'] });
  const { hostname: host, port } = new URL(await system.listen());
  const proxy = await startProxy({ host, port: Number(port) });
  const base = `http://127.0.0.1:${proxy.port}`;
  const origin = `http://localhost:${site.port}`;

  return {
    system,
    proxy,
    base,
    origin,
    tag: (attributes = {}) => scriptTag(base, { 'data-key': key, ...attributes }),
    async open(html, { headers = {}, ...options } = {}) {
      const context = await chromium.newContext({
        viewport: { width: 800, height: 900 },
        reducedMotion: 'reduce',
        ...options,
      });
      const page = await context.newPage();
      await page.clock.install({ time: tuesday });
      await page.addInitScript(
        `window.violations = []; document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));`,
      );
      const said: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') said.push(message.text());
      });
      page.on('pageerror', (error) => said.push(String(error)));
      pages.push({ html, headers });
      await page.goto(`${origin}/${pages.length - 1}`);
      return { page, said, widget: page.locator('resources-widget').first() };
    },
    async stop() {
      await chromium.close();
      await site.close();
      await proxy.close();
      await system.stop();
    },
  };
}

/** Waits until a widget says something. */
export const says = (widget: Locator, text: string | RegExp): Promise<void> =>
  widget.getByRole('status').filter({ hasText: text }).waitFor();

/** Evaluates an expression in a page. `root` in it is the shadow tree of the first widget. */
export const inside = <Value>({ page }: OpenedPage, expression: string): Promise<Value> =>
  page.evaluate<Value>(`((root) => ${expression})(document.querySelector('resources-widget').shadowRoot)`);

/** Ends a page. */
export const close = (page: Page): Promise<void> => page.context().close();

/** A server on the loopback that answers as a test says. */
export async function listening(
  answer: RequestListener,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A page with what stands in its body. */
export const pageOf = (body: string, { head = '', lang = 'en' } = {}): string =>
  `<!doctype html><html lang="${lang}"><head><title>A site</title><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`;

/** The script tag, with its attributes. */
export const scriptTag = (base: string, attributes: Attributes): string => {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
  return `<script src="${base}/resources-widget.js"${written.join('')}></script>`;
};
