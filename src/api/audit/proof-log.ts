import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import { cosignedNote, cosignersOf } from '../../audit/proof-log/format/cosignature.ts';
import { listedKeys, logKey, publishedKey, type LogKey } from '../../audit/proof-log/format/log-key.ts';
import { formerLog } from '../../audit/proof-log/former-log.ts';
import { hashBytes, tilePath } from '../../audit/proof-log/format/tiles.ts';
import { StoreError } from '../../stores/errors.ts';
import type { ProofLog } from '../../stores/side/proof-log-port.ts';
import type { Vault } from '../../stores/vault/port.ts';
import { addressOf, type ServerDependencies } from '../dependencies.ts';
import type { Guard } from '../http/key-guard.ts';
import { pagePolicy } from '../http/security-headers.ts';
import { serveBundles } from './entry-bundles.ts';
import { logPage } from './log-page.ts';
import { checkpointPath, formerPath, logPath, tilesPath, vkeyPath, vkeysPath } from './log-paths.ts';
import { asFile, newestOf, nothingSigned, requestedTile } from './requested-tile.ts';

/** A checkpoint changes, and must not be cached beyond a few seconds (C2SP tlog-tiles). */
const briefly = 'public, max-age=5';

const plainText = 'text/plain; charset=utf-8';

/**
 * The proof log for everybody, as C2SP tlog-tiles lays it out: checkpoint and tiles, which tell a count and hashes and
 * nothing else. Any site may read them.
 */
export const proofLog: FastifyPluginCallback<ServerDependencies & { readonly guard: Guard }> = (
  scope,
  dependencies,
  done,
) => {
  const { vault, config, now = () => new Date() } = dependencies;
  const log = dependencies.proofLog;
  const key = keyLately(vault, log, now);
  const cosigners = cosignersOf(config.witnesses);
  const base = addressOf(config, scope);
  scope.addHook('onRequest', (_request, reply, next) => {
    reply.header('access-control-allow-origin', '*');
    next();
  });

  scope.get(checkpointPath, {
    schema: { hide: true },
    handler: async (_request, reply) =>
      reply
        .header('cache-control', briefly)
        .type(plainText)
        .send(await cosignedNote(log, await newestOf(log), cosigners)),
  });
  scope.get(vkeyPath, {
    schema: { hide: true },
    handler: async (_request, reply) => {
      const [newestKey, newest] = [(await key()) ?? (await nothingSigned()), await log.newest()];
      const { vkey } = publishedKey(newestKey, newest);
      return reply.header('cache-control', briefly).type(plainText).send(`${vkey}\n`);
    },
  });
  scope.get(vkeysPath, {
    schema: { hide: true },
    handler: async (_request, reply) => {
      const { name, keys } = (await key()) ?? (await nothingSigned());
      return reply.header('cache-control', briefly).send({ log: name, keys: listedKeys(keys) });
    },
  });
  scope.get(formerPath, {
    schema: { hide: true },
    handler: async (_request, reply) =>
      reply.header('cache-control', briefly).send({ former: (await log.ended()).map(formerLog) }),
  });
  serveBundles(scope, dependencies);
  scope.get<{ Params: { '*': string } }>(`${tilesPath}*`, {
    schema: { hide: true },
    handler: async (request, reply) => {
      const tile = await requestedTile(request.params['*'], log);
      const [hashes] = await log.tiles([tile]);
      if (hashes === undefined || hashes.length < tile.width * hashBytes) {
        throw new StoreError('incompatible', `Tile ${tilePath(tile)} is missing in the proof log.`);
      }
      return asFile(reply, 'public').send(hashes.subarray(0, tile.width * hashBytes));
    },
  });
  scope.get(logPath, {
    schema: { hide: true },
    handler: async (_request, reply) => {
      const [newestKey, newest, ended] = await Promise.all([key(), log.newest(), log.ended()]);
      return reply
        .headers({ 'content-security-policy': pagePolicy, 'cache-control': 'no-cache' })
        .type('text/html; charset=utf-8')
        .send(logPage({ base: base(), key: newestKey, newest, former: ended.map(formerLog) }));
    },
  });
  redirectWithoutSlash(scope);
  done();
};

/** How long a key that was read is used, in milliseconds. It changes only when it is rotated. */
const keyFreshMs = 5_000;

/** The key of the log, read every few seconds at most, and at once where another log has begun. */
function keyLately(vault: Vault, log: ProofLog, now: () => Date): () => Promise<LogKey | undefined> {
  let cached: { readonly key: LogKey; readonly at: number } | undefined;
  return async () => {
    const name = (await log.ended()).at(-1)?.successor ?? cached?.key.name;
    if (cached?.key.name === name && cached && now().getTime() - cached.at < keyFreshMs) return cached.key;
    const key = await logKey(vault);
    cached = key && { key, at: now().getTime() };
    return key;
  };
}

/** Relative links on the page need its slash. */
function redirectWithoutSlash(scope: FastifyInstance): void {
  scope.get(logPath.slice(0, -1), {
    schema: { hide: true },
    handler: (_request, reply) => reply.redirect(logPath, 308),
  });
}
