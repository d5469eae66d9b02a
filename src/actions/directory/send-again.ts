import { z } from 'zod';
import { resourceChange } from '../../commands/directory/field-changes.ts';
import { commandResource, submitterOf } from '../../commands/directory/resource.ts';
import { svcId } from '../../events/directory/resource.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { action } from '../action.ts';
import { byTeam, commanded } from './records.ts';

/**
 * Changes a record that waits or was rejected, by whoever submitted it: it waits for a reviewer again. Once it is public,
 * reviewers alone change it.
 */
export const sendAgain = action({
  name: 'directory.send-again',
  right: 'submit records',
  input: resourceChange.extend({ svc_id: svcId, seen: z.bigint().optional() }),
  once: true,
  async run(parts, { svc_id, seen, ...change }, { who, context }) {
    if (who.kind === 'person' && (await submitterOf(parts, svc_id)) !== who.user)
      throw new CommandRefused('forbidden', 'Only the person who submitted a record can send it again.');
    const command = { kind: 'send-again', change, unchangedSince: seen, ...byTeam(who) } as const;
    return commanded(await commandResource(parts, svc_id, command, context));
  },
});
