import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { EmbeddedLeases } from '../../src/stores/leases/embedded.ts';
import { temporaryFolder } from '../support/folder.ts';
import { leasesContract } from './leases.ts';

const holdLease = fileURLToPath(new URL('../stores/fixtures/hold-lease.ts', import.meta.url));

leasesContract('embedded', () => {
  const folder = temporaryFolder();
  const clients: EmbeddedLeases[] = [];
  const children: ChildProcess[] = [];
  const open = () => {
    const client = new EmbeddedLeases(folder.path);
    clients.push(client);
    return client;
  };
  return Promise.resolve({
    leases: open(),
    another: () => Promise.resolve(open()),
    holderProcess: async (name) => {
      const child = spawn(process.execPath, [holdLease, folder.path, name], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      const [said] = (await once(child.stdout, 'data')) as [Buffer];
      if (said.toString() !== `holding ${name}\n`) throw new Error(`The holder said: ${said.toString()}`);
      return {
        kill: async () => {
          const ended = once(child, 'exit');
          child.kill('SIGKILL');
          await ended;
        },
      };
    },
    dispose: async () => {
      for (const child of children) child.kill('SIGKILL');
      for (const client of clients) await client.close();
      folder.remove();
    },
  });
});
