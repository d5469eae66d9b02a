import { nameOf } from '../../projections/engine/read-model.ts';
import { projections } from '../../projections/all.ts';
import type { Position } from '../../stores/event-store/port.ts';
import { commonProblem } from './responses/errors.ts';
import type { ServerDependencies } from '../dependencies.ts';

/** Lets requests through once the service has been ready, and while its read models show what they showed then. */
export interface Gate {
  /** Cheap enough to check on every request. */
  readonly open: boolean;
  /** @throws Problem not_ready */
  pass(): Promise<void>;
  /**
   * To be called before somebody is refused whom the read models do not show. They may have lost what they showed:
   * their database was emptied, or an older one was put back, while nodes served. The gate is then shut until they
   * have caught up.
   *
   * @throws Problem not_ready
   */
  passUnlessLost(): Promise<void>;
  /** Whether the service is ready now. The first time that it is, the gate opens. */
  ready: ServerDependencies['ready'];
}

/** The read models that decide on rights: those that changes wait for. */
const decisive = projections.filter(({ awaited }) => awaited !== false).map(nameOf);

type Places = (name: string) => Position | undefined;

export function gateOf({
  ready,
  documents,
  store,
}: Pick<ServerDependencies, 'ready' | 'documents' | 'store'>): Gate {
  let open = false;
  /** What the read models have shown: checkpoints do not go back. */
  let shown: Places = () => undefined;
  /** After a loss: what they must show before anybody is let through. */
  let needed: Position | undefined;

  const isShort = (places: Places, than: Places) =>
    decisive.some((name) => (places(name) ?? -1n) < (than(name) ?? -1n));

  /** Opens the gate, or shuts it when the read models have lost something. False: it is shut. */
  const compare = async (): Promise<boolean> => {
    const progress = await documents.progress();
    const places: Places = (name) => progress.get(name)?.checkpoint;
    if (needed === undefined && isShort(places, shown)) needed = await store.head();
    const floor = needed;
    open = floor === undefined || !isShort(places, () => floor);
    if (open) {
      shown = places;
      needed = undefined;
    }
    return open;
  };
  const look = async () => {
    const now = await ready();
    if (!now.ready || (await compare())) return now;
    return { ready: false, reason: 'The read models have lost what they showed, and are being built again.' };
  };
  const pass = async () => {
    if (!open) await look();
    if (!open) {
      throw commonProblem('not_ready', 'The service is starting; its read models are catching up.', {
        headers: { 'retry-after': '1' },
      });
    }
  };
  return {
    get open() {
      return open;
    },
    ready: look,
    pass,
    async passUnlessLost() {
      if (open) await compare();
      await pass();
    },
  };
}
