import { hash } from 'node:crypto';
import { join } from 'node:path';
import { defined } from '../../ground/defined.ts';
import { ExportLines, plainLines, type LinePlace, type ReadLine } from './export-lines.ts';
import { exportedProof, proofsFile, type ExportedProof } from '../exports/manifest.ts';
import { selectionOf } from '../exports/selection.ts';
import { verifyInclusion } from '../proof-log/format/merkle.ts';
import { ProofError } from '../proof-log/errors.ts';
import { exactBase64 } from '../proof-log/format/note.ts';
import { hashBytes } from '../proof-log/format/tiles.ts';
import { compareLeaves, type ExpectedLeaves, type LeafBatch } from './compare-leaves.ts';
import { named, type Finding } from './finding.ts';
import { nameIn } from './exported-events.ts';
import { checkFile, type Verification } from './verification.ts';

const mostNamed = 200;
/** Proofs that wait for their events while the two files do not go together. */
const mostWaiting = 10_000;

/**
 * Every event of a filtered export has a proof that leads to the root of the checkpoint, and every proof has an event.
 * Whether the filter selects more events, only the store can tell.
 */
export async function verifyFiltered(verification: Verification): Promise<{ readonly more: boolean }> {
  const { folder, manifest, events, onPage, report } = verification;
  const path = join(folder, proofsFile);
  const listed = new ListedEvents();
  const file = new ExportLines(path, plainLines);
  for await (const lines of file.pages()) for (const line of lines) listed.add(line, report);
  checkFile(manifest.proofs, proofsFile, file.read, report);
  const proofs = new WaitingProofs(new ExportLines(path, plainLines));
  let reported = 0;
  const checkEach = async function* (): AsyncGenerator<LeafBatch<LinePlace>> {
    const selected = selectionOf({ ...manifest.filter, team: undefined });
    for await (const lines of events.lines.pages()) {
      events.count += lines.length;
      onPage(events.count);
      const ids = Buffer.allocUnsafe(lines.length * hashBytes);
      const places = lines.map(({ number, offset, bytes }) => ({ number, offset, bytes }));
      for (const [at, line] of lines.entries()) {
        const event = events.eventOf(line.content.toString());
        ids.set(keyOf(event?.id ?? `line ${line.number}`), at * hashBytes);
        const proof = event && (await proofs.take(event.id));
        const finding = event && proof && wrong(verification, line, proof, named(nameIn(event)));
        if (finding && reported++ < mostNamed) report({ ...finding, event: nameIn(event) });
        else if (event && !selected(event) && reported++ < mostNamed)
          report({
            kind: 'added',
            event: nameIn(event),
            sentence: `${named(nameIn(event))} is not among the events that the filter selects.`,
          });
      }
      yield { hashes: ids, refOf: (place) => places[place] as LinePlace };
    }
  };
  const compared = await compareLeaves(checkEach(), listed).finally(() => proofs.close());
  const places = events.places();
  for (const difference of compared.differences.slice(0, mostNamed)) {
    if (difference.kind === 'missing') continue;
    const { name, damaged } = await places.event(difference.found.ref);
    const subject = name ? named(name) : `What is at ${places.place(difference.found.ref)}`;
    const sentences = {
      changed: () => `${subject} is where ${listed.name(difference.index)} must be. ${damaged ?? ''}`.trim(),
      added: () => `${subject} has no proof here: it was added, or is there twice.`,
      moved: () => `${subject} is not in its place: its proof is on line ${difference.index + 1}.`,
      duplicated: () => `${subject} is there twice.`,
    };
    const leaf = listed.leafOf(difference.index);
    report({
      kind: difference.kind,
      ...(difference.kind === 'added' || leaf === undefined ? {} : { leaf }),
      ...defined({ event: name }),
      sentence: sentences[difference.kind](),
    });
  }
  const missing = compared.differences.flatMap((each) =>
    each.kind === 'missing' ? each.expected.map((_, place) => each.index + place) : [],
  );
  for (const finding of await nameMissing(path, new Set(missing.slice(0, mostNamed)))) report(finding);
  return { more: compared.brokenOff || compared.differences.length > mostNamed || reported > mostNamed };
}

/** Names the events that are missing, by their proofs. */
async function nameMissing(path: string, places: ReadonlySet<number>): Promise<Finding[]> {
  if (places.size === 0) return [];
  const found: Finding[] = [];
  for await (const lines of new ExportLines(path, plainLines).pages())
    for (const { number, content } of lines) {
      if (!places.has(number)) continue;
      const proof = proofIn(content);
      found.push({
        kind: 'missing',
        ...defined({ leaf: proof?.leaf }),
        sentence: proof
          ? `The event ${proof.id}, leaf ${proof.leaf}, is missing: it has a proof on line ${number + 1} of ${proofsFile}.`
          : `The event of line ${number + 1} of ${proofsFile} is missing.`,
      });
    }
  return found;
}

/** Why a proof does not prove the event of a line. */
function wrong(
  { checkpoint, events }: Verification,
  line: ReadLine,
  { leaf, hashes }: ExportedProof,
  subject: string,
): Finding | undefined {
  const path = hashes.map(exactBase64);
  try {
    if (path.some((each) => each?.length !== hashBytes))
      throw new ProofError('malformed', 'The proof has something that is no hash.');
    if (leaf >= checkpoint.size) throw new ProofError('beyond', `The tree has ${checkpoint.size} leaves.`);
    verifyInclusion(events.leafOf(line), leaf, checkpoint, path as Buffer[]);
    return undefined;
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return {
      kind: 'changed',
      leaf,
      sentence: `${subject} is not proved as leaf ${leaf}: the event or its proof was changed. ${error.message}`,
    };
  }
}

const keyOf = (id: string): Buffer => hash('sha256', id, 'buffer');

/** The events that have proofs, in order, by the hashes of their ids: some 40 bytes an event. */
class ListedEvents implements ExpectedLeaves {
  #keys = Buffer.alloc(1_024 * hashBytes);
  #leaves = new Float64Array(1_024);
  size = 0;

  add({ content, number }: ReadLine, report: (finding: Finding) => void): void {
    if (this.size === this.#leaves.length) this.#grow();
    const proof = proofIn(content);
    this.#keys.set(keyOf(proof?.id ?? `proof ${number}`), this.size * hashBytes);
    this.#leaves[this.size] = proof?.leaf ?? Number.NaN;
    const before = this.size === 0 ? -1 : (this.#leaves[this.size - 1] as number);
    if (!proof)
      report({ kind: 'proof', sentence: `Line ${number + 1} of ${proofsFile} is no proof: it was changed.` });
    else if (proof.leaf <= before)
      report({
        kind: 'proof',
        leaf: proof.leaf,
        sentence: `Line ${number + 1} of ${proofsFile} is out of order: leaf ${proof.leaf} comes after leaf ${before}.`,
      });
    this.size += 1;
  }

  async read(from: number, count: number): Promise<Buffer> {
    return this.#keys.subarray(from * hashBytes, Math.min(from + count, this.size) * hashBytes);
  }

  leafOf(place: number): number | undefined {
    const leaf = this.#leaves[place];
    return leaf === undefined || Number.isNaN(leaf) ? undefined : leaf;
  }

  name(place: number): string {
    const leaf = this.leafOf(place);
    return leaf === undefined ? `the event of line ${place + 1} of ${proofsFile}` : `leaf ${leaf}`;
  }

  #grow(): void {
    this.#keys = Buffer.concat([this.#keys, Buffer.alloc(this.#keys.length)]);
    const leaves = new Float64Array(2 * this.#leaves.length);
    leaves.set(this.#leaves);
    this.#leaves = leaves;
  }
}

/** Proofs by the ids of their events, read beside the events. */
class WaitingProofs {
  readonly #pages: AsyncGenerator<readonly ReadLine[]>;
  /** The store does not refuse a second event of the same id in another stream, so each id has a list. */
  readonly #waiting = new Map<string, ExportedProof[]>();
  #ended = false;

  constructor(lines: ExportLines) {
    this.#pages = lines.pages();
  }

  /** The first proof for an id that was not taken yet. */
  async take(id: string): Promise<ExportedProof | undefined> {
    while (!this.#waiting.has(id) && !this.#ended && this.#waiting.size < mostWaiting) {
      const page = await this.#pages.next();
      if (page.done === true) this.#ended = true;
      else for (const { content } of page.value) this.#keep(proofIn(content));
    }
    const proofs = this.#waiting.get(id);
    const proof = proofs?.shift();
    if (proofs?.length === 0) this.#waiting.delete(id);
    return proof;
  }

  async close(): Promise<void> {
    await this.#pages.return(undefined);
  }

  #keep(proof: ExportedProof | undefined): void {
    if (!proof) return;
    const others = this.#waiting.get(proof.id);
    if (others) others.push(proof);
    else this.#waiting.set(proof.id, [proof]);
  }
}

function proofIn(line: Buffer): ExportedProof | undefined {
  try {
    const parsed = exportedProof.safeParse(JSON.parse(line.toString()));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
