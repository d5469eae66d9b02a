import { setImmediate } from 'node:timers/promises';
import { counted } from '../ground/counted.ts';
import { UnknownEvent } from '../events/catalogue.ts';
import { projected, type ProjectedEvent } from '../projections/engine/read-model.ts';
import { StoreError } from '../stores/errors.ts';
import type { ErasureLedger } from '../stores/vault/erasure-ledger-port.ts';
import type { Documents } from '../stores/documents/port.ts';
import { pagesOf, type EventStore, type RecordedEvent } from '../stores/event-store/port.ts';
import type { SideStore } from '../stores/side/port.ts';
import type { Vault } from '../stores/vault/port.ts';
import type { Findings } from './finding.ts';
import { DataKeys } from './data-keys.ts';
import { ReadModels } from './read-models.ts';
import { NamedSecrets } from './named-secrets.ts';

export interface LogParts {
  /** The installation's events. */
  readonly store: EventStore;
  readonly documents: Documents;
  readonly side: SideStore;
  readonly vault: Vault;
  readonly erasureLedger: Pick<ErasureLedger, 'entries'>;
}

export interface LogOptions {
  /** Compares all documents of each read model, in place of a sample. */
  readonly full: boolean;
  readonly now: Date;
  readonly onEvents?: (events: number) => void;
}

/** How much the log has grown. */
export interface Growth {
  readonly events: number;
  /** Of the last 24 hours. */
  readonly ofLastDay: number;
}

const pageSize = 1_000;
const mostNamed = 20;
const dayMs = 24 * 60 * 60_000;

/**
 * Reads the log once, from its first event, and compares it with what is made from it and what it needs: read models, data
 * keys and other secrets, and whether this release can read each event.
 */
export async function checkLog(
  parts: LogParts,
  { full, now, onEvents = () => undefined }: LogOptions,
  findings: Findings,
): Promise<Growth> {
  // Before the head: what an event up to there needs is in the vault, unless it came in between.
  const present = new Set(await parts.vault.names(''));
  const head = await parts.store.head();
  const readModels = await ReadModels.begin(parts, { full, head });
  const dataKeys = new DataKeys(parts, present);
  const secrets = new NamedSecrets(parts.vault, present);
  const unknown = new UnknownTypes();
  const dayAgo = now.getTime() - dayMs;
  let [events, ofLastDay] = [0, 0];
  try {
    for await (const page of pagesOf(parts.store, { upTo: head, limit: pageSize })) {
      const readable: ProjectedEvent[] = [];
      for (const event of page.events) {
        if (event.position > head) break;
        events += 1;
        if (Date.parse(String(event.metadata['at'])) > dayAgo) ofLastDay += 1;
        const read = unknown.read(event);
        if (!read) continue;
        readable.push(read);
        dataKeys.take(event, read);
        secrets.take(read);
      }
      await readModels.take(readable);
      onEvents(events);
      await setImmediate();
    }
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'incompatible') throw error;
    // What needs the rest of the log cannot be told.
    findings.found('log-unreadable', `The log cannot be read to its end: ${error.message}.`);
    return { events, ofLastDay };
  }
  unknown.report(findings);
  await findings.attempt('keys', () => dataKeys.report(findings));
  await findings.attempt('keys', () => secrets.report(findings));
  await findings.attempt('read models', () => readModels.report(findings));
  return { events, ofLastDay };
}

/** Events of a type, or a version of it, that this release does not have. */
class UnknownTypes {
  readonly #found = new Map<string, { count: number; readonly first: RecordedEvent }>();

  /** The event as read models see it. Undefined for one that this release cannot read. */
  read(event: RecordedEvent): ProjectedEvent | undefined {
    try {
      return projected(event);
    } catch (error) {
      if (!(error instanceof UnknownEvent)) throw error;
      const name = `${event.type} (schema ${String(event.metadata['commonweal_schema'])})`;
      const found = this.#found.get(name);
      if (found) found.count += 1;
      else this.#found.set(name, { count: 1, first: event });
      return undefined;
    }
  }

  report(findings: Findings): void {
    for (const [name, { count, first }] of [...this.#found].slice(0, mostNamed))
      findings.found(
        'event-unknown',
        `The log has ${counted(count, 'event')} ${name}, which this release does not have, the first in ${first.stream} at revision ${first.revision}.`,
      );
  }
}
