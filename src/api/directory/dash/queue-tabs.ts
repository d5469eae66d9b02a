import type { Html } from '../../pages/html.ts';
import { tabs } from '../../pages/parts/list-controls.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { mistakesOf } from './dash-paths.ts';
import { shownCount } from './team-records.ts';
import { en } from './texts.ts';

/** The ways to the two queues, with how much waits in each. */
export function queueTabs(
  team: string,
  here: 'submitted' | 'mistakes',
  waiting: { readonly submitted: number; readonly reports: number },
): Html {
  const [submitted, mistakes] = [ofTeam(paths.review, team), mistakesOf(team)];
  return tabs({
    label: en.review.queues,
    here: here === 'submitted' ? submitted : mistakes,
    entries: [
      { to: submitted, label: en.review.submitted(shownCount(waiting.submitted)) },
      { to: mistakes, label: en.review.mistakes(shownCount(waiting.reports)) },
    ],
  });
}
