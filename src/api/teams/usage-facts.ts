import type { TeamUsage } from '../../actions/teams/usage.ts';
import { countedUpTo } from '../../ground/counted.ts';
import { html, type Html } from '../pages/html.ts';
import { facts } from '../pages/parts/facts.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { en } from './texts.ts';

const texts = en.usage;
const counted = countedUpTo(Infinity);
const [organizationsPath, importsPath] = [`${paths.directory}/organizations`, `${paths.directory}/import`];

/** A number with its noun, and the page that shows what is counted. What is left out where there is none. */
interface Counted {
  readonly text: string;
  readonly path: string;
  readonly also?: Readonly<Record<string, string>>;
  readonly optional?: boolean;
}

/** What a team uses, each linked to where it is looked at, unless those pages are closed. */
export function usageFacts(
  team: string,
  usage: TeamUsage,
  { linked = true }: { readonly linked?: boolean } = {},
): Html {
  const withStatus = (status: string) => ({ path: paths.directory, also: { status } });
  const some = (number: number) => ({ optional: number === 0 });
  const rows: readonly (readonly [string, readonly Counted[]])[] = [
    [
      texts.people,
      [
        { text: counted(usage.members, 'member'), path: paths.team },
        {
          text: counted(usage.invitations, 'invitation waits', 'invitations wait'),
          path: paths.team,
          ...some(usage.invitations),
        },
        {
          text: counted(usage.listed_members, 'without an account', 'without an account'),
          path: `${paths.payments}/members`,
          ...some(usage.listed_members),
        },
      ],
    ],
    [
      texts.records,
      [
        { text: counted(usage.public_records, 'public', 'public'), ...withStatus('approved') },
        {
          text: counted(usage.waiting_records, 'waiting', 'waiting'),
          path: paths.review,
          ...some(usage.waiting_records),
        },
        {
          text: counted(usage.other_records, 'other', 'others'),
          path: paths.directory,
          ...some(usage.other_records),
        },
      ],
    ],
    [
      texts.organizations,
      [
        { text: counted(usage.public_organizations, 'public', 'public'), path: organizationsPath },
        {
          text: counted(usage.other_organizations, 'other', 'others'),
          path: organizationsPath,
          ...some(usage.other_organizations),
        },
      ],
    ],
    [texts.sources, [{ text: counted(usage.sources, 'source'), path: importsPath }]],
    [texts.views, [{ text: counted(usage.views, 'view'), path: paths.directory }]],
    [
      texts.forms,
      [
        { text: counted(usage.open_forms, 'open', 'open'), path: paths.forms },
        {
          text: counted(usage.closed_forms, 'closed', 'closed'),
          path: paths.forms,
          ...some(usage.closed_forms),
        },
        { text: counted(usage.answers, 'answer kept', 'answers kept'), path: paths.forms },
      ],
    ],
    [texts.keys, [{ text: counted(usage.keys, 'that works', 'that work'), path: paths.teamKeys }]],
    [texts.webhooks, [{ text: counted(usage.webhooks, 'webhook'), path: paths.webhooks }]],
    [texts.sites, [{ text: counted(usage.sites, 'site'), path: paths.sites }]],
    [texts.payments, [{ text: counted(usage.payments, 'payment'), path: paths.payments }]],
  ];
  return facts(
    rows.map(([label, all]) => [
      label,
      html`${all
        .filter(({ optional }) => optional !== true)
        .map(
          ({ text, path, also }, place) =>
            html`${place > 0 ? ' · ' : ''}${linked ? html`<a href="${ofTeam(path, team, also)}">${text}</a>` : text}`,
        )}`,
    ]),
  );
}
