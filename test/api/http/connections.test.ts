import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Connections } from '../../../src/api/http/connections.ts';

test('a connection is idle when its answer was sent before the body had arrived', async () => {
  const connections = new Connections(10);
  const arrived = Promise.withResolvers<undefined>();
  const server = connections.server((request, response) => {
    response.end('No.');
    request.resume().once('end', () => arrived.resolve(undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhello');
  await once(socket, 'data');
  socket.write('world');
  await arrived.promise;

  // What is idle is closed at once. What is being answered is waited for.
  const asked = performance.now();
  await connections.finish({ patient: false });
  expect(performance.now() - asked).toBeLessThan(5_000);
});
