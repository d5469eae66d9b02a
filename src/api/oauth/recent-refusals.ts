import { loadClient } from '../../commands/oauth/client.ts';
import { OAuthRefused, type OAuthErrorCode } from '../../commands/oauth/errors.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { SideStore, SideTable } from '../../stores/side/port.ts';
import { isClientId } from './authorization-request.ts';
import { OAuthProblem } from './errors.ts';

/** A request of a site that was refused. Without anything about the person, and without codes and tokens. */
export interface RecentRefusal {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly code: OAuthErrorCode;
  /** The sentence that names the rule. */
  readonly rule: string;
  /** As it came, without query: a query may hold a secret. */
  readonly redirect_uri?: string;
}

const keptForMs = 7 * 24 * 60 * 60_000;
const keptOfClient = 50;
const longestUri = 200;
const longestRule = 300;
/** A site is written at most this often: anybody can have requests of a known site refused. */
const writtenEveryMs = 1_000;

/** No fault of the site: the person decided, or a page was needed, or it is our fault. */
const notOfTheSite: ReadonlySet<OAuthErrorCode> = new Set<OAuthErrorCode>([
  'access_denied',
  'login_required',
  'consent_required',
  'temporarily_unavailable',
  'server_error',
]);

interface Options {
  readonly store: EventStore;
  readonly side: SideStore;
  readonly now: () => Date;
}

/**
 * The newest refusals of each site, for the people who run it. They are no events: anybody can cause them. When two
 * nodes write at once, the entries of one may be lost.
 */
export class RecentRefusals {
  readonly #store: EventStore;
  readonly #table: SideTable<readonly RecentRefusal[]>;
  readonly #now: () => Date;
  /** Not written yet, by client. */
  readonly #waiting = new Map<string, RecentRefusal[]>();

  constructor({ store, side, now }: Options) {
    this.#store = store;
    this.#table = side.table('sign-in-refusals');
    this.#now = now;
  }

  /** Notes why a request was refused, if it came from a site that there is. Never fails. */
  async note(
    error: unknown,
    {
      client,
      redirectUri,
    }: { readonly client: string | undefined; readonly redirectUri: string | undefined },
  ): Promise<void> {
    if (!(error instanceof OAuthRefused) && !(error instanceof OAuthProblem)) return;
    if (notOfTheSite.has(error.code) || client === undefined || !isClientId(client)) return;
    try {
      if (!(await loadClient(this.#store, client))) return;
    } catch {
      return;
    }
    const refusal: RecentRefusal = {
      at: this.#now().toISOString(),
      code: error.code,
      rule: error.message.slice(0, longestRule),
      ...(redirectUri === undefined ? {} : { redirect_uri: shownUri(redirectUri) }),
    };
    const waiting = this.#waiting.get(client);
    if (waiting) {
      waiting.unshift(refusal);
      waiting.splice(keptOfClient);
      return;
    }
    this.#waiting.set(client, [refusal]);
    // What is lost when the process ends is a second of it.
    setTimeout(() => void this.#write(client).catch(() => undefined), writtenEveryMs).unref();
  }

  /** The newest refusals of a site, newest first. */
  async of(client: string): Promise<readonly RecentRefusal[]> {
    return this.#together(client, this.#waiting.get(client) ?? []);
  }

  async #write(client: string): Promise<void> {
    const waiting = this.#waiting.get(client) ?? [];
    const all = await this.#together(client, waiting);
    this.#waiting.delete(client);
    await this.#table.put(client, all, new Date(this.#now().getTime() + keptForMs));
  }

  async #together(client: string, waiting: readonly RecentRefusal[]): Promise<readonly RecentRefusal[]> {
    const since = this.#now().getTime() - keptForMs;
    const written = (await this.#table.get(client)) ?? [];
    return [...waiting, ...written].filter(({ at }) => Date.parse(at) > since).slice(0, keptOfClient);
  }
}

/** Without query, fragment and user information, and cut. */
const shownUri = (uri: string): string =>
  uri
    .toWellFormed()
    .replace(/[?#].*$/s, '?…')
    .replace(/\/\/[^/]*@/, '//…@')
    .slice(0, longestUri);
