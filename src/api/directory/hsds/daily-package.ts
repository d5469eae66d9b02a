import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, rm, stat, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { withOrganizations } from '../../../actions/directory/with-organizations.ts';
import { serviceOf, type HsdsService } from '../../../hsds/export/service.ts';
import { writePackage } from '../../../hsds/export/write-package.ts';
import { zipFolder } from '../../../hsds/export/zip-folder.ts';
import { eachRecord } from '../../../projections/directory/each-record.ts';
import { resources } from '../../../projections/directory/resources.ts';
import { inSteps } from '../../../ground/throttle.ts';
import type { Documents } from '../../../stores/documents/port.ts';

/** A finished package. */
export interface Package {
  /** UTC day, such as 2026-03-31. */
  readonly day: string;
  readonly path: string;
  readonly bytes: number;
  /** Strong: of the bytes. */
  readonly etag: string;
  /** When its making began. */
  readonly made: Date;
}

/**
 * The public directory as an HSDS datapackage, made at most once a day, when it is first asked for on that day. Each node
 * makes its own, in a temporary folder: nothing has to be agreed between nodes, and what is lost is made again.
 */
export class DailyPackage {
  readonly #documents: Documents;
  readonly #now: () => Date;
  #folder: Promise<string> | undefined;
  #finished: Package | undefined;
  #making: { readonly day: string; readonly done: Promise<Package> } | undefined;
  #stopped = false;

  constructor(documents: Documents, now: () => Date) {
    this.#documents = documents;
    this.#now = now;
  }

  /** The newest package that is finished. Undefined when none is. */
  get finished(): Package | undefined {
    return this.#finished;
  }

  /** The package of today; begins to make it unless that is done or under way. */
  today(): Promise<Package> {
    const made = this.#now();
    const day = made.toISOString().slice(0, 10);
    if (this.#finished?.day === day) return Promise.resolve(this.#finished);
    // One at a time, also past midnight.
    this.#making ??= { day, done: this.#make(day, made).finally(() => (this.#making = undefined)) };
    return this.#making.done;
  }

  /** Opens a finished package for reading. It stays readable while the next one takes its place. */
  open({ path }: Package): Promise<FileHandle> {
    return open(path, 'r');
  }

  /** Ends what is under way, and removes the files. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#making?.done.catch(() => undefined);
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  async #make(day: string, made: Date): Promise<Package> {
    const folder = await (this.#folder ??= mkdtemp(join(tmpdir(), 'commonweal-package-')));
    const tables = join(folder, 'tables');
    const path = join(folder, `${day}.zip`);
    await mkdir(tables);
    try {
      await writePackage(tables, 'commonweal', this.#services());
      await zipFolder(tables, path);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await rm(tables, { recursive: true, force: true });
    }
    const digest = createHash('sha256');
    await pipeline(createReadStream(path), digest);
    const etag = `"${digest.digest('base64url')}"`;
    const before = this.#finished;
    this.#finished = { day, path, bytes: (await stat(path)).size, etag, made };
    if (before) await rm(before.path, { force: true });
    return this.#finished;
  }

  async *#services(): AsyncGenerator<HsdsService> {
    const collection = this.#documents.collection(resources.collection);
    const of = { view: 'developer', listed: true } as const;
    const records = withOrganizations(this.#documents, of, inSteps(eachRecord(collection, of)));
    for await (const record of records) {
      if (this.#stopped) throw new Error('The service is stopping.');
      yield serviceOf(record);
    }
  }
}
