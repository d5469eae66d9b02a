import { setTimeout as sleep } from 'node:timers/promises';
import { integerId, svcIdOf } from '../../src/events/ids.ts';
import { streamName } from '../../src/events/define.ts';
import { newEvent } from '../../src/events/new-event.ts';
import { resourceStream, type ResourceEvent } from '../../src/events/directory/resource.ts';
import { Installation } from '../../src/commands/installation.ts';
import { EmbeddedEventStore } from '../../src/stores/event-store/embedded/store.ts';
import { OwnEvents } from '../../src/stores/event-store/own-events.ts';

/**
 * Appends resources to the log in DATA_DIR, `appender.ts <run> <count>`, and writes a line for each append that
 * was acknowledged: what stands there must never be missing from the log.
 */
const [run = '', count = '0'] = process.argv.slice(2);
const log = new EmbeddedEventStore({ directory: process.env['DATA_DIR'] ?? '' });
const installation = new Installation(log, () => {
  throw new Error('The log has its id already.');
});
await installation.id();
const store = new OwnEvents(log, installation);

async function submitAndApprove(n: number): Promise<void> {
  const id = integerId('appender', run, String(n));
  const svc_id = svcIdOf(id);
  const fields = { name: `Resource ${run}/${n}`, category: 'food' } as const;
  const announced = { svc_id, id, team: 'commons', ...fields };
  const story: ResourceEvent[] = [
    { type: 'ResourceSubmitted', data: { svc_id, id, team: 'commons', fields } },
    { type: 'ResourceApproved', data: announced },
  ];
  const stream = streamName(resourceStream, svc_id);
  const context = {
    actor: { kind: 'system', id: 'appender' },
    commandId: crypto.randomUUID(),
    at: new Date(),
  } as const;
  const events = story.map((each, index) => newEvent(stream, each, index, context));
  const { position } = await store.append(stream, events, 'no_stream');
  console.log(`${position} ${events.at(-1)?.id ?? ''}`);
}

let next = 0;
const worker = async () => {
  while (next < Number(count)) {
    await submitAndApprove(next++);
    // Not at full speed: the read models are to be kept busy for a while, not to be left far behind.
    await sleep(2);
  }
};
await Promise.all(Array.from({ length: 8 }, worker));
await log.close();
