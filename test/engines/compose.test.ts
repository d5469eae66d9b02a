import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  DockerComposeEnvironment,
  getContainerRuntimeClient,
  Wait,
  type StartedDockerComposeEnvironment,
} from 'testcontainers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What the image is built from and what the compose file mounts. */
const parts = [
  ...['docker-compose.yml', 'Dockerfile', '.dockerignore', 'package.json', 'package-lock.json', 'LICENSE'],
  ...['deploy', 'docs', 'examples', 'src'],
];
const hasEngine = await getContainerRuntimeClient().then(
  () => true,
  () => false,
);
/** To build the image, and to let the stores make themselves ready. */
const timeout = 15 * 60_000;

// The contract suites run on the same images: test/support/containers.ts, and test/deploy.test.ts compares them.
describe.skipIf(!hasEngine)(
  `the compose file, started${hasEngine ? '' : ' (skipped: no Docker engine answers)'}`,
  { timeout },
  () => {
    const folder = temporaryFolder();
    let environment: StartedDockerComposeEnvironment | undefined;
    let origin = '';

    beforeAll(async () => {
      for (const part of parts) cpSync(join(root, part), join(folder.path, part), { recursive: true });
      expect(spawnSync('sh', ['deploy/secrets.sh'], { cwd: folder.path }).status).toBe(0);
      const port = String(await freePort());
      origin = `http://127.0.0.1:${port}`;
      environment = await new DockerComposeEnvironment(folder.path, 'docker-compose.yml')
        .withBuild()
        .withEnvironment({ PORT: port })
        .withStartupTimeout(timeout)
        .withWaitStrategy('api-1-1', Wait.forHealthCheck())
        .withWaitStrategy('api-2-1', Wait.forHealthCheck())
        .withWaitStrategy('mongodb-replica-set-1', Wait.forOneShotStartup())
        .up();
      await until(async () => (await fetch(`${origin}/readyz`).catch(() => undefined))?.ok === true);
    }, timeout);
    afterAll(async () => {
      await environment?.down({ timeout: 60_000, removeVolumes: true });
      folder.remove();
    }, timeout);

    /** Runs a command of ours beside a node, and answers what it printed. */
    async function command(...words: readonly string[]): Promise<unknown> {
      const container = environment?.getContainer('api-1-1');
      const ran = await container?.exec(['node', 'src/main.js', ...words, '--json']);
      expect([words, ran?.exitCode, ran?.exitCode === 0 ? '' : ran?.output]).toEqual([words, 0, '']);
      return JSON.parse(ran?.stdout ?? '');
    }

    it('takes a resource from a key, shows it through the proxy, and sends every role its work', async () => {
      await command('teams', 'create', 'harbour', '--name', 'Harbour');
      const scopes = 'resources:read,resources:submit';
      const made = await command('keys', 'create', '--kind', 'developer', '--scopes', scopes);
      const headers = {
        authorization: `Bearer ${(made as { key: string }).key}`,
        'content-type': 'application/json',
      };
      const resources = `${origin}/dash/api/v1/resources`;
      const body = JSON.stringify({ name: 'Harbour Pantry', category: 'food' });
      const submitted = await fetch(resources, { method: 'POST', headers, body });
      expect(submitted.status).toBe(201);
      const { svc_id: id } = (await submitted.json()) as { svc_id: string };
      await command('resources', 'approve', id);
      await until(async () => (await fetch(`${origin}/resources/${id}`)).ok);

      // A node is stopped and started again while others are asked: no request meets it meanwhile.
      const statuses: number[] = [];
      const over = new AbortController();
      const asking = (async () => {
        while (!over.signal.aborted) statuses.push((await fetch(`${resources}/${id}`, { headers })).status);
      })();
      await environment?.getContainer('api-2-1').restart({ timeout: 30_000 });
      over.abort();
      await asking;
      expect(statuses.length).toBeGreaterThan(0);
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
    });

    it('verifies its log, once the projector has signed it', async () => {
      await until(async () => {
        const { size = 0 } = (await command('audit', 'log', 'status')) as { readonly size?: number };
        return size > 0;
      });
      expect(await command('verify')).toMatchObject({ findings: [] });
    });
  },
);
