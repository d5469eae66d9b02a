import type { Config } from '../../../config.ts';
import { logKey } from '../../../audit/proof-log/format/log-key.ts';
import { webhookPolicy } from '../../../dispatch/operations/destination-policy.ts';
import { readGuarded } from '../../../dispatch/operations/guarded-get.ts';
import { FeedError, type ReadAddress } from '../../../imports/followed/feed.ts';
import type { ProofLog } from '../../../stores/side/proof-log-port.ts';
import type { Vault } from '../../../stores/vault/port.ts';

/** For the whole answer: a page of large records over a slow line. */
const timeoutMs = 30_000;

/** Reads followed directories, whose addresses are checked as those of webhooks are. */
export function addressReader(config: Config): ReadAddress {
  const policy = webhookPolicy(config);
  return async (url, { key, etag, mostBytes, signal }) => {
    const headers = {
      accept: '*/*',
      'user-agent': 'Commonweal',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
    };
    const answer = await readGuarded(url, { policy, headers, mostBytes, timeoutMs, signal });
    signal?.throwIfAborted();
    if (answer.kind === 'failed') throw new FeedError(answer.message);
    const seconds = Number(answer.headers['retry-after']);
    return {
      ...{ status: answer.status, body: answer.body, etag: answer.headers.etag },
      retryAfterSeconds: Number.isFinite(seconds) && seconds > 0 ? seconds : undefined,
    };
  };
}

/** The names of the proof logs of this installation, of now and before: records from there are its own. */
export async function ownLogNames({
  proofLog,
  vault,
}: {
  readonly proofLog: Pick<ProofLog, 'ended'>;
  readonly vault: Pick<Vault, 'get'>;
}): Promise<ReadonlySet<string>> {
  const [ended, key] = await Promise.all([proofLog.ended(), logKey(vault)]);
  return new Set([
    ...ended.flatMap(({ origin, successor }) => [origin, successor]),
    ...(key ? [key.name] : []),
  ]);
}
