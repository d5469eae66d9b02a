import { ensureLogKey } from '../../src/audit/proof-log/format/log-key.ts';
import { Signer } from '../../src/audit/proof-log/signer.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import type { ProofLog } from '../../src/stores/side/proof-log-port.ts';

/**
 * Signs the log in DATA_DIR once, `proof-log-signer.ts <n>`, and is killed with its n-th write: before it when n is
 * odd, after it when n is even. Without so many writes it ends with code 0.
 */
const fatal = Number(process.argv[2] ?? 0);
const system = await openSystem(readConfig(process.env));
const { store, vault, proofLog, leases } = system;
let moments = 0;

const killed = () => {
  moments += 1;
  if (moments === fatal) process.kill(process.pid, 'SIGKILL');
};
async function write<Result>(work: () => Promise<Result>): Promise<Result> {
  killed();
  const result = await work();
  killed();
  return result;
}
const mortal: ProofLog = Object.assign(Object.create(proofLog) as ProofLog, {
  newest: () => proofLog.newest(),
  tiles: (tiles: Parameters<ProofLog['tiles']>[0]) => proofLog.tiles(tiles),
  bundleAtOrBefore: (index: number) => proofLog.bundleAtOrBefore(index),
  putTiles: (tiles: Parameters<ProofLog['putTiles']>[0]) => write(() => proofLog.putTiles(tiles)),
  putBundles: (bundles: Parameters<ProofLog['putBundles']>[0]) => write(() => proofLog.putBundles(bundles)),
  add: (...tree: Parameters<ProofLog['add']>) => write(() => proofLog.add(...tree)),
});

const key = await ensureLogKey(vault, 'directory.example/audit/log');
const lease = await leases.acquire('proof-log', AbortSignal.timeout(60_000));
const signer = await Signer.open({ store, proofLog: mortal, key, epoch: lease?.epoch ?? 0 });
await signer.grow(() => new Date());
await signer.sign(new Date());
await lease?.release();
await system.close();
