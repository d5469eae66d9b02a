import { describe, expect, test } from 'vitest';
import { submitResource } from '../../../src/commands/directory/resource.ts';
import { projections } from '../../../src/projections/all.ts';
import { visible } from '../../../src/projections/engine/read-your-writes.ts';
import { context } from '../../api/harness.ts';
import { hasChromium } from '../chromium.ts';
import { startService, visit } from './journey.ts';

const count = 489;
const team = 'food-bank';
const phone = { width: 360, colorScheme: 'light' } as const;

describe.skipIf(!hasChromium)('in a real browser, a reviewer on a phone', () => {
  const service = startService();

  test(
    'decides about one record and undoes it, ticks across pages, and approves all that fit at once',
    { timeout: 240_000 },
    async () => {
      const { dash } = service;
      const { system } = dash;
      await dash.team(team);
      const reviewer = await dash.account({ profile: { name: 'Rosa Reviewer' } });
      await dash.member(team, reviewer, 'reviewer');
      await dash.withoutProjector(async () => {
        for (let from = 0; from < count; from += 100)
          await Promise.all(
            Array.from({ length: Math.min(100, count - from) }, (_, offset) =>
              submitResource(
                system,
                {
                  team,
                  fields: {
                    name: `Pantry ${from + offset}`,
                    category: 'food',
                    description: 'Bags of food for everybody who comes. '.repeat(20),
                    organization: { name: 'Helping Hands' },
                    locations: [{ street: `${from + offset} Harbor Street`, city: 'Lakewood' }],
                  },
                },
                context(),
              ),
            ),
          );
      });
      const names = projections.map(({ collection }) => collection.name);
      await visible(system.documents, names, await system.store.head(), 60_000);

      const rosa = await visit(service, phone);
      const { page } = rosa;
      await rosa.signIn(reviewer);
      await rosa.goTo('Review');
      // The decision is in view without scrolling, however long the record is.
      const approve = page.getByRole('button', { name: /^Approve Pantry/ });
      const inView = async () => {
        const box = await approve.boundingBox();
        return box !== null && box.y >= 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0);
      };
      expect(await inView()).toBe(true);
      await rosa.looksRight('review-on-a-phone');
      await approve.click();
      await rosa.sees('It is approved, and everybody can see it.');
      await rosa.press('Undo');
      await rosa.sees('The decision is undone. The record waits again.');
      expect(await inView()).toBe(true);

      await rosa.follow('All that wait, as a table');
      await rosa.sees(`${count} records. Page 1 of 10.`);
      const boxes = page.locator('input[name="record"]');
      await boxes.nth(0).check();
      await boxes.nth(1).check();
      await rosa.looksRight('waiting-table-on-a-phone');
      await rosa.follow('Next');
      await rosa.sees('2 ticked, 2 of them on other pages');
      await boxes.nth(0).check();
      await rosa.sees('3 ticked, 2 of them on other pages');
      await rosa.press('Reject');
      await rosa.heading(/3 records/);
      await page.goBack();

      await rosa.goTo('Review');
      await rosa.follow('All that wait, as a table');
      await page.getByLabel(`All ${count} that fit this filter`).check();
      await rosa.press('Approve');
      await rosa.heading(/489 records/);
      await page.getByRole('button', { name: /^Approve/ }).click();
      await page
        .getByText(/489 records were approved/)
        .first()
        .waitFor({ timeout: 120_000 });
      await rosa.goTo('Review');
      await rosa.sees('Nothing waits for a decision.');
      await rosa.leave();
    },
  );
});
