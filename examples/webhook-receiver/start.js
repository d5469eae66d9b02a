import { receiver } from './receiver.js';

const { WEBHOOK_SECRET: secret, PORT = '8080' } = process.env;
if (!secret)
  throw new Error('Set WEBHOOK_SECRET to the secret that was shown when the subscription was created.');

/** Of a test nothing has happened, and the data is made up: it is only shown. */
const handle = ({ event, delivery_id, test, data }) =>
  console.log(test ? `A test of ${event}` : event, delivery_id, data);
await receiver({ secret, handle, logger: true }).listen({ port: Number(PORT) });
