import { z } from 'zod';
import { counted } from '../../ground/counted.ts';
import type { ProofLog, SignedTree } from '../../stores/side/proof-log-port.ts';
import type { Vault } from '../../stores/vault/port.ts';

/**
 * The entry of the vault that says how many checkpoints were signed up to which tree. The newest tree proves the entries,
 * and says nothing of the checkpoints before it: one of them could be taken away unseen.
 */
export const sealedCountEntry = 'proof-log/checkpoints';

const mark = z.strictObject({ size: z.int().nonnegative(), checkpoints: z.int().nonnegative() });
/** `marks`: what was sealed earlier, some of it, so that it can be told where one is missing. Absent in older entries. */
const stored = mark.extend({ marks: z.array(mark).optional() });
type Mark = z.output<typeof mark>;

/** Beyond so many marks every second one is left out. */
const mostMarks = 64;

interface CountParts {
  readonly vault: Pick<Vault, 'get' | 'put'>;
  readonly proofLog: Pick<ProofLog, 'checkpoints'>;
}

const pageSize = 1_000;

/** Seals the number of checkpoints up to `size`: what was sealed before, and those signed since. */
export async function sealCount({ vault, proofLog }: CountParts, size: number): Promise<void> {
  const sealed = await readCount(vault);
  if (sealed?.size === size) return;
  // A restore goes back behind what was sealed.
  const from = sealed && sealed.size < size ? sealed : undefined;
  let checkpoints = from?.checkpoints ?? 0;
  for await (const page of pagesOfCheckpoints(proofLog, from?.size ?? 0, size)) checkpoints += page.length;
  const count = { size, checkpoints };
  const marks = thinned([...(from?.marks ?? []), count]);
  await vault.put(sealedCountEntry, Buffer.from(JSON.stringify({ ...count, marks })));
}

/** Keeps the newest. */
const thinned = (marks: readonly Mark[]): readonly Mark[] =>
  marks.length < mostMarks ? marks : marks.filter((_, at) => at % 2 === 1);

/**
 * What is wrong when checkpoints are missing that were signed, though the newest is there, and between which trees, with when
 * those were signed. Undefined: none is.
 */
export async function missingCheckpoints({
  vault,
  proofLog,
}: {
  readonly vault: Pick<Vault, 'get'>;
  readonly proofLog: Pick<ProofLog, 'checkpoints' | 'newest'>;
}): Promise<string | undefined> {
  const sealed = await readCount(vault);
  const newest = await proofLog.newest();
  // That the proof log was cut back is another finding.
  if (!sealed || !newest || newest.size < sealed.size) return undefined;
  const gaps: string[] = [];
  let present = 0;
  let before: Mark & { present: number; signedAt?: string } = { size: 0, checkpoints: 0, present: 0 };
  const marks = [...(sealed.marks ?? []).filter(({ size }) => size < sealed.size), sealed].values();
  let next = marks.next().value;
  /** Compares what is present up to a mark. */
  const reach = (until: Mark, signedAt: string | undefined) => {
    const missing = until.checkpoints - before.checkpoints - (present - before.present);
    if (missing > 0) gaps.push(gapBetween(missing, before, { ...until, signedAt }));
    before = { size: until.size, checkpoints: until.checkpoints, present, ...(signedAt ? { signedAt } : {}) };
  };
  for await (const page of pagesOfCheckpoints(proofLog, 0, sealed.size)) {
    for (const { size, signedAt } of page) {
      while (next && next.size < size) {
        reach(next, undefined);
        next = marks.next().value;
      }
      present += 1;
      if (next?.size === size) {
        reach(next, signedAt);
        next = marks.next().value;
      }
    }
  }
  for (; next; next = marks.next().value) reach(next, undefined);
  if (present === sealed.checkpoints) return undefined;
  const signed = `of the ${counted(sealed.checkpoints, 'checkpoint')} that were signed up to the one of ${counted(sealed.size, 'entry', 'entries')}`;
  return present < sealed.checkpoints
    ? `${counted(sealed.checkpoints - present, 'checkpoint is', 'checkpoints are')} missing in the proof log, ${signed}: ${gaps.join('; ')}.`
    : `The proof log has ${present - sealed.checkpoints} more checkpoints than the vault counted ${signed}.`;
}

type Edge = Pick<Mark, 'size'> & { readonly signedAt?: string | undefined };

/** The times are those that the checkpoints at both ends have, where these are there. */
function gapBetween(missing: number, from: Edge, until: Edge): string {
  const at = ({ signedAt }: Edge) => (signedAt === undefined ? '' : ` (signed ${signedAt})`);
  const beginning = from.size === 0 ? 'the beginning' : `the tree of ${from.size}${at(from)}`;
  return `${missing} between ${beginning} and the tree of ${counted(until.size, 'entry', 'entries')}${at(until)}`;
}

async function readCount(vault: Pick<Vault, 'get'>): Promise<z.output<typeof stored> | undefined> {
  const secret = await vault.get(sealedCountEntry);
  return secret && stored.parse(JSON.parse(Buffer.from(secret).toString()));
}

/** The checkpoints of trees larger than `after`, up to `upTo`, smallest first. */
async function* pagesOfCheckpoints(
  proofLog: Pick<ProofLog, 'checkpoints'>,
  after: number,
  upTo: number,
): AsyncGenerator<readonly SignedTree[]> {
  for (let at = after; ;) {
    const page = await proofLog.checkpoints({ after: at, limit: pageSize });
    yield page.filter(({ size }) => size <= upTo);
    const last = page.at(-1);
    if (!last || last.size >= upTo) return;
    at = last.size;
  }
}
