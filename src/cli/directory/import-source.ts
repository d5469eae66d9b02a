import { openInThread, type ThreadedDatapackage } from '../../hsds/source/open-in-thread.ts';
import type { SheetChoice } from '../../hsds/sheet/stage-sheet.ts';
import { progressBar, type Progress } from '../progress.ts';

/** The source of an import while it is opened and read, with the bar that shows how far the import is. */
export interface Reading {
  /** Rejects as `openInThread` does. */
  readonly opened: Promise<ThreadedDatapackage>;
  /** Shows a bar in place of the one before. */
  startBar(what: string, total: number): void;
  update(value: number): void;
  /** Ends the bar and the thread. May be called again. */
  close(): Promise<void>;
}

/** Most directories are smaller than this, or are read sooner. Their reading needs no bar. */
const withoutBarBytes = 8 * 1024 * 1024;
const withoutBarMs = 1_000;

const kilobytes = (bytes: number): number => Math.ceil(bytes / 1024);

/** Starts to read a datapackage in a thread of its own. `show`: with bars. `sheet`: how a spreadsheet is to be read. */
export function startReading(path: string, show: boolean, sheet?: SheetChoice): Reading {
  let bar: Progress | undefined;
  const startBar = (what: string, total: number): void => {
    bar?.stop();
    bar = show ? progressBar(what, total) : undefined;
  };
  const began = performance.now();
  const closing = new AbortController();
  const opened = openInThread(path, {
    signal: closing.signal,
    sheet,
    onRead: (bytes, total) => {
      if (!bar && (total < withoutBarBytes || performance.now() - began < withoutBarMs)) return;
      if (!bar) startBar('read (kB)', kilobytes(total));
      bar?.update(kilobytes(bytes));
    },
  });
  // Whoever imports from it sees the failure, perhaps later.
  opened.catch(() => undefined);
  return {
    opened,
    startBar,
    update: (value) => bar?.update(value),
    async close() {
      closing.abort();
      await opened.then((datapackage) => datapackage.close()).catch(() => undefined);
      bar?.stop();
    },
  };
}
