import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import {
  addCheckpoint,
  cosignedCheckpoint,
  logsOfVkeys,
  originIn,
} from '../../audit/proof-log/format/add-checkpoint.ts';
import { cosignerVkey } from '../../audit/proof-log/format/cosignature.ts';
import { ensureWitnessKey } from '../../audit/proof-log/format/witness-key.ts';
import { networkOf } from '../../ground/network.ts';
import type { ServerDependencies } from '../dependencies.ts';
import { witnessPath } from './log-paths.ts';

/** A checkpoint with 16 signatures of the longest type and 63 lines of proof has some 60 kB. */
const mostBytes = 65_536;
const plainText = 'text/plain; charset=utf-8';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * This server as a witness of the logs that WITNESS_FOR and WITNESS_PEERS name, under /witness/: `POST add-checkpoint` and
 * `GET <origin hash>/checkpoint` of C2SP tlog-witness, and `GET vkey`. Without those settings it is none.
 */
export const witness: FastifyPluginCallback<ServerDependencies> = (scope, dependencies, done) => {
  const { config, vault, witnessStore, limits, now = () => new Date() } = dependencies;
  if (config.cosignedLogs.length === 0) {
    done();
    return;
  }
  const logs = logsOfVkeys(config.cosignedLogs);
  /** Read for each request: after a restore, or when it is replaced, no process cosigns with the former one. */
  const key = () => ensureWitnessKey({ vault, witnessStore }, config.baseUrl);
  scope.addHook('onRequest', (_request, reply, next) => {
    reply.header('access-control-allow-origin', '*').header('cache-control', 'no-store');
    next();
  });
  // The specification names no type of content.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, body, parsed) =>
    parsed(null, body),
  );

  scope.post(`${witnessPath}add-checkpoint`, {
    schema: { hide: true },
    bodyLimit: mostBytes,
    handler: async (request, reply) => {
      const body = textOf(request);
      if (body === undefined) return text(reply, 400, 'The request is not in UTF-8.\n');
      const origin = originIn(body);
      const of = [logs.has(origin) ? origin : 'none', networkOf(request.ip)];
      const { seconds } = await limits.take(['cosigned-log', of]);
      if (seconds > 0)
        return text(
          reply.header('retry-after', seconds),
          429,
          `Too many checkpoints of this log from this network; try again in ${seconds} s.\n`,
        );
      const answer = await addCheckpoint({ signer: await key(), logs, store: witnessStore, now }, body);
      return text(reply, answer.status, answer.body, answer.type);
    },
  });
  scope.get<{ Params: { originHash: string } }>(`${witnessPath}:originHash/checkpoint`, {
    schema: { hide: true },
    handler: async (request, reply) => {
      const note = await cosignedCheckpoint({ logs, store: witnessStore }, request.params.originHash);
      if (note !== undefined) return text(reply, 200, note);
      return text(reply, 404, 'This witness has cosigned no log whose name has this SHA-256.\n');
    },
  });
  scope.get(`${witnessPath}vkey`, {
    schema: { hide: true },
    handler: async (_request, reply) => text(reply, 200, `${cosignerVkey(await key())}\n`),
  });
  done();
};

const text = (reply: FastifyReply, status: number, body: string, type = plainText): FastifyReply =>
  reply.code(status).type(type).send(body);

function textOf({ body }: FastifyRequest): string | undefined {
  try {
    return Buffer.isBuffer(body) ? utf8.decode(body) : '';
  } catch {
    return undefined;
  }
}
