import { InvalidEvent } from '../../events/new-event.ts';
import { webhookAddress } from '../../events/webhooks/webhook.ts';
import type { Holder, PersonalData } from '../../personal/personal-data.ts';

/**
 * The address of a subscription, as its events and its document have it. Path and query often hold a secret of the
 * receiver, so the whole address is sealed under a data key of the subscription, which is destroyed with it.
 */
export interface StoredAddress {
  readonly subscription: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** The whole address. Absent when the subscription is deleted. */
  readonly url_sealed?: string | undefined;
}

/** Whose data key seals the address of a subscription. */
export const addressHolder = (subscription: string): Holder => `webhook-subscription/${subscription}`;

/** An address to record, sealed. Begins the data key. @throws InvalidEvent, for an address that is too long */
export async function sealAddress(
  personal: PersonalData,
  subscription: string,
  url: string,
): Promise<Required<Pick<StoredAddress, 'origin' | 'url_sealed'>>> {
  const { error } = webhookAddress.safeParse(url);
  if (error) throw new InvalidEvent(`url: ${error.issues[0]?.message ?? 'is not valid'}`);
  const holder = addressHolder(subscription);
  await personal.begin(holder);
  return { origin: new URL(url).origin, url_sealed: await personal.seal(holder, url) };
}

/** The whole address. Undefined when the subscription is deleted. */
export async function openAddress(
  personal: PersonalData,
  address: StoredAddress,
): Promise<string | undefined> {
  const [opened] = await openAddresses(personal, [address]);
  return opened;
}

/** Whole addresses, in their order, with one read of the vault. */
export async function openAddresses(
  personal: PersonalData,
  addresses: readonly StoredAddress[],
): Promise<(string | undefined)[]> {
  const sealed = addresses.flatMap(({ subscription, url_sealed }) =>
    url_sealed === undefined ? [] : [{ holder: addressHolder(subscription), sealed: url_sealed }],
  );
  const opened = (await personal.openMany(sealed)) as (string | undefined)[];
  let next = 0;
  return addresses.map(({ url_sealed }) => (url_sealed === undefined ? undefined : opened[next++]));
}
