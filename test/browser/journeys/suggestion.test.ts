import { describe, expect, test } from 'vitest';
import { suggestChange } from '../../../src/commands/directory/upkeep/suggestion.ts';
import { context } from '../../api/harness.ts';
import { hasChromium } from '../chromium.ts';
import { screensAndOtherWay, startService, visit } from './journey.ts';

describe.skipIf(!hasChromium)('in a real browser, a suggested change', () => {
  const service = startService();

  test.each(screensAndOtherWay)(
    'is compared, taken over in part, and seen by everybody, on %s screen',
    { timeout: 120_000 },
    async (kind, screen) => {
      const { dash } = service;
      const team = `upkeep-${screensAndOtherWay.findIndex(([each]) => each === kind)}`;
      await dash.team(team);
      const account = await dash.account({ profile: { name: 'Rita Reviewer' } });
      await dash.member(team, account, 'reviewer');
      const [svcId = ''] = await dash.resources(1, {
        team,
        fields: () => ({ name: 'Corner Pantry', description: 'Food.', cost: 'Free', phones: [] }),
      });
      const fields = { description: 'Bread on Mondays.', phone: '305-555-0199', cost: 'Two dollars' };
      const suggested = { fields, note: 'Signed: your neighbours' };
      const about = { svc_id: svcId, team, by: 'visitor', kind: 'change' } as const;
      await suggestChange(dash.system, { ...about, suggested }, context());
      await dash.command(svcId, { kind: 'revise', change: { cost: 'One dollar' } });
      await dash.caughtUp();

      const reviewer = await visit(service, screen);
      const { page } = reviewer;
      await reviewer.signIn(account);
      await reviewer.sees('1 change is suggested.');
      await reviewer.follow(/^Compare and decide/);
      await reviewer.sees('Signed: your neighbours');
      await reviewer.sees('Somebody has changed it since this was suggested.');
      await reviewer.looksRight('suggested-changes');
      expect(await page.locator('[name=take][value=cost]').isChecked()).toBe(false);
      await page.locator('[name=take][value=description]').uncheck();
      await reviewer.press('Accept Corner Pantry');
      await reviewer.sees('It is taken over.');
      await reviewer.sees('No changes are suggested.');
      await reviewer.looksRight('no-suggested-changes');

      const visitor = dash.browser();
      await visitor.open(`/r/${svcId}`);
      expect(visitor.text).toContain('305-555-0199');
      expect(visitor.text).toContain('One dollar');
      expect(visitor.text).not.toContain('Bread on Mondays.');
    },
  );
});
