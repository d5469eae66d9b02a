import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSystem, type RunningSystem } from '../api/harness.ts';
import { anyForm } from '../support/any-form.ts';
import { runCommandLine } from '../support/command-line.ts';
import { requirePlainWords } from '../support/plain-words.ts';
import { hasChromium, launch } from './chromium.ts';
import { colourRules, everyRule, objections, overflow } from './page-checks.ts';

describe.skipIf(!hasChromium)('a form in Chromium', () => {
  let chromium: Browser;
  let system: RunningSystem;
  let origin: string;
  /** The form asks people to take a moment; the clock of the server takes it. */
  let skipped = 0;
  const command = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCommandLine(words, system.folder);
    expect(code, stderr).toBe(0);
    return stdout;
  };
  beforeAll(async () => {
    [chromium, system] = await Promise.all([
      launch(),
      startSystem({ now: () => new Date(Date.now() + skipped) }),
    ]);
    origin = (await system.listen()).replace('127.0.0.1', 'localhost');
    await system.team('harbour', ['forms:read']);
    const file = join(system.folder, 'volunteers.json');
    writeFileSync(file, JSON.stringify(anyForm()));
    await command('forms', 'publish', '--team', 'harbour', '--slug', 'volunteers', '--file', file);
    await command('forms', 'publish', '--team', 'harbour', '--slug', 'closed', '--file', file);
    await command('forms', 'close', '--team', 'harbour', '--slug', 'closed');
  });
  afterAll(async () => {
    await chromium.close();
    await system.stop();
  });

  test('has nothing that axe objects to, and fits at 360 px, in both languages, in light and dark', async () => {
    const context = await chromium.newContext({
      reducedMotion: 'reduce',
      viewport: { width: 360, height: 740 },
    });
    const page = await context.newPage();
    const inspect = async (at: string) => {
      requirePlainWords(await page.innerText('body'), at);
      for (const [colorScheme, rules] of [
        ['light', everyRule],
        ['dark', colourRules],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await objections(page, rules), `${at} ${colorScheme}`).toEqual([]);
      }
      expect(await overflow(page), at).toBeLessThanOrEqual(0);
    };
    const buttons = { en: 'Send', es: 'Enviar' } as const;
    for (const language of ['en', 'es'] as const) {
      for (const path of ['volunteers', 'volunteers?done=', 'closed', 'none']) {
        await page.goto(`${origin}/f/harbour/${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
        await inspect(`${path} ${language}`);
      }
      // With the problems.
      await page.goto(`${origin}/f/harbour/volunteers?lang=${language}`);
      await page.locator('#field-email').fill('nobody');
      await page.locator('#field-household').fill('99');
      await page.getByRole('button', { name: buttons[language] }).click();
      await page.getByRole('alert').waitFor();
      await inspect(`problems ${language}`);
    }
    await context.close();
  });

  test('is published by command, filled in by a stranger without JavaScript, and read with a key', async () => {
    const context = await chromium.newContext({
      javaScriptEnabled: false,
      locale: 'es-MX',
      viewport: { width: 360, height: 740 },
    });
    const page = await context.newPage();
    await page.goto(`${origin}/f/harbour/volunteers`);
    await page.getByRole('heading', { name: 'Hágase voluntario' }).waitFor();
    await page.getByLabel('Correo electrónico').fill('ana@');
    await page.getByLabel('¿Qué necesita?').fill('Ayuda los sábados');
    await page.getByLabel('Sábado').check();
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByText('Revise 2 respuestas:').waitFor();
    await page.getByRole('link', { name: 'Su nombre' }).click();
    // The summary leads to the field.
    await page.locator('#field-name:focus').fill('Ana Ruiz');
    await page.getByLabel('Correo electrónico').fill('ana@example.org');
    await page.getByLabel('Conducir').check();
    await page.getByLabel('Teléfono', { exact: true }).last().check();
    await page.getByLabel('¿Desde cuándo?').fill('2026-12-01');
    await page.getByLabel('Me pueden llamar').check();
    skipped = 10_000;
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByRole('heading', { name: 'Gracias' }).waitFor();
    await page.getByText('Le llamaremos en dos días.').waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Volver al formulario' }).click();
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Become a volunteer' }).waitFor();
    await context.close();

    await system.caughtUp();
    const [, key = ''] =
      /(api_tk_\w+)/.exec(
        await command('keys', 'create', '--kind', 'team', '--team', 'harbour', '--scopes', 'forms:read'),
      ) ?? [];
    const headers = { authorization: `Bearer ${key}` };
    const forms = await fetch(`${origin}/dash/api/v1/forms`, { headers });
    const { data } = (await forms.json()) as { data: { id: string; slug: string }[] };
    const form = data.find(({ slug }) => slug === 'volunteers');
    const read = await fetch(`${origin}/dash/api/v1/forms/${form?.id ?? ''}/submissions`, { headers });
    expect(await read.json()).toMatchObject({
      data: [
        {
          form: form?.id,
          erased: false,
          answers: {
            name: 'Ana Ruiz',
            email: 'ana@example.org',
            story: 'Ayuda los sábados',
            day: 'sat',
            help_with: ['driving', 'phones'],
            agrees: true,
            from: '2026-12-01',
          },
        },
      ],
      has_more: false,
    });
  });
});
