import { members } from '../../projections/teams-members.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import type { Option } from '../pages/parts/choices.ts';
import { listedList } from '../../actions/teams/listed-members.ts';
import { queryOf } from '../../actions/listing.ts';
import { listedMembers } from '../../projections/payments.ts';
import { peopleNamed } from '../../actions/accounts/people-named.ts';
import { en } from './texts.ts';

/** Of more members, a person is named by address: nobody finds a name in a longer list. */
const mostListed = 100;

/** The members of a team to choose from, by name. Undefined: there are too many for a list. */
export async function memberChoices(
  dependencies: PageDependencies,
  team: string,
): Promise<readonly Option[] | undefined> {
  const found = await dependencies.documents.collection(members.collection).page({
    where: { team, status: 'member' },
    orderBy: ['joined_at', 'user'],
    limit: mostListed + 1,
  });
  const others = await dependencies.documents
    .collection(listedMembers.collection)
    .page({ ...queryOf(listedList, { team }), limit: mostListed + 1 });
  if (found.length + others.length > mostListed) return undefined;
  const listed = (await listedList.open(dependencies, others)).flatMap(({ member, details }) =>
    details ? [{ value: member, label: labelOf(details.name, details.email) }] : [],
  );
  const named = await peopleNamed(
    dependencies,
    found.map(({ user }) => user),
  );
  const accounts = found.map(({ user }) => {
    const { name = en.erased, email = null } = named.get(user) ?? {};
    return { value: user, label: labelOf(name, email) };
  });
  return [...accounts, ...listed].sort((one, other) => one.label.localeCompare(other.label, 'en'));
}

const labelOf = (name: string, email: string | null | undefined): string =>
  email ? `${name} (${email})` : name;
