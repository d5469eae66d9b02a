import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { registerPerson } from '../../src/commands/accounts/person.ts';
import { recordPayment } from '../../src/commands/payments.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { joinTeam } from '../../src/commands/teams/member.ts';
import { commandSubscription, createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import { beginning } from '../../src/stores/event-store/port.ts';
import { context } from '../api/harness.ts';
import { receiver } from '../dispatch/receivers.ts';
import { engineSettings } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing } from '../support/serving.ts';
import { until } from '../support/until.ts';

test('once an erasure is done, a server that has the key in its memory sends nothing more of the person', async () => {
  const folder = temporaryFolder();
  const arrived: string[] = [];
  await using to = await receiver((response, { body }) => {
    arrived.push(body.toString());
    response.writeHead(204).end();
  });
  const settings = { ALLOW_PRIVATE_WEBHOOKS: 'true' };
  const serving = await startServing(folder.path, settings);
  const system = await openSystem(readConfig({ DATA_DIR: folder.path, ...engineSettings(folder.path) }));
  try {
    await commandTeam(system.store, { kind: 'create', team: 'harbour', name: 'Harbour' }, context());
    const wish = { team: 'harbour', url: to.url, events: ['member.joined', 'payment.received'] } as const;
    const { subscriptionId } = await createSubscription(
      system,
      wish,
      newSigningSecret(randomBytes),
      context(),
    );
    const person = { email: 'ana@example.org', profile: { name: 'Ana' } };
    const { userId } = await registerPerson(system, person, context());
    await joinTeam(system, { team: 'harbour', user: userId, role: 'member' }, context());
    // The dispatcher has opened the person's data for it.
    await until(() => arrived.length === 1);
    await commandSubscription(system, subscriptionId, { kind: 'pause' }, context());
    const paid = { member_id: userId, amount_minor: 1_250, currency: 'USD', memo: 'For the tuba lessons' };
    await recordPayment(system, 'harbour', paid, context());
    const happened = (type: string) =>
      until(async () => {
        const filter = { types: [type] };
        const { events } = await system.store.readAll({ after: beginning, filter, limit: 10 });
        return events.length > 0 && events;
      });
    await until(async () => {
      const filter = { types: ['DeliveryScheduled'] };
      return (await system.store.readAll({ after: beginning, filter, limit: 10 })).events.length === 2;
    });

    await runCommand(folder.path, 'erase', userId, '--now');
    await commandSubscription(system, subscriptionId, { kind: 'resume' }, context());

    const [failed] = await happened('DeliveryFailed');
    expect(failed?.data).toMatchObject({ reason: 'erased' });
    expect(arrived).toHaveLength(1);
  } finally {
    await serving.stop();
    await system.close();
    folder.remove();
  }
}, 60_000);
