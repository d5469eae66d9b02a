import { describe, expect, it } from 'vitest';
import { reconnectWhenStuck } from '../../src/stores/mongodb-monitor.ts';
import { mongodbUrl, testDatabase, withoutMongodb } from '../support/mongodb.ts';
import { startProxy } from '../support/proxy.ts';
import { until } from '../support/until.ts';

describe.skipIf(mongodbUrl === undefined)(`a client of MongoDB${withoutMongodb}`, () => {
  it('finds a server again that has closed all its connections in one breath', async () => {
    const database = testDatabase(mongodbUrl ?? '');
    const address = new URL(database.url);
    const proxy = await startProxy({ host: address.hostname, port: Number(address.port || 27_017) });
    address.host = `127.0.0.1:${proxy.port}`;
    address.searchParams.set('directConnection', 'true');
    // The check that a broken operation asks for begins at once. The watch is needed only then.
    address.searchParams.set('minHeartbeatFrequencyMS', '1');
    const { db } = database.connect(address.href);
    const stop = reconnectWhenStuck(db.client, 1_000);

    for (let round = 0; round < 3; round++) {
      await until(() =>
        db
          .collection('a')
          .findOne()
          .then(
            () => true,
            () => false,
          ),
      );
      proxy.hang();
      void db
        .collection('a')
        .findOne()
        .catch(() => undefined);
      // The network is silent for a moment before it breaks: that is the fault under test.
      await new Promise((resolve) => setTimeout(resolve, 50));
      proxy.cut();
      proxy.open();
    }
    expect(
      await until(() =>
        db
          .collection('a')
          .findOne()
          .then(
            () => true,
            () => false,
          ),
      ),
    ).toBe(true);

    stop();
    await database.dispose();
    await proxy.close();
  });
});
