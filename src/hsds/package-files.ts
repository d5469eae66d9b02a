import type { Readable } from 'node:stream';

/** The files of one datapackage, wherever they lie; names are without folders. */
export interface PackageFiles {
  readonly names: readonly string[];
  open(name: string): Promise<Readable>;
  close(): void;
}
