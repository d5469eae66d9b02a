import { organizations } from '../../projections/directory/organizations.ts';
import { resources } from '../../projections/directory/resources.ts';
import { sources } from '../../projections/directory/sources.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { forms, formSubmissions } from '../../projections/forms.ts';
import { apiKeys, isValid } from '../../projections/keys.ts';
import { clients } from '../../projections/oauth-clients.ts';
import { listedMembers, payments } from '../../projections/payments.ts';
import { invitations } from '../../projections/teams-invitations.ts';
import { members } from '../../projections/teams-members.ts';
import { teams, views, type TeamDocument } from '../../projections/teams.ts';
import { subscriptions } from '../../projections/webhooks/subscriptions.ts';
import type { CollectionSpec, CountQuery } from '../../stores/documents/port.ts';
import type { ActionParts } from '../action.ts';

/** What a team uses, in numbers. */
export interface TeamUsage {
  readonly members: number;
  /** That wait. */
  readonly invitations: number;
  readonly public_records: number;
  readonly waiting_records: number;
  readonly other_records: number;
  readonly public_organizations: number;
  readonly other_organizations: number;
  readonly sources: number;
  readonly views: number;
  /** That take answers. */
  readonly open_forms: number;
  readonly closed_forms: number;
  /** That are kept. */
  readonly answers: number;
  /** That work. */
  readonly keys: number;
  readonly webhooks: number;
  /** Where people can sign in. */
  readonly sites: number;
  readonly payments: number;
  readonly listed_members: number;
}

/** A team with what it uses. Undefined: there is none. */
export async function teamInDetail(
  { documents }: Pick<ActionParts, 'documents'>,
  team: string,
  at: Date,
): Promise<(TeamDocument & { readonly uses: TeamUsage }) | undefined> {
  const [doc, uses] = await Promise.all([
    documents.collection(teams.collection).get(team),
    teamUsage({ documents }, team, at),
  ]);
  return doc && { ...doc, uses };
}

/** The read models that are counted. */
export const usageReadModels = [
  ...[members, invitations, resources, organizations, sources, views],
  ...[forms, formSubmissions, apiKeys, subscriptions, clients, payments, listedMembers],
] as const;

/** Counts from the read models what a team uses at a time. */
export async function teamUsage(
  { documents }: Pick<ActionParts, 'documents'>,
  team: string,
  at: Date,
): Promise<TeamUsage> {
  const number = <Doc extends object>(
    { collection }: { readonly collection: CollectionSpec<Doc> },
    where: CountQuery<Doc>['where'],
  ) => documents.collection(collection).count({ where: where as typeof where & {} });
  const all = <Doc extends object>(
    { collection }: { readonly collection: CollectionSpec<Doc> },
    orderBy: readonly (keyof Doc & string)[],
  ) =>
    paginateAll(documents.collection(collection), {
      where: { team } as CountQuery<Doc>['where'] & {},
      orderBy,
    });
  const answersOf = async (): Promise<number> => {
    const counts = (await all(forms, ['slug'])).map(({ form }) => number(formSubmissions, { form, kept: 1 }));
    return (await Promise.all(counts)).reduce((sum, each) => sum + each, 0);
  };
  const ofMembers = Promise.all([
    number(members, { team, status: 'member' }),
    number(invitations, { team, status: 'open' }),
    number(listedMembers, { team, status: 'listed' }),
    number(payments, { team }),
  ]);
  const ofDirectory = Promise.all([
    number(resources, { team }),
    number(resources, { team, status: 'approved' }),
    number(resources, { team, status: 'submitted' }),
    number(organizations, { team }),
    number(organizations, { team, status: 'approved' }),
    number(sources, { team }),
    number(views, { team }),
  ]);
  const ofForms = Promise.all([
    number(forms, { team }),
    number(forms, { team, status: 'open' }),
    answersOf(),
  ]);
  const ofPrograms = Promise.all([
    all(apiKeys, ['created_at', 'key_id']),
    all(subscriptions, ['subscription']),
    all(clients, ['registered_at', 'client']),
  ]);
  const [people, invited, listed, paid] = await ofMembers;
  const [records, shown, waiting, named, namedShown, from, saved] = await ofDirectory;
  const [made, open, answers] = await ofForms;
  const [keys, webhooks, sites] = await ofPrograms;
  return {
    members: people,
    invitations: invited,
    public_records: shown,
    waiting_records: waiting,
    other_records: records - shown - waiting,
    public_organizations: namedShown,
    other_organizations: named - namedShown,
    sources: from,
    views: saved,
    open_forms: open,
    closed_forms: made - open,
    answers,
    keys: keys.filter((key) => isValid(key, at)).length,
    webhooks: webhooks.filter(({ status }) => status !== 'deleted').length,
    sites: sites.filter(({ status }) => status === 'active').length,
    payments: paid,
    listed_members: listed,
  };
}
