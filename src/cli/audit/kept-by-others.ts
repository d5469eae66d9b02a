/** What others have of a log: checkpoints, and keys, also of a log that ended. */
import { readFile } from 'node:fs/promises';
import { formerLog, inWords } from '../../audit/proof-log/former-log.ts';
import type { Finding } from '../../audit/verify/finding.ts';
import type { KeptCheckpoints } from '../../audit/verify/kept-checkpoints.ts';
import type { System } from '../../container.ts';
import { UsageError } from '../options.ts';

/** @throws UsageError */
export async function keptIn(path: string): Promise<KeptCheckpoints> {
  try {
    return { name: path, text: await readFile(path, 'utf8') };
  } catch (error) {
    throw new UsageError(`--checkpoint: ${(error as Error).message}`);
  }
}

/** A log that was emptied is not a new one to whoever has a checkpoint of it. */
export const begunAnew = ({ name }: KeptCheckpoints): Finding => ({
  kind: 'checkpoint',
  sentence: `The checkpoints in ${name} are not of this log as it is: it has no key, so it was lost or begun anew. With --vkey, the key that they were signed with, each is named.`,
});

/** @throws UsageError */
export async function refuseFormerKey(
  { proofLog }: System,
  chosen: readonly string[] | undefined,
): Promise<void> {
  const former = (await proofLog.ended()).find(({ vkey, earlier = [] }) =>
    chosen?.some((each) => [vkey, ...earlier].includes(each.trim())),
  );
  if (former)
    throw new UsageError(
      `--vkey: is the key of a former log. ${inWords(formerLog(former))} Leave it away, and compare the checkpoints that you have kept: --checkpoint <file>`,
    );
}
