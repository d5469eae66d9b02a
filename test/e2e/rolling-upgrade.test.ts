import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropDatabase, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing, type Serving } from '../support/serving.ts';

const newer = {
  NODE_OPTIONS: `--import ${new URL('../fixtures/newer-release.ts', import.meta.url).href}`,
};

describe.skipIf(missing)(onEngines('a newer release that starts beside the one that runs'), () => {
  const folder = temporaryFolder();
  let older: Serving;
  let newest: Serving;
  let key: string;

  beforeAll(async () => {
    older = await startServing(folder.path);
    const scopes = 'resources:read,resources:submit';
    const made = await runCommand(folder.path, 'keys', 'create', '--kind', 'developer', '--scopes', scopes);
    ({ key } = made as { key: string });
    newest = await startServing(folder.path, newer);
  }, 120_000);
  afterAll(async () => {
    await newest.stop();
    await older.stop();
    await dropDatabase(folder.path);
    folder.remove();
  });

  const submit = (to: Serving, name: string, idempotencyKey: string) =>
    fetch(`${to.origin}/dash/api/v1/resources`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify({ name, category: 'food' }),
    });

  it('is named by status beside the other', async () => {
    const { nodes } = (await runCommand(folder.path, 'status')) as { nodes: { release: string }[] };
    expect(nodes).toHaveLength(2);
  });

  it('records no event that the older one cannot read, and asks to come again', async () => {
    const refused = await submit(newest, 'Corner pantry', 'upgrade-1');
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ error: 'unavailable' });
    expect((await submit(older, 'Harbour pantry', 'upgrade-2')).status).toBe(201);
    expect((await fetch(`${older.origin}/readyz`)).status).toBe(200);
  });

  it('records it once the older one has stopped', async () => {
    expect(await older.stop()).toBe(0);
    expect((await submit(newest, 'Corner pantry', 'upgrade-1')).status).toBe(201);
  });
});
