import type { SourceSummary } from '../accounting.ts';
import type { DatapackageErrorCode } from '../errors.ts';
import type { HsdsItem } from '../item.ts';
import type { ReadBefore } from '../row-digests.ts';
import type { SheetChoice, SheetReading } from '../sheet/stage-sheet.ts';
import type { NamedService } from './named-services.ts';
import type { ZipLimits } from './zip.ts';

/** What the thread reads. */
export interface Source {
  readonly path: string;
  readonly name?: string | undefined;
  readonly limits?: Partial<ZipLimits> | undefined;
  readonly sheet?: SheetChoice | undefined;
}

/** What the thread is asked for, one at a time. */
export type Request =
  | { readonly kind: 'names'; readonly most?: number }
  /** `before`: with the first request. */
  | { readonly kind: 'items'; readonly before?: ReadBefore | undefined }
  | { readonly kind: 'summary' };

/** What the thread answers, and what it tells by itself while it opens the source. */
export type Reply =
  | { readonly kind: 'read'; readonly bytes: number; readonly total: number }
  | {
      readonly kind: 'opened';
      readonly version: '1.1' | '3';
      readonly name: string;
      readonly services: number;
      readonly sheet?: SheetReading;
    }
  | { readonly kind: 'names'; readonly names: readonly NamedService[] }
  | { readonly kind: 'items'; readonly items: readonly HsdsItem[]; readonly done: boolean }
  | { readonly kind: 'summary'; readonly summary: SourceSummary }
  /** `code`: of a `DatapackageError`. */
  | { readonly kind: 'failed'; readonly code?: DatapackageErrorCode; readonly message: string };
