import { describe, expect, it } from 'vitest';
import { eventStoreCommand, eventStoreIn } from '../support/event-store-server.ts';
import { temporaryFolder } from '../support/folder.ts';
import { start } from './processes.ts';

const reason = eventStoreCommand === '' ? ' (skipped: EVENTSTORE_COMMAND is not set)' : '';
/** Of each kind; the whole is 20 (`npm run test:faults:store`). */
const rounds = process.env['EVENT_STORE_FAULT_ROUNDS'] ?? '2';

describe.skipIf(reason !== '')(`an EventStoreDB without a namespace, under load${reason}`, () => {
  it('is killed and restarted, and every approval is delivered', { timeout: 3_600_000 }, async () => {
    const [folder, data] = [temporaryFolder(), temporaryFolder()];
    const { port, url } = await eventStoreIn(folder.path);
    const command = `${eventStoreCommand} ${port} ${folder.path}`;
    const words = ['--command', command, '--kills', rounds, '--restarts', rounds, '--seed', '7'];
    const ended = await start('test/faults/event-store.ts', words, data.path, { EVENTSTORE_URL: url }).ended;
    expect(ended.stdout).not.toContain('VIOLATION');
    expect(ended).toMatchObject({ code: 0 });
    folder.remove();
    data.remove();
  });
});
