import { causeOfBulk, commandOfBulk } from '../commands/directory/bulk.ts';
import { approveOrganizationOf } from '../commands/directory/organization.ts';
import { commandResource, type ResourceParts } from '../commands/directory/resource.ts';
import type { BulkChange, BulkCounts } from '../events/directory/bulk.ts';
import { uuidOf } from '../events/ids.ts';
import { withoutRequest, type CommandContext } from '../events/metadata.ts';
import { resources } from '../projections/directory/resources.ts';
import type { Documents } from '../stores/documents/port.ts';
import { skipFor, type PartOutcome, type SkippedRecord } from './bulk-state.ts';
import type { WorkOfTeam } from './team-jobs.ts';
import type { LastChanges } from './undo-records.ts';

/**
 * Records at a time. They share commits, which take long while the projector commits as well: 16 came to 100 to 150 records a
 * second beside it, 64 to 480, and the thread was held for 16 ms at most.
 */
const atOnce = 64;
/** How often it is looked at whether it may still go on. */
const checkEveryMs = 100;

interface Parts extends ResourceParts {
  readonly documents: Documents;
}

interface DecidingOptions {
  /** Awaited before each record. */
  readonly rest: () => Promise<void> | undefined;
  readonly change: BulkChange;
  readonly context: () => CommandContext;
  readonly changes: LastChanges;
  readonly signal: AbortSignal;
}

/** Decides about records one by one, by the rules of single decisions. */
export class BulkDecisions {
  readonly #parts: Parts;
  readonly #of: WorkOfTeam;
  readonly #options: DecidingOptions;
  /** Organizations that were approved with a record. Hundreds of records may be of one. */
  readonly #organizations = new Set<string>();

  constructor(parts: Parts, of: WorkOfTeam, options: DecidingOptions) {
    this.#parts = parts;
    this.#of = of;
    this.#options = options;
  }

  /** Decides about some. `stopped`: asked now and then. */
  async all(
    ids: readonly string[],
    {
      onProgress,
      stopped,
    }: {
      readonly onProgress: (done: number) => void;
      readonly stopped: () => Promise<BulkCounts['stopped']>;
    },
  ): Promise<PartOutcome & Pick<BulkCounts, 'stopped'>> {
    const outcome = { done: 0, unchanged: 0 };
    const refused = new Map<string, Omit<SkippedRecord, 'name'>>();
    let [next, finished, checkedAt] = [0, 0, -Infinity];
    let why = await stopped();
    const worker = async () => {
      while (next < ids.length && why === undefined) {
        const svc_id = ids[next++] as string;
        await this.#options.rest();
        this.#options.signal.throwIfAborted();
        if (performance.now() - checkedAt > checkEveryMs) {
          checkedAt = performance.now();
          why = await stopped();
          if (why !== undefined) return;
        }
        const result = await this.#decide(svc_id);
        if (typeof result === 'string') outcome[result] += 1;
        else refused.set(svc_id, result);
        onProgress(++finished);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    const skipped = await this.#named(ids.flatMap((id) => refused.get(id) ?? []));
    return { ...outcome, skipped, ...(why && { stopped: why }) };
  }

  async #decide(svc_id: string): Promise<'done' | 'unchanged' | Omit<SkippedRecord, 'name'>> {
    const { change, changes } = this.#options;
    const { team } = this.#of;
    try {
      const command = { ...commandOfBulk(change), asTeam: team };
      const outcome = await commandResource(this.#parts, svc_id, command, this.#context(svc_id));
      changes.add(outcome);
      if (change.decision === 'approve') await this.#approveOrganization(outcome);
      return outcome.events.length > 0 ? 'done' : 'unchanged';
    } catch (error) {
      const why = skipFor(error);
      if (why === undefined) throw error;
      return { svc_id, why, cause: (error as Error).message };
    }
  }

  async #approveOrganization(outcome: Parameters<typeof approveOrganizationOf>[1]): Promise<void> {
    const organization = outcome.state?.fields.organization?.id;
    if (organization === undefined || this.#organizations.has(organization)) return;
    this.#organizations.add(organization);
    const approved = await approveOrganizationOf(this.#parts, outcome, this.#context(organization));
    if (approved) this.#options.changes.add(approved);
  }

  /** Repeated by another process, it is the same command. */
  #context(about: string): CommandContext {
    const { id } = this.#of;
    return {
      ...withoutRequest(this.#options.context()),
      correlationId: id,
      causationId: causeOfBulk(id, 'begin'),
      commandId: uuidOf('bulk', id, about),
    };
  }

  /** What others call their records is not shown. */
  async #named(refused: readonly Omit<SkippedRecord, 'name'>[]): Promise<SkippedRecord[]> {
    if (refused.length === 0) return [];
    const ids = refused.map(({ svc_id }) => svc_id);
    const docs = await this.#parts.documents.collection(resources.collection).getMany(ids);
    return refused.map((each) => {
      const doc = docs.get(each.svc_id);
      const name =
        doc?.team === this.#of.team
          ? (JSON.parse(`{${doc.card}}`) as { readonly name: string }).name
          : each.svc_id;
      return { ...each, name };
    });
  }
}
