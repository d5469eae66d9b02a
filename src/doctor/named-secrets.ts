import { counted } from '../ground/counted.ts';
import { passwordName } from '../commands/accounts/password-hashes.ts';
import { secretName } from '../commands/webhooks/subscription.ts';
import { addressHolder } from '../commands/webhooks/subscription-address.ts';
import { streamId } from '../events/define.ts';
import { userStream } from '../events/accounts/user.ts';
import { subscriptionStream } from '../events/webhooks/webhook.ts';
import type { ProjectedEvent } from '../projections/engine/read-model.ts';
import type { Vault } from '../stores/vault/port.ts';
import type { Findings } from './finding.ts';
import { listed } from './listed.ts';

/** By it people are found by their address. It is never made anew for the same log. */
const emailIndex = 'email-index';

/** Compares the secrets that the newest events of streams name with those of the vault, by their names alone. */
export class NamedSecrets {
  readonly #vault: Pick<Vault, 'names'>;
  readonly #before: ReadonlySet<string>;
  /** By stream: the names of the vault that its newest event makes necessary. */
  readonly #needed = new Map<string, readonly string[]>();
  readonly #activeKeys: string[] = [];

  /** `before`: the names in the vault when the reading of the log begins. */
  constructor(vault: Pick<Vault, 'names'>, before: ReadonlySet<string>) {
    this.#vault = vault;
    this.#before = before;
  }

  take(event: ProjectedEvent): void {
    const { stream, type } = event;
    if (type === 'VaultReplaced') {
      // An operator has accepted that what was in the vault is lost.
      this.#needed.clear();
      this.#activeKeys.length = 0;
    } else if (type === 'EmailClaimed') this.#needed.set(emailIndex, [emailIndex]);
    else if (type === 'UserPasswordChanged')
      this.#needed.set(stream, [passwordName(streamId(event, userStream), event.data.password_id)]);
    else if (type === 'UserErased' || type === 'SubscriptionDeleted') this.#needed.delete(stream);
    else if (type === 'SigningKeyActivated') this.#activeKeys.push(event.data.kid);
    else if (type === 'SigningKeyRetired') remove(this.#activeKeys, event.data.kid);
    else if (isOfSubscription(event)) this.#needed.set(stream, secretsOf(event));
  }

  async report(findings: Findings): Promise<void> {
    // One that was replaced meanwhile was there before, and one that came between the names and the log is there now.
    const now = new Set(await this.#vault.names(''));
    const isGone = (name: string) => !this.#before.has(name) && !now.has(name);
    const missing = [...this.#needed.values()].flat().filter(isGone);
    if (missing.length > 0)
      findings.found(
        'secret-missing',
        `${counted(missing.length, 'secret that the log names is', 'secrets that the log names are')} missing in the vault: ${listed(missing)}.`,
      );
    const signs = this.#activeKeys.at(-1);
    if (signs !== undefined && isGone(`signing-key/${signs}`))
      findings.found('signing-key-missing', `The signing key ${signs} is missing in the vault.`);
  }
}

type OfSubscription = Extract<ProjectedEvent, { readonly data: { readonly secret_id: string } }>;

const isOfSubscription = (event: ProjectedEvent): event is OfSubscription =>
  Object.hasOwn(subscriptionStream.events, event.type);

function secretsOf({ stream, data }: OfSubscription): string[] {
  const id = streamId({ stream }, subscriptionStream);
  const { secret_id, next_secret_id, url_sealed } = data;
  return [
    ...[secret_id, next_secret_id].flatMap((secret) => (secret === undefined ? [] : secretName(id, secret))),
    ...(url_sealed === undefined ? [] : [addressHolder(id)]),
  ];
}

function remove(all: string[], one: string): void {
  const place = all.lastIndexOf(one);
  if (place >= 0) all.splice(place, 1);
}
