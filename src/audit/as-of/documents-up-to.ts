import { apiKeyStream } from '../../events/keys.ts';
import { clientStream } from '../../events/oauth/client.ts';
import { consentStream } from '../../events/oauth/consent.ts';
import { streamName } from '../../events/define.ts';
import { grantStream } from '../../events/oauth/grant.ts';
import { resourceStream } from '../../events/directory/resource.ts';
import { teamStream } from '../../events/teams.ts';
import { userStream } from '../../events/accounts/user.ts';
import { people } from '../../projections/accounts-people.ts';
import { resources } from '../../projections/directory/resources.ts';
import type { Projection } from '../../projections/engine/read-model.ts';
import { apiKeys } from '../../projections/keys.ts';
import { clients } from '../../projections/oauth-clients.ts';
import { consents } from '../../projections/oauth-consents.ts';
import { grants } from '../../projections/oauth-grants.ts';
import { teams } from '../../projections/teams.ts';
import type { CollectionSpec, DocumentsById } from '../../stores/documents/port.ts';
import type { LogUpTo } from './log-up-to.ts';
import { foldedBy } from './read-models.ts';

/** Read models with one document for each stream, by the id in the stream's name. */
const models = [
  [people, userStream],
  [clients, clientStream],
  [consents, consentStream],
  [grants, grantStream],
  [apiKeys, apiKeyStream],
  [teams, teamStream],
  [resources, resourceStream],
] as const;

const modelsByName = new Map(
  models.map(([model, kind]) => [
    model.collection.name,
    { model: model as unknown as Projection<object>, streamOf: (id: string) => streamName(kind, id) },
  ]),
);

/**
 * Documents as they were at a position: each is folded from the events of its own stream. So that what judges today's
 * documents judges those of then. Documents that were asked for are kept, for one answer.
 */
export function documentsUpTo(log: LogUpTo): DocumentsById {
  const folded = new Map<string, Promise<object | undefined>>();
  return {
    collection<Doc extends object>({ name }: CollectionSpec<Doc>) {
      const entry = modelsByName.get(name);
      if (!entry) throw new Error(`${name} is not folded from one stream for each document.`);
      return {
        get: (id) => {
          const stream = entry.streamOf(id);
          const document =
            folded.get(stream) ??
            log.readStream(stream).then((events) => foldedBy(entry.model, events).get(id));
          folded.set(stream, document);
          return document as Promise<Doc | undefined>;
        },
      };
    },
  };
}
