import type { FastifyReply } from 'fastify';
import { counted } from '../../ground/counted.ts';
import { ProofError } from '../../audit/proof-log/errors.ts';
import { parseTilePath, tileAt, type TilePath } from '../../audit/proof-log/format/tiles.ts';
import type { ProofLog, SignedTree } from '../../stores/side/proof-log-port.ts';
import { commonProblem } from '../http/responses/errors.ts';

/** The headers of a file that never changes (C2SP tlog-tiles). */
export const asFile = (reply: FastifyReply, whose: 'public' | 'private'): FastifyReply =>
  reply.header('cache-control', `${whose}, max-age=31536000, immutable`).type('application/octet-stream');

/** What a path under `tile/` names, when the newest tree has it. @throws Problem 400, 404 */
export async function requestedTile(path: string, log: ProofLog): Promise<TilePath> {
  const requested = readPath(path);
  const { size } = await newestOf(log);
  const there = tileAt(requested.level, requested.index, size);
  if (there === undefined) {
    throw commonProblem('not_found', `The tree has ${counted(size, 'entry', 'entries')}, and no such tile.`);
  }
  if (requested.width > there.width) {
    throw commonProblem(
      'not_found',
      `The tree has ${counted(size, 'entry', 'entries')}: this tile has a width of ${there.width} so far.`,
    );
  }
  return requested;
}

function readPath(path: string): TilePath {
  try {
    return parseTilePath(path);
  } catch (error) {
    if (error instanceof ProofError) throw commonProblem('bad_request', error.message);
    throw error;
  }
}

/** The newest checkpoint. @throws Problem 404 */
export const newestOf = async (log: ProofLog): Promise<SignedTree> => (await log.newest()) ?? nothingSigned();

/** @throws Problem 404 */
export const nothingSigned = (): Promise<never> =>
  Promise.reject(
    commonProblem(
      'not_found',
      'Nothing has been signed yet. The first checkpoint follows soon after the first start.',
    ),
  );
