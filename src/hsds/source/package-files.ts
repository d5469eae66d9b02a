import type { Readable } from 'node:stream';

/** The files of one datapackage, in a folder or a zip file. Names are without folders. */
export interface PackageFiles {
  readonly names: readonly string[];
  open(name: string): Promise<Readable>;
  close(): void;
}
