import { formatOf } from '../../audit/exports/formats.ts';
import type { ExportedEvent, Format } from '../../audit/exports/format.ts';
import { contentOf, entryOfContent, leafHash } from '../../audit/proof-log/entry.ts';
import { entriesFrom, nearestPlace } from '../../audit/proof-log/signed-entries.ts';
import { storedTiles } from '../../audit/proof-log/format/stored-tiles.ts';
import { hashBytes, tileWidth } from '../../audit/proof-log/format/tiles.ts';
import { reverseDns } from '../../audit/exports/cloudevents.ts';
import type { AuditPush } from '../../config.ts';
import type { System } from '../../container.ts';
import { createSender, isAcknowledged, type Sender } from '../../dispatch/attempts/sender.ts';
import { standardHeaders } from '../../dispatch/signature.ts';
import { uuidOf } from '../../events/ids.ts';
import { pause } from '../../ground/back-off.ts';
import { counted } from '../../ground/counted.ts';
import { startJob, type Job, type JobOptions, type Supervision } from '../../ground/job.ts';
import type { SideStore, SideTable } from '../../stores/side/port.ts';
import { ownDestinations } from '../checkpoint-push.ts';

/** How often the job looks for a new checkpoint, in milliseconds. */
const lookEveryMs = 2_000;
/** After a failure, in milliseconds: at first, and while the receiver stays away. */
const retryFirstMs = 1_000;
const retryLongestMs = 60_000;
/** For a whole request: the receiver stores a batch before it answers. */
const timeoutMs = 15_000;
/** A request has so many events, and bytes of them, at most, and one event at least. */
const mostEvents = 500;
const mostBytes = 1024 * 1024;

/** How far the audit log was pushed. */
interface Pushed {
  /** The leaf at which pushing began. */
  readonly from: number;
  /** The next leaf. Everything before it, from `from` on, was acknowledged. */
  readonly next: number;
  /** The id of the event before it. Absent at the beginning. */
  readonly last?: string;
}

const pushedId = 'pushed';
const positions = (side: SideStore): SideTable<Pushed> => side.table('audit-push');

/**
 * Starts the job that pushes the audit log to AUDIT_PUSH. Undefined when none is set. Of several nodes one runs it.
 */
export function startAuditPush(system: System, base: string, supervision: Supervision): Job | undefined {
  const { auditPush } = system.config;
  if (auditPush === undefined) return undefined;
  const sender = createSender({ policy: ownDestinations(system.config), timeoutMs });
  const job = startJob(supervision, {
    name: 'audit-push',
    lease: 'audit-push',
    firstMs: retryFirstMs,
    longestMs: retryLongestMs,
    work: async (signal, progress, epoch) => {
      const installation = await system.installation.id();
      // There is one before the jobs start.
      if (installation === undefined) throw new Error('The log belongs to no installation yet.');
      const form = formatOf(auditPush.format, { installation, domain: reverseDns(base) });
      await pushEvents(system, auditPush, form, sender)(signal, progress, epoch);
    },
  });
  return {
    failed: job.failed,
    async stop() {
      await job.stop();
      await sender.close();
    },
  };
}

/**
 * The work of the job: sends the events that a checkpoint covers in the order of the log, one request after the other, and stores
 * how far after each that was acknowledged. So an event is sent at least once, and none before the ones ahead of it. Keeps
 * one request in memory, however long the receiver is away.
 */
export const pushEvents =
  (
    system: Pick<System, 'store' | 'proofLog' | 'side'>,
    { url, key, from }: Pick<AuditPush, 'url' | 'key' | 'from'>,
    form: Format,
    sender: Sender,
    wait: (signal: AbortSignal) => Promise<void> = (signal) => pause(lookEveryMs, signal),
  ): JobOptions['work'] =>
  async (signal, progress) => {
    const table = positions(system.side);
    let atOnce = mostEvents;
    let pushed: Pushed | undefined;
    while (!signal.aborted) {
      const size = (await system.proofLog.newest())?.size;
      if (size !== undefined) {
        pushed ??= await placeIn(system, table, size, from);
        for await (const batch of batchesOf(system, pushed, size, form, () => atOnce, signal)) {
          const outcome = await sender.send({ url, signal, ...requestOf(batch, form, key) });
          if (outcome.kind === 'failed' && outcome.reason === 'aborted') return;
          if (outcome.kind === 'answered' && outcome.status === 413 && batch.length > 1) {
            // The next look sends the same events in smaller requests.
            atOnce = Math.ceil(batch.length / 2);
            break;
          }
          if (!isAcknowledged(outcome)) {
            const why = outcome.kind === 'answered' ? `the answer was ${outcome.status}` : outcome.message;
            throw new Error(
              `${counted(batch.length, 'event')} from leaf ${pushed.next} could not be sent to ${new URL(url).host}, which AUDIT_PUSH names: ${why}`,
            );
          }
          const { index, event } = batch.at(-1) as ExportedEvent;
          pushed = { from: pushed.from, next: index + 1, last: event.id };
          await table.put(pushedId, pushed);
          progress.succeeded();
        }
        if (pushed.next < size) continue;
      }
      progress.succeeded();
      await wait(signal);
    }
  };

/**
 * Where pushing goes on. At the first start it begins. When the log does not have the event that was sent last, because a backup
 * from before it was restored, everything is sent again: events of the restored log may stand where others stood.
 */
async function placeIn(
  { store, proofLog }: Pick<System, 'store' | 'proofLog'>,
  table: SideTable<Pushed>,
  size: number,
  from: AuditPush['from'],
): Promise<Pushed> {
  const stored = await table.get(pushedId);
  if (stored === undefined) {
    const first = from === 'beginning' ? 0 : size;
    const begun = { from: first, next: first };
    await table.put(pushedId, begun);
    return begun;
  }
  if (stored.last === undefined || (await eventAt({ store, proofLog }, stored.next - 1)) === stored.last)
    return stored;
  const again = { from: Math.min(stored.from, size), next: Math.min(stored.from, size) };
  await table.put(pushedId, again);
  return again;
}

/** The id of the event that is this leaf. */
async function eventAt(
  { store, proofLog }: Pick<System, 'store' | 'proofLog'>,
  leaf: number,
): Promise<string | undefined> {
  const place = await nearestPlace(proofLog, Math.floor(leaf / tileWidth));
  for await (const { index, event } of entriesFrom(store, place, undefined, tileWidth))
    if (index === leaf) return event.id;
  return undefined;
}

/**
 * The events from a place up to `size`, as they are sent at once. Each is compared with the proof log: one that was changed is
 * not pushed as if it were the one that was signed.
 */
async function* batchesOf(
  { store, proofLog }: Pick<System, 'store' | 'proofLog'>,
  { next }: Pushed,
  size: number,
  form: Format,
  atOnce: () => number,
  signal: AbortSignal,
): AsyncGenerator<readonly ExportedEvent[]> {
  if (next >= size) return;
  const tiles = storedTiles(proofLog);
  const place = await nearestPlace(proofLog, Math.floor(next / tileWidth));
  let tile = -1;
  let hashes: Buffer = Buffer.alloc(0);
  let batch: ExportedEvent[] = [];
  let bytes = 0;
  for await (const { index, event } of entriesFrom(store, place, signal, mostEvents)) {
    if (index >= size) break;
    if (index < next) continue;
    if (Math.floor(index / tileWidth) !== tile) {
      tile = Math.floor(index / tileWidth);
      const width = Math.min(tileWidth, size - tile * tileWidth);
      [hashes = hashes] = await tiles.tiles([{ level: 0, index: tile, width }]);
    }
    const content = contentOf(event);
    const signed = hashes.subarray((index % tileWidth) * hashBytes, ((index % tileWidth) + 1) * hashBytes);
    if (!leafHash(entryOfContent(content)).equals(signed)) {
      throw new Error(
        `The event ${event.id} (${event.stream}, revision ${event.revision}) is not the one that the proof log has as leaf ${index}: it was changed. Nothing behind it is pushed. Run "commonweal verify".`,
      );
    }
    const exported = { index, event, content };
    const length = Buffer.byteLength(form.line(exported));
    if (batch.length > 0 && (batch.length >= atOnce() || bytes + length > mostBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(exported);
    bytes += length;
  }
  if (batch.length > 0 && !signal.aborted) yield batch;
}

/** A request with the events file of an export of them. A repeated batch has the same id. */
function requestOf(batch: readonly ExportedEvent[], form: Format, secret: string) {
  const lines = batch.map((each) => form.line(each).toString());
  const body = Buffer.from(`${form.begin}${lines.join(form.between)}${form.end}`);
  const ids = batch.map(({ event }) => event.id);
  const id = uuidOf('audit-push', String(batch.length), ids[0] ?? '', ids.at(-1) ?? '');
  return {
    headers: {
      'Content-Type': form.mediaType,
      'User-Agent': 'Commonweal-Audit/1',
      ...standardHeaders({ secret, id, body, at: new Date() }),
    },
    body,
  };
}
