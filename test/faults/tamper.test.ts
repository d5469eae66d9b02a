import { expect, test } from 'vitest';
import { tamperCampaign } from './tampering/campaign.ts';

test('one changed, dropped, duplicated, swapped or added event of a log or an export is named, and no other', async () => {
  const { done, violations } = await tamperCampaign({
    rounds: 48,
    seed: 11,
    events: 300,
    tell: () => undefined,
  });
  expect(violations).toEqual([]);
  expect(Object.values(done).reduce((sum, times) => sum + times, 0)).toBe(48);
});
