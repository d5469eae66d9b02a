import type { Readable } from 'node:stream';

/** The files of one datapackage, in a folder or a zip file, or a single file. Names are without folders where it
 * has services.csv. */
export interface PackageFiles {
  readonly names: readonly string[];
  /** The sum of the sizes of all files, in bytes. */
  readonly bytes: number;
  /** It is one file, not a package of them. */
  readonly alone?: true;
  open(name: string): Promise<Readable>;
  close(): void;
}
