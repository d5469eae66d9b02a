import { Command } from 'commander';
import { z } from 'zod';
import { counted } from '../../ground/counted.ts';
import { knownNames, type KnownNames } from '../../audit/known-names.ts';
import { shown } from '../../audit/shown-event.ts';
import { walk, type Cause, type WalkNode } from '../../audit/walk.ts';
import { recordAccess } from '../../commands/audit.ts';
import { CommandRefused } from '../../commands/errors.ts';
import { auditEvents } from '../../projections/audit.ts';
import { withSystem, type CommandLine } from '../command-line.ts';
import { option } from '../options.ts';
import { answer } from '../../ground/print.ts';

export function walkCommand(line: CommandLine): Command {
  return new Command('walk')
    .description('Draw a request as a tree of causes and effects. The reading is recorded.')
    .argument('<id>', 'the correlation id of the request, or the id of one of its events')
    .action((given: string, { json }: { json?: boolean }) => {
      const id = option('id', z.uuid({ message: 'must be the id of an event or a request, a UUID' }), given);
      return withSystem(line, async (at) => {
        await at.waitUntilCurrent(auditEvents);
        const tree = await walk(at, id, undefined);
        const filter = { correlation: tree?.correlation ?? id };
        const data = { question: 'correlation', filter, events: tree?.events.length ?? 0 } as const;
        await recordAccess(at.store, { type: 'AuditQueried', data }, at.context());
        if (!tree) throw new CommandRefused('not_found', 'There is no event and no request with this id.');
        const elsewhere = tree.roots.flatMap(({ cause }) => (cause?.kind === 'event' ? [cause.event] : []));
        const names = await knownNames(at, [...tree.events, ...elsewhere], undefined);
        answer(
          json,
          { ...tree, events: tree.events.length, roots: tree.roots.map((root) => asJson(root, names)) },
          [
            `Request ${tree.correlation}`,
            ...tree.roots.flatMap((root, index) => drawn(root, names, '', index === tree.roots.length - 1)),
            ...(tree.truncated
              ? [`Only the first ${counted(tree.events.length, 'event is', 'events are')} shown.`]
              : []),
          ],
        );
      });
    });
}

/** An event and its effects as lines of a tree. */
function drawn(
  { found, cause, effects }: WalkNode,
  names: KnownNames,
  before: string,
  isLast: boolean,
): string[] {
  const { at, sentence, id } = shown(found, names);
  const inner = before + (isLast ? '   ' : '│  ');
  return [
    `${before}${isLast ? '└─ ' : '├─ '}${sentence}  ${at}  ${id}`,
    ...(cause && cause.kind !== 'request' ? [`${inner}   because: ${why(cause, names)}`] : []),
    ...effects.flatMap((effect, index) => drawn(effect, names, inner, index === effects.length - 1)),
  ];
}

function why(cause: Exclude<Cause, { kind: 'request' }>, names: KnownNames): string {
  switch (cause.kind) {
    case 'event':
      return shown(cause.event, names).sentence;
    case 'unknown':
      return `${cause.id}, which is no event of this log`;
    case 'cycle':
      return `${cause.id}, which is an effect of this event: one of the two ids is wrong`;
  }
}

const asJson = ({ found, cause, effects }: WalkNode, names: KnownNames): object => ({
  ...shown(found, names),
  ...(cause ? { cause: { kind: cause.kind, ...('id' in cause ? { id: cause.id } : {}) } } : {}),
  effects: effects.map((each) => asJson(each, names)),
});
