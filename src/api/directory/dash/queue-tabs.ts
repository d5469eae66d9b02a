import type { Html } from '../../pages/html.ts';
import { tabs } from '../../pages/parts/list-controls.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { claimsOf, mistakesOf, suggestionsOf, waitingOrganizationsOf } from './dash-paths.ts';
import { organizationTexts } from './organization-texts.ts';
import { shownCount, type Waiting } from './team-records.ts';
import { en } from './texts.ts';

/** The ways to the queues, with how much waits in each. */
export function queueTabs(
  team: string,
  here: 'submitted' | 'organizations' | 'mistakes' | 'suggestions' | 'claims',
  waiting: Waiting,
): Html {
  const to = {
    submitted: ofTeam(paths.review, team),
    organizations: waitingOrganizationsOf(team),
    mistakes: mistakesOf(team),
    suggestions: suggestionsOf(team),
    claims: claimsOf(team),
  };
  return tabs({
    label: en.review.queues,
    here: to[here],
    entries: [
      { to: to.submitted, label: en.review.submitted(shownCount(waiting.submitted)) },
      { to: to.organizations, label: organizationTexts.waits(shownCount(waiting.organizations)) },
      { to: to.suggestions, label: en.review.suggestions(shownCount(waiting.suggestions)) },
      { to: to.claims, label: en.review.claims(shownCount(waiting.claims)) },
      { to: to.mistakes, label: en.review.mistakes(shownCount(waiting.reports)) },
    ],
  });
}
