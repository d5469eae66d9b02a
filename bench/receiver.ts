import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook receiver in a process of its own: acknowledges everything, at /slow after 8 s, and tells how much on GET. */
const slowMs = 8_000;
let received = 0;
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.method === 'POST') received += 1;
    const answer = () => response.end(String(received));
    if (request.url?.startsWith('/slow')) setTimeout(answer, slowMs);
    else answer();
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.on('SIGTERM', () => process.exit(0));
