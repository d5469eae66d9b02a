import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { Approvals } from '../../bench/approvals.ts';
import type { ServerProcess } from '../../bench/process.ts';

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that answers every decision so, and what it was asked; `asked(n)` resolves when it was asked so often. */
async function answering(status: number) {
  const actions: string[] = [];
  let onRequest: () => void = () => undefined;
  const server = createServer((request, response) => {
    actions.push(request.url?.split('/').at(-1) ?? '');
    response.writeHead(status).end('{}');
    onRequest();
  }).listen(0, '127.0.0.1');
  closing.push(() => server.close());
  await once(server, 'listening');
  const asked = (times: number) =>
    new Promise<void>((resolve) => {
      onRequest = () => {
        if (actions.length >= times) resolve();
      };
    });
  const { port } = server.address() as AddressInfo;
  return { actions, asked, server: { origin: `http://127.0.0.1:${port}` } as ServerProcess };
}

describe('the decisions beside a measurement', () => {
  it('go on for as long as it takes, with more decisions than submissions', async () => {
    const { actions, asked, server } = await answering(200);
    const measured = await new Approvals(server, 'key', ['svc_1']).beside(async () => {
      await asked(4);
      return 'measured';
    });
    expect(measured).toBe('measured');
    expect(actions.slice(0, 4)).toEqual(['approve', 'deactivate', 'reactivate', 'deactivate']);
  });

  it('end the measurement with an error that can be caught, when one fails', async () => {
    const { asked, server } = await answering(500);
    const measured = new Approvals(server, 'key', ['svc_1', 'svc_2']).beside(() => asked(1));
    await expect(measured).rejects.toThrow('could not be decided');
  });
});
