import { clientStream, type ClientEvent } from '../events/oauth/client.ts';
import { consentId, consentStream, type ConsentEvent } from '../events/oauth/consent.ts';
import { streamName, type StreamDefinition } from '../events/define.ts';
import { grantStream, type GrantEvent } from '../events/oauth/grant.ts';
import type { SignInScope } from '../events/oauth/values.ts';
import type { Collection, DocumentsById } from '../stores/documents/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { clients, foldClient, type ClientDocument } from './oauth-clients.ts';
import { consents, foldConsent, type ConsentDocument } from './oauth-consents.ts';
import { projected, type ProjectedEvent } from './engine/read-model.ts';
import { foldGrant, grants, type GrantDocument } from './oauth-grants.ts';
import { people, type PersonDocument } from './accounts-people.ts';
import { teams, type TeamDocument } from './teams.ts';

/** The claims of an authentic access token. */
export interface AuthenticToken {
  readonly grantId: string;
  readonly generation: number;
  /** Unix seconds. */
  readonly expires: number;
}

/** A token that is valid now, with its grant, client and person. */
export interface ValidToken {
  readonly status: 'valid';
  /** The scopes that the grant, the consent and the client all allow now. */
  readonly scopes: readonly SignInScope[];
  readonly grant: GrantDocument;
  readonly client: ClientDocument;
  readonly person: PersonDocument;
}

/** A grant whose tokens are valid now, unless they have expired or are revoked. */
export interface ValidGrant {
  readonly status: 'valid';
  readonly consent: ConsentDocument;
  readonly client: ClientDocument;
  readonly person: PersonDocument;
}

/** Why a token is not valid: for the log or a developer, never for the caller who presents the token. */
export interface InvalidToken {
  readonly status: 'invalid';
  readonly because:
    | 'expired'
    | 'unknown grant'
    | 'revoked grant'
    | 'revoked token'
    | 'revoked consent'
    | 'inactive client'
    | 'closed team'
    | 'client reactivated since'
    | 'no such person';
}

/**
 * Tells whether an access token is valid, from five documents read by id: grant, consent, client, its team and person.
 * Revoking a consent, deactivating a client or closing a team writes no event for each token, and still ends all of their
 * tokens (interface 3).
 *
 * A token is valid as soon as it is returned, before a read model shows it: when it names a generation, an epoch or
 * an activation that the documents do not have yet, the newest event of the stream is read instead.
 */
export class AccessTokenValidity {
  readonly #store: Pick<EventStore, 'readStream'>;
  readonly #grants: Pick<Collection<GrantDocument>, 'get'>;
  readonly #consents: Pick<Collection<ConsentDocument>, 'get'>;
  readonly #clients: Pick<Collection<ClientDocument>, 'get'>;
  readonly #people: Pick<Collection<PersonDocument>, 'get'>;
  readonly #teams: Pick<Collection<TeamDocument>, 'get'>;

  constructor({
    store,
    documents,
  }: {
    readonly store: Pick<EventStore, 'readStream'>;
    readonly documents: DocumentsById;
  }) {
    this.#store = store;
    this.#grants = documents.collection(grants.collection);
    this.#consents = documents.collection(consents.collection);
    this.#clients = documents.collection(clients.collection);
    this.#people = documents.collection(people.collection);
    this.#teams = documents.collection(teams.collection);
  }

  async of({ grantId, generation, expires }: AuthenticToken, at: Date): Promise<ValidToken | InvalidToken> {
    if (at.getTime() >= expires * 1_000) return invalid('expired');
    const grant = await this.#grant(grantId, generation);
    if (!grant) return invalid('unknown grant');
    if (grant.status === 'revoked') return invalid('revoked grant');
    const token = grant.access_tokens.find((each) => each.generation === generation);
    if (!token || token.revoked) return invalid('revoked token');
    const found = await this.ofGrant(grant);
    if (found.status === 'invalid') return found;
    const { consent, client, person } = found;
    const scopes = token.scopes.filter((scope) => consent.scopes.includes(scope) && mayHave(client, scope));
    return { status: 'valid', scopes, grant, client, person };
  }

  /** Whether the tokens of a grant are valid that have not expired and are not revoked. */
  async ofGrant(grant: GrantDocument): Promise<ValidGrant | InvalidToken> {
    if (grant.status === 'revoked') return invalid('revoked grant');
    const [consent, client, person] = await Promise.all([
      this.#consent(grant),
      this.#client(grant),
      this.#people.get(grant.user),
    ]);
    if (consent?.status !== 'active' || consent.epoch !== grant.epoch) return invalid('revoked consent');
    if (client?.status !== 'active') return invalid('inactive client');
    if ((await this.#teams.get(client.team))?.closed_at !== undefined) return invalid('closed team');
    if ((client.activation ?? 0) !== (grant.activation ?? 0)) return invalid('client reactivated since');
    if (person?.status !== 'active') return invalid('no such person');
    if (consent.access_epoch < person.access_epoch) return invalid('revoked consent');
    return { status: 'valid', consent, client, person };
  }

  async #grant(id: string, generation: number): Promise<GrantDocument | undefined> {
    const shown = await this.#grants.get(id);
    if (shown && (shown.generation >= generation || shown.status === 'revoked')) return shown;
    const event = await newest<GrantEvent>(this.#store, grantStream, id);
    return event && foldGrant(shown, event);
  }

  async #consent({ user, client, epoch }: GrantDocument): Promise<ConsentDocument | undefined> {
    const id = consentId(user, client);
    const shown = await this.#consents.get(id);
    if (shown && shown.epoch >= epoch) return shown;
    const event = await newest<ConsentEvent>(this.#store, consentStream, id);
    return event && foldConsent(shown, event);
  }

  async #client({ client, activation = 0 }: GrantDocument): Promise<ClientDocument | undefined> {
    const shown = await this.#clients.get(client);
    if (shown && (shown.activation ?? 0) >= activation) return shown;
    const event = await newest<ClientEvent>(this.#store, clientStream, client);
    return event && foldClient(shown, event);
  }
}

async function newest<Event extends GrantEvent | ConsentEvent | ClientEvent>(
  store: Pick<EventStore, 'readStream'>,
  kind: StreamDefinition,
  id: string,
): Promise<ProjectedEvent<Event> | undefined> {
  const [event] = await store.readStream(streamName(kind, id), { direction: 'backwards', limit: 1 });
  return event && (projected(event) as ProjectedEvent<Event>);
}

/** Every client may request offline_access: a refresh token is always returned. */
const mayHave = ({ scopes }: ClientDocument, scope: SignInScope): boolean =>
  scope === 'offline_access' || scopes.includes(scope);

const invalid = (because: InvalidToken['because']): InvalidToken => ({ status: 'invalid', because });
