import { Command } from 'commander';
import type { FastifyInstance } from 'fastify';
import { ConfigError, readConfig, type Config } from '../config.ts';
import { openSystem, type System } from '../container.ts';
import { projections } from '../projections/all.ts';
import { nameOf } from '../projections/define.ts';
import { startThread, type Thread, type ThreadMessage } from '../threads/thread.ts';
import { tendingSigningKeys } from './signing-keys.ts';
import { ensureAdministrator, setUpNotice } from './administrator.ts';
import { ensureCommons } from './commons.ts';
import type { CommandLine } from './command-line.ts';
import { carryingMail } from './mail.ts';

export function serveCommand(line: CommandLine): Command {
  return new Command('serve')
    .description('Serve the APIs, keep the read models and send the webhooks, until told to stop.')
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig(line.environment);
      const system = openSystem(config);
      try {
        await serve(config, system, json === true);
      } finally {
        await system.close();
      }
    });
}

async function serve(config: Config, system: System, json: boolean): Promise<void> {
  const { store, documents, side, vault, personal, tokenKeys, signingKeys, masterKey } = system;
  await ensureCommons(store, {
    actor: { kind: 'system', id: 'serve' },
    commandId: crypto.randomUUID(),
    at: new Date(),
  });
  await ensureAdministrator(system);
  const headAtStart = await store.head();
  const ready = async () => {
    const progress = await documents.progress();
    const behind = projections
      .map(nameOf)
      .filter((name) => (progress.get(name)?.checkpoint ?? -1n) < headAtStart);
    return behind.length === 0
      ? { ready: true }
      : { ready: false, reason: `Being built: ${behind.join(', ')}.` };
  };
  const tending = await tendingSigningKeys(system, (error) =>
    complain('signing keys', { kind: 'fault', what: 'not tended', message: String(error) }),
  );
  const server = config.roles.includes('api') ? await build() : undefined;
  // Loaded here, because every other command starts faster without it.
  async function build(): Promise<FastifyInstance> {
    const { buildServer } = await import('../api/server.ts');
    const logger = { level: config.logLevel, stream: process.stderr };
    const stores = { store, documents, side, vault, personal, tokenKeys, signingKeys, masterKey };
    return buildServer({ config, ...stores, ready, logger });
  }
  const threads: Thread[] = [];
  let carrying = () => Promise.resolve();
  try {
    for (const name of ['projector', 'dispatcher'] as const) {
      if (!config.roles.includes(name)) continue;
      threads.push(
        startThread(name, { config, writer: system.shareWriter() }, (message) => complain(name, message)),
      );
    }
    if (server) {
      carrying = await carryingMail(system, (message) => console.error(`mail: ${message}`));
      await announce(await listen(server, config), system, json);
    }
    await Promise.race([toldToStop(), ...threads.map(endedByItself)]);
  } finally {
    await server?.close();
    await carrying();
    await tending();
    await Promise.all(threads.map((thread) => thread.stop()));
  }
}

/** A server that has lost a thread does only part of its work, and must not end as if all were well. */
async function endedByItself({ name, ended }: Thread): Promise<never> {
  await ended;
  throw new Error(`The ${name} thread has ended by itself.`);
}

async function listen(server: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'EADDRINUSE':
        throw new ConfigError(
          `PORT ${port} is taken on ${host}; stop who listens there, or set PORT to another.`,
        );
      case 'EACCES':
        throw new ConfigError(`PORT ${port} may not be opened by this user; set PORT to one from 1024.`);
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
        throw new ConfigError(`HOST ${host} is no address of this machine.`);
      case undefined:
      default:
        throw error;
    }
  }
}

async function announce(address: string, system: System, json: boolean): Promise<void> {
  const { config } = system;
  const base = config.baseUrl ?? address.replace('127.0.0.1', 'localhost');
  const setUp = await setUpNotice(system, config.authUrl ?? base, { shown: !json && process.stdout.isTTY });
  if (json) {
    console.log(JSON.stringify({ listening: address, base }));
    return;
  }
  console.log(`Commonweal serves ${base}  (reference: ${base}/docs, data: ${config.dataDir})`);
  if (setUp !== undefined) console.log(setUp);
}

function complain(name: string, message: ThreadMessage): void {
  console.error(`${name}: ${message.what}: ${message.message}`);
}

function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
