import { expect, test } from 'vitest';
import { webhookCampaign } from './webhooks/campaign.ts';
import { kinds } from './round.ts';
import { rebuildCampaign } from './rebuild-campaign.ts';
import { killingRounds } from './rounds.ts';

test.each(kinds)(
  'kill -9 during %s loses nothing, doubles nothing and leaves nothing undone',
  async (only) => {
    const rounds = await killingRounds({
      rounds: 2,
      seed: 7,
      only,
      services: 300,
      approvals: 40,
      tell: () => undefined,
    });
    expect(rounds.flatMap(({ violations }) => violations)).toEqual([]);
    expect(rounds.reduce((sum, { kills }) => sum + kills, 0)).toBeGreaterThan(0);
  },
);

test('a receiver that answers at random, and a dispatcher that is killed meanwhile, leave every delivery delivered or failed by the rule', async () => {
  const { violations, kills, delivered, failed } = await webhookCampaign({
    seed: 5,
    deliveries: 120,
    subscribers: 4,
    kills: 2,
    patienceMs: 45_000,
    tell: () => undefined,
  });
  expect(violations).toEqual([]);
  expect([kills, delivered + failed]).toEqual([2, 120]);
});

test('read models that are rebuilt under load while the projector is killed show no gap, and are in the end what a fold from zero makes', async () => {
  const { violations, kills, resumed } = await rebuildCampaign({
    seed: 3,
    services: 400,
    kills: 1,
    patienceMs: 45_000,
    tell: () => undefined,
  });
  expect(violations).toEqual([]);
  expect(kills).toBe(1);
  expect(resumed).toBeGreaterThan(0);
});
