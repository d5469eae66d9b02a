import type { Html } from '../../pages/html.ts';
import { tabs } from '../../pages/parts/list-controls.ts';
import { addressOf } from './addresses.ts';
import { en } from './texts.ts';

/** The pages of one webhook. */
const places = { overview: [], deliveries: ['deliveries'], settings: ['settings'] } as const;

export const webhookTabs = (team: string, subscription: string, here: keyof typeof places): Html =>
  tabs({
    label: en.tabs.label,
    here: addressOf(team, subscription, places[here]),
    entries: (['overview', 'deliveries', 'settings'] as const).map((each) => ({
      to: addressOf(team, subscription, places[each]),
      label: en.tabs[each],
    })),
  });
