import { Command } from 'commander';
import { z } from 'zod';
import { followRequest, type ShownNode } from '../../actions/audit-log.ts';
import { counted } from '../../ground/counted.ts';
import { answer } from '../../ground/print.ts';
import { auditEvents } from '../../projections/audit.ts';
import { performFor } from '../action-command.ts';
import { withSystem, type CommandLine } from '../command-line.ts';
import { option } from '../options.ts';

export function walkCommand(line: CommandLine): Command {
  return new Command('walk')
    .description('Draw a request as a tree of causes and effects. The reading is recorded.')
    .argument('<id>', 'the correlation id of the request, or the id of one of its events')
    .action((name: string, { json }: { json?: boolean }) => {
      const id = option('id', z.uuid({ message: 'must be the id of an event or a request, a UUID' }), name);
      return withSystem(line, async (at) => {
        await at.waitUntilCurrent(auditEvents);
        const tree = await performFor(at, followRequest, { id });
        answer(json, tree, [
          `Request ${tree.correlation}`,
          ...tree.roots.flatMap((root, index) => drawn(root, '', index === tree.roots.length - 1)),
          ...(tree.truncated
            ? [`Only the first ${counted(tree.events, 'event is', 'events are')} shown.`]
            : []),
        ]);
      });
    });
}

/** An event and its effects as lines of a tree. */
function drawn({ at, sentence, id, cause, effects }: ShownNode, before: string, isLast: boolean): string[] {
  const inner = before + (isLast ? '   ' : '│  ');
  return [
    `${before}${isLast ? '└─ ' : '├─ '}${sentence}  ${at}  ${id}`,
    ...(cause && cause.kind !== 'request' ? [`${inner}   because: ${why(cause)}`] : []),
    ...effects.flatMap((effect, index) => drawn(effect, inner, index === effects.length - 1)),
  ];
}

function why({ kind, id = '', sentence = '' }: NonNullable<ShownNode['cause']>): string {
  if (kind === 'unknown') return `${id}, which is no event of this log`;
  return kind === 'cycle' ? `${id}, which is an effect of this event: one of the two ids is wrong` : sentence;
}
