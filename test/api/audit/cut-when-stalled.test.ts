import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { cutWhenStalled } from '../../../src/api/audit/cut-when-stalled.ts';

const piece = Buffer.alloc(64 * 1024);

describe('a stream that is cut when its reader stalls', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  /** Serves `pieces` pieces. What became of the stream, and the answer of which nothing was read yet. */
  async function served(pieces: number, afterMs: number) {
    const ended = Promise.withResolvers<Error | undefined>();
    server = createServer((_request, response) => {
      const stream = cutWhenStalled(Readable.from(Array<Buffer>(pieces).fill(piece)), afterMs);
      stream.once('error', ended.resolve);
      stream.once('end', () => ended.resolve(undefined));
      stream.pipe(response);
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const response = await new Promise<IncomingMessage>((resolve) => get({ port }, resolve));
    return { ended: ended.promise, response };
  }

  it('ends with an error when nothing is read for the time', async () => {
    const { ended } = await served(1_000, 100);
    expect((await ended)?.message).toBe('The reader takes nothing any more.');
  });

  it('goes on for a reader that takes longer for all of it, but takes something each time', async () => {
    const startedAt = performance.now();
    const { ended, response } = await served(400, 1_000);
    let bytes = 0;
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      // As long as needed, so that the whole takes longer than the time.
      const left = 1_200 - (performance.now() - startedAt);
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(left, 20)));
    }
    expect(bytes).toBe(400 * piece.length);
    expect(await ended).toBeUndefined();
    expect(performance.now() - startedAt).toBeGreaterThan(1_000);
  });
});
