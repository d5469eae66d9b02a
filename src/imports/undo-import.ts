import { causeOf, commandImport, importRunOf } from '../commands/directory/import.ts';
import { undoImportOfOrganization } from '../commands/directory/organization.ts';
import { undoImportOf } from '../commands/directory/resource.ts';
import type { Undone } from '../commands/directory/undoing.ts';
import { streamId } from '../events/define.ts';
import type { UndoCounts } from '../events/directory/import.ts';
import { organizationStream } from '../events/directory/organization.ts';
import { resourceStream } from '../events/directory/resource.ts';
import type { CommandContext } from '../events/metadata.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { streamsOfCorrelation } from '../projections/audit-correlation.ts';
import type { Change } from '../projections/until-shown.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { Leases } from '../stores/leases/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';

/** What an import is undone with. */
export interface UndoParts {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly leases: Leases;
  context(): CommandContext;
  waitUntilVisible(changes: readonly Change[], timeoutMs: number): Promise<void>;
}

/** A record that stays, in whole or in part. */
export interface LeftRecord {
  readonly svc_id: string;
  readonly name: string;
  /** Fields that were changed since; `record`, which was changed since it was made; `status`. */
  readonly left: readonly string[];
}

/** What undoing an import came to. */
export interface UndoReport extends UndoCounts {
  readonly import: string;
  /** The same of organizations, which the counts above leave out. Absent of undos from before they had records. */
  readonly organizations?: UndoCounts;
  readonly left_records: readonly LeftRecord[];
  readonly not_listed: number;
}

const atOnce = 16;
const mostListed = 10_000;
const timeoutMs = 600_000;

/** Whose imports may be undone, and who is told how far it is. */
interface UndoOptions {
  /** Undefined: of any team. */
  readonly team?: string | undefined;
  readonly onProgress?: (done: number) => void;
  /** Awaited before anything is changed, once it is clear that this process does it. */
  readonly beforeFirst?: () => Promise<void>;
  /** Keeps what it came to, before it counts as undone. */
  readonly keep?: (report: UndoReport) => Promise<void>;
  /** Interrupts it between two records. Undoing it again goes on. */
  readonly signal?: AbortSignal;
}

/**
 * Takes back what an import changed, where nobody has changed it since. Undoing it again goes on where it was cut off.
 * @throws CommandRefused not_found, conflict, also while an import of the team runs; the reason of the signal
 */
export async function undoImport(parts: UndoParts, id: string, options: UndoOptions): Promise<UndoReport> {
  const { team } = options;
  const run = await importRunOf(parts.store, id);
  if (!run || (team !== undefined && run.team !== team))
    throw new CommandRefused('not_found', 'There is no such import of your team.');
  if (run.phase === 'undone') throw new CommandRefused('conflict', 'The import is undone already.');
  return oneAtATime(parts.leases, run.team, (lost) =>
    undoAlone(parts, id, {
      ...options,
      signal: AbortSignal.any([lost, ...(options.signal ? [options.signal] : [])]),
    }),
  );
}

async function undoAlone(
  parts: UndoParts,
  id: string,
  { team, onProgress = () => undefined, beforeFirst, keep, signal }: UndoOptions,
): Promise<UndoReport> {
  const { store, documents } = parts;
  await beforeFirst?.();
  await commandImport(store, id, { kind: 'begin-undo', asTeam: team }, parts.context());
  const ofImport = { correlationId: id, causationId: causeOf(id, 'begin') };
  const cause = { correlationId: id, causationId: causeOf(id, 'begin-undo') };
  const counts = { taken_out: 0, revised: 0, returned: 0, left: 0 };
  const organizations = { taken_out: 0, revised: 0, returned: 0, left: 0 };
  const left_records: LeftRecord[] = [];
  let not_listed = 0;
  let done = 0;
  const changes = new Map<string, Change>();
  const remember = ({ events, types, position }: Change & { readonly events: readonly unknown[] }): void => {
    const former = changes.get(types.join());
    if (events.length > 0 && !(former && former.position > position))
      changes.set(types.join(), { types, position });
  };
  const streams = streamsOfCorrelation(documents, id, { upTo: await store.head(), timeoutMs });
  const worker = async () => {
    for (;;) {
      signal?.throwIfAborted();
      const next = await streams.next();
      if (next.done) return;
      const { stream } = next.value;
      if (stream.startsWith(`${organizationStream.name}-`)) {
        const org_id = streamId({ stream }, organizationStream);
        const undone = await undoImportOfOrganization({ store }, org_id, ofImport, {
          ...parts.context(),
          ...cause,
        });
        count(organizations, undone);
        remember(undone);
        continue;
      }
      if (!stream.startsWith(`${resourceStream.name}-`)) continue;
      const svc_id = streamId({ stream }, resourceStream);
      const outcome = await undoImportOf({ store }, svc_id, ofImport, { ...parts.context(), ...cause });
      count(counts, outcome);
      remember(outcome);
      if (outcome.left.length > 0) {
        const entry = { svc_id, name: outcome.state?.fields.name ?? svc_id, left: outcome.left };
        if (left_records.length < mostListed) left_records.push(entry);
        else not_listed += 1;
      }
      onProgress(++done);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const report = { import: id, ...counts, organizations, left_records, not_listed };
  await keep?.(report);
  const ended = await commandImport(
    store,
    id,
    { kind: 'end-undo', counts },
    { ...parts.context(), causationId: cause.causationId },
  );
  await parts.waitUntilVisible([...changes.values(), ended], timeoutMs);
  return report;
}

/** Counts what undoing came to for one record or organization. */
function count(counts: { -readonly [Name in keyof UndoCounts]: number }, { undone, left }: Undone): void {
  const has = (...steps: readonly string[]): boolean =>
    undone.some((type) => steps.some((step) => type.endsWith(step)));
  const isOut = has('Deactivated', 'Withdrawn');
  if (isOut) counts.taken_out += 1;
  if (has('Revised')) counts.revised += 1;
  // What is public no more may wait for review again.
  if (!isOut && has('Reactivated', 'Resubmitted')) counts.returned += 1;
  if (left.length > 0) counts.left += 1;
}
