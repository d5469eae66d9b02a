import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { dropDatabase, engineSettings, isEmbedded, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startProxy } from '../support/proxy.ts';
import { startServing } from '../support/serving.ts';

/** Longer than a read is tried again by itself. */
const awayMs = 12_000;

describe.skipIf(isEmbedded || missing !== undefined)(
  onEngines('a server that goes away during a start'),
  () => {
    const servers = ['EVENTSTORE_URL', 'MONGODB_URL'].filter(
      (name) => engineSettings('/')[name] !== undefined,
    );
    const cuts = servers.flatMap((server) => [8, 30].map((pieces) => [server, pieces] as const));

    it.concurrent.each(cuts)(
      '%s, after %i pieces of answers: the start waits for it and goes on',
      async (name, pieces) => {
        const folder = temporaryFolder();
        const settings = engineSettings(folder.path);
        const address = new URL(settings[name] ?? '');
        const proxy = await startProxy({ host: address.hostname, port: Number(address.port) });
        address.port = String(proxy.port);
        const cut = proxy.cutAfter(pieces);
        const starting = startServing(folder.path, { ...settings, [name]: address.href });
        const cutFirst = await Promise.race([cut.then(() => true), starting.then(() => false)]);
        await pause(awayMs);
        proxy.open();
        const serving = await starting;
        expect(cutFirst).toBe(true);
        expect((await fetch(`${serving.origin}/readyz`)).status).toBe(200);
        expect(await serving.stop()).toBe(0);
        await proxy.close();
        await dropDatabase(folder.path);
        folder.remove();
      },
    );
  },
);
