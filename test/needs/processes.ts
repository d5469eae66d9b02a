import { closeWhatIsOver } from '../../src/needs/close.ts';
import type { MostCounted } from '../../src/needs/day-counts.ts';
import type { Need } from '../../src/needs/need.ts';
import { SearchCounts } from '../../src/needs/search-counts.ts';
import { keyId, todayTable } from '../../src/needs/stored-counts.ts';
import { dateOf, daysAfter, mondayOf, weekOf } from '../../src/needs/weeks-and-days.ts';
import { Sealer } from '../../src/ground/seal.ts';
import { EmbeddedSideStore } from '../../src/stores/side/embedded.ts';
import type { SideStore } from '../../src/stores/side/port.ts';
import { temporaryFolder } from '../support/folder.ts';

/** Entries expire by the clock of the machine, so the weeks of the tests begin with the next one. */
export const firstMonday = dateOf(daysAfter(mondayOf(weekOf(dateOf(new Date()))), 7));
export const firstWeek = weekOf(firstMonday);
/** Noon of a day; 0 is the first Monday. */
export const noonOf = (day: number): Date => new Date(daysAfter(firstMonday, day).getTime() + 12 * 3_600_000);

/** Two hashes of networks may be alike (see `DayKey.hashOf`). With keys that are not drawn, each run has the same ones. */
export const masterKey = Buffer.alloc(32, 7);

/** An installation of some processes on one side store, whose clock the test sets. */
export function installation(open: (path: string) => SideStore = (path) => new EmbeddedSideStore(path)) {
  const folder = temporaryFolder();
  const clock = { now: noonOf(0) };
  const stores: SideStore[] = [];
  const another = (options: { readonly counts?: boolean; readonly most?: MostCounted } = {}) => {
    const side = open(folder.path);
    stores.push(side);
    return {
      side,
      counts: new SearchCounts({ side, masterKey, now: () => clock.now, ...options }),
      /** Its store is closed, and nothing is written that was not: as a kill leaves it. */
      kill: () => side.close(),
    };
  };
  return {
    path: folder.path,
    clock,
    another,
    /** The key of a day that every run has. */
    async fixKey(side: SideStore, date: string): Promise<void> {
      const sealed = new Sealer(masterKey, 'needs of a day').seal(keyId(date), Buffer.alloc(32, 35));
      await todayTable(side).put(keyId(date), sealed.toString('base64'));
    },
    /** What any process does when a day or a week is over. */
    close: (side: SideStore) => closeWhatIsOver({ side, masterKey }, clock.now),
    async dispose(): Promise<void> {
      for (const side of stores) await side.close();
      folder.remove();
    },
  };
}
export type Installation = ReturnType<typeof installation>;

export const need = (words: string | readonly string[], place = 'Homestead', kind = 'health'): Need => ({
  words: typeof words === 'string' ? [words] : words,
  kind,
  place,
});

/** An address in the network of this number: others of the network with another `host`. */
export const addressIn = (network: number, host = 1): string =>
  `10.${Math.trunc(network / 256)}.${network % 256}.${host}`;
