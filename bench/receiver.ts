import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook receiver in a process of its own: acknowledges everything, and tells how much on GET. */
let received = 0;
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.method === 'POST') received += 1;
    response.end(String(received));
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.on('SIGTERM', () => process.exit(0));
