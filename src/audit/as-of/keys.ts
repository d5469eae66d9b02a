import { withLabels } from '../../commands/keys-label.ts';
import type { KeyScope } from '../../events/teams.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import { apiKeys, type ApiKeyDocument, isValid, usableScopes } from '../../projections/keys.ts';
import { teams } from '../../projections/teams.ts';
import { concernedEvents, concernedKinds, type ConcernedParts } from './concerned-events.ts';
import { documentsUpTo } from './documents-up-to.ts';
import { fold } from './read-models.ts';
import { pageOf, type ListRequest, type ListPage } from './reader.ts';

/** A key that was valid. */
export interface KeyThen extends Pick<
  ApiKeyDocument,
  'key_id' | 'kind' | 'team' | 'label' | 'scopes' | 'domains' | 'created_at' | 'created_by' | 'expires_at'
> {
  /** The scopes that it could use: team scopes only while the team had them enabled. */
  readonly usable_scopes: readonly KeyScope[];
}

/** The keys that were valid: made, neither revoked nor expired, and of no closed team. Of one team, or all. */
export async function keysThen(
  parts: ConcernedParts & { readonly personal: PersonalData },
  { at, team }: { readonly at: Date; readonly team?: string | undefined },
  list: ListRequest,
): Promise<ListPage<KeyThen>> {
  const { log, personal } = parts;
  const folded = new Map<string, ApiKeyDocument>();
  const where = team === undefined ? {} : { team };
  for await (const events of concernedEvents(parts, concernedKinds.keys, where, apiKeys.events))
    for (const event of events) fold(apiKeys, folded, event);
  const documents = documentsUpTo(log);
  const teamThen = async (of: string | undefined) =>
    of === undefined ? undefined : documents.collection(teams.collection).get(of);
  const unended = [...folded.values()].filter(
    (key) => isValid(key, at) && (team === undefined || key.team === team),
  );
  const closed = new Set<string | undefined>();
  for (const of of new Set(unended.map((key) => key.team)))
    if ((await teamThen(of))?.closed_at !== undefined) closed.add(of);
  const valid = unended.filter((key) => !closed.has(key.team));
  const { entries, ...rest } = pageOf(valid, ({ created_at, key_id }) => `${created_at} ${key_id}`, list);
  const labelled = await withLabels(personal, entries);
  const withScopes = labelled.map(async (key): Promise<KeyThen> => {
    const { key_id, kind, team: of, label, scopes, domains, created_at, created_by, expires_at } = key;
    const enabled = (await teamThen(of))?.scopes ?? [];
    return {
      key_id,
      kind,
      team: of,
      label,
      scopes,
      usable_scopes: usableScopes(key, enabled),
      domains,
      created_at,
      created_by,
      expires_at,
    };
  });
  return { ...rest, entries: await Promise.all(withScopes) };
}
