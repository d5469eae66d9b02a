import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { WriterClient, type WriterMessage } from '../../src/stores/event-store/embedded/writer-client.ts';

it('appends that follow from one answer are sent in one message, however many steps each of them takes', async () => {
  const { port1, port2 } = new MessageChannel();
  const client = WriterClient.attached(port1, () => undefined);
  const appendAfter = async (steps: number): Promise<void> => {
    for (let step = 0; step < steps; step++) await Promise.resolve();
    void client
      .append({ stream: `example-${steps}`, expected: 'no_stream', events: [] })
      .catch(() => undefined);
  };
  try {
    const received = once(port2, 'message') as Promise<[WriterMessage]>;
    await Promise.all([0, 1, 7, 50].map(appendAfter));
    const [message] = await received;
    expect(message.kind === 'append' && message.calls.map(({ request }) => request.stream)).toEqual([
      'example-0',
      'example-1',
      'example-7',
      'example-50',
    ]);
  } finally {
    await client.close();
    port2.close();
  }
});
