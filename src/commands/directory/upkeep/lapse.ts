import { streamName } from '../../../events/define.ts';
import type { Confirmation } from '../../../events/directory/upkeep/confirmation.ts';
import { resourceStream } from '../../../events/directory/resource.ts';
import type { CommandContext } from '../../../events/metadata.ts';
import type { EventStore, RecordedEvent } from '../../../stores/event-store/port.ts';
import { execute } from '../../command-handler.ts';
import { resource, type ResourceCommand } from '../resource-decider.ts';
import type { ResourceOutcome } from '../resource.ts';

/**
 * Notes of a public record that its last confirmation is too long ago, once of each confirmation. `tooOld`: that confirmation,
 * of the events of the record. Undefined: there is none, or it still holds.
 */
export const lapse = (
  store: EventStore,
  svcId: string,
  tooOld: (history: readonly RecordedEvent[]) => Confirmation | undefined,
  context: CommandContext,
): Promise<ResourceOutcome> =>
  execute(
    store,
    resource,
    svcId,
    async (): Promise<ResourceCommand> => {
      const history = await store.readStream(streamName(resourceStream, svcId));
      return { kind: 'lapse', lapsed: tooOld(history) };
    },
    context,
  );
