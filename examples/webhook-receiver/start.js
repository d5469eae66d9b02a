import { receiver } from './receiver.js';

const { WEBHOOK_SECRET: secret, PORT = '8080' } = process.env;
if (!secret)
  throw new Error('Set WEBHOOK_SECRET to the secret that was shown when the subscription was created.');

const handle = ({ event, delivery_id, data }) => console.log(event, delivery_id, data);
await receiver({ secret, handle, logger: true }).listen({ port: Number(PORT) });
