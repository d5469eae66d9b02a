import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rewriteHistory } from '../audit/rewritten-history.ts';
import { runCommandLine } from '../support/command-line.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { runCommand, startServing, type Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

const timeout = 180_000;

interface Peer {
  readonly log: string;
  readonly witness: string;
}

const nameOf = (vkey: string) => vkey.split('+')[0] ?? '';

/** A commons of its own, with a server at a port that the other one can be told. */
class Installation {
  readonly dataDir: string;
  port = 0;
  #serving: Serving | undefined;
  #settings: Record<string, string> = {};

  constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  get address() {
    return `http://127.0.0.1:${this.port}`;
  }

  async begin(team: string) {
    this.port = await freePort();
    await runCommand(this.dataDir, 'teams', 'create', team.toLowerCase(), '--name', team);
    await this.start();
    await this.stop();
  }

  /** What its operator gives to the other one. */
  peer = () => runCommand(this.dataDir, 'audit', 'log', 'peer') as Promise<Peer>;

  async start(other?: { readonly peer: Peer; readonly address: string }) {
    if (other)
      this.#settings = {
        WITNESS_PEERS: `${other.peer.log} ${other.peer.witness} ${other.address}/witness`,
      };
    const settings = { ...this.#settings, CHECKPOINT_SECONDS: '1', PORT: String(this.port) };
    this.#serving = await startServing(this.dataDir, settings);
  }

  async stop() {
    await this.#serving?.stop();
    this.#serving = undefined;
  }

  run = (...words: readonly string[]) => runCommandLine(words, this.dataDir, this.#settings);

  /** The checkpoint that it serves, once a witness has cosigned it. */
  cosignedBy = (witness: string) =>
    until(async () => {
      const note = await (await fetch(`${this.address}/audit/log/checkpoint`)).text();
      return note.includes(`\n— ${nameOf(witness)} `) && note;
    });

  failure = (job: string) =>
    until(async () => {
      const { stdout } = await this.run('status', '--json');
      const { failing_jobs = [] } = JSON.parse(stdout) as {
        readonly failing_jobs?: readonly { readonly job: string; readonly error: string }[];
      };
      return failing_jobs.find((each) => each.job === job)?.error;
    });
}

// It changes the files of the embedded stores.
describe.skipIf(!isEmbedded)('two installations that witness each other', { timeout }, () => {
  const folder = temporaryFolder();
  const harbour = new Installation(join(folder.path, 'harbour'));
  const valley = new Installation(join(folder.path, 'valley'));
  let harbourPeer: Peer;
  let valleyPeer: Peer;

  beforeAll(async () => {
    await harbour.begin('Harbour');
    await valley.begin('Valley');
    expect(existsSync(join(harbour.dataDir, 'witness.db'))).toBe(false);
    harbourPeer = await harbour.peer();
    valleyPeer = await valley.peer();
    // One setting each.
    await harbour.start({ peer: valleyPeer, address: valley.address });
    await valley.start({ peer: harbourPeer, address: harbour.address });
  }, timeout);
  afterAll(async () => {
    await harbour.stop();
    await valley.stop();
    folder.remove();
  });

  test('serve checkpoints that the other has cosigned, and verify them', async () => {
    const [ofHarbour, ofValley] = await Promise.all([
      harbour.cosignedBy(valleyPeer.witness),
      valley.cosignedBy(harbourPeer.witness),
    ]);
    expect(ofHarbour).toContain(nameOf(harbourPeer.log));
    expect(ofValley).toContain(nameOf(valleyPeer.log));
    for (const each of [harbour, valley]) {
      const verified = await until(async () => {
        const run = await each.run('verify');
        return run.code === 0 && run.stdout;
      });
      expect(verified).toContain('1 of 1 witness (1 needed) has cosigned its checkpoint');
    }
    const at = `${valley.address}/witness/${hash('sha256', nameOf(harbourPeer.log), 'hex')}/checkpoint`;
    expect(await (await fetch(at)).text()).toContain(`— ${nameOf(harbourPeer.log)} `);
    expect(await (await fetch(`${valley.address}/witness/vkey`)).text()).toBe(`${valleyPeer.witness}\n`);
    const shown = await valley.run('audit', 'log', 'peer');
    expect(shown.stdout).toMatch(
      /^The other installation sets:\nWITNESS_PEERS="\S+ \S+ https:\/\/<address of this server>\/witness"\n/,
    );
    expect(shown.stdout).toMatch(
      new RegExp(`^Cosigns ${nameOf(harbourPeer.log)}: up to \\d+ entries\\.$`, 'm'),
    );
  });

  test('a restored one is a new witness, and says so; the other one names it until it has its key', async () => {
    const backup = join(folder.path, 'backup');
    expect(await valley.run('backup', backup)).toMatchObject({ code: 0 });
    await valley.stop();
    const restored = await valley.run('restore', backup, '--replace');
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.stdout).toContain('it is now a new witness under a new name');
    await valley.start();
    await runCommand(harbour.dataDir, 'teams', 'create', 'pier', '--name', 'Pier');
    expect(await harbour.failure(`witness ${nameOf(valleyPeer.witness)}`)).toMatch(
      /answers with no cosignature of its key/,
    );
    const again = await valley.peer();
    expect(nameOf(again.witness)).not.toBe(nameOf(valleyPeer.witness));
    valleyPeer = again;
    await harbour.stop();
    await harbour.start({ peer: valleyPeer, address: valley.address });
    await harbour.cosignedBy(valleyPeer.witness);
  });

  test('one whose history is rewritten is refused by the other, and named', async () => {
    await harbour.stop();
    await rewriteHistory(harbour.dataDir, 'Harbour', 'Harbor');
    await harbour.start();
    expect(await harbour.failure(`witness ${nameOf(valleyPeer.witness)}`)).toMatch(
      /refuses the checkpoint .*\(422\): it does not continue|\(409\): the log was cut back/,
    );
    const doctor = await harbour.run('doctor');
    expect(doctor.stdout).toContain(nameOf(valleyPeer.witness));
    expect(await harbour.run('verify')).toMatchObject({ code: 1 });
  });
});
