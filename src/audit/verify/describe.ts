import { counted } from '../../ground/counted.ts';
import type { Difference, FoundLeaf } from './compare-leaves.ts';
import { named, type EventName, type Finding } from './finding.ts';

/** What tells of the place where leaves were found. */
export interface Places<Ref> {
  /** The event of a found leaf. `damaged`: why its content cannot be read. */
  event(ref: Ref): Promise<{ readonly name?: EventName; readonly damaged?: string }>;
  /** How the place is said when the event cannot be named, such as "line 4 of events.ndjson". */
  place(ref: Ref): string;
  /** What else is known of missing leaves or an added event, as sentences. */
  more?(difference: Difference<Ref>): Promise<readonly string[]>;
}

/** Names a difference between what was found and the leaves of the proof log. */
export async function describe<Ref>(difference: Difference<Ref>, places: Places<Ref>): Promise<Finding> {
  const more = (await places.more?.(difference)) ?? [];
  const finding = (leaf: number, sentences: readonly string[], event?: EventName): Finding => ({
    kind: difference.kind,
    leaf,
    ...(event ? { event } : {}),
    sentence: [...sentences, ...more].join(' '),
  });
  if (difference.kind === 'missing') {
    const { index, expected, previous } = difference;
    const what =
      expected.length === 1
        ? `Leaf ${index} is missing`
        : `Leaves ${index} to ${index + expected.length - 1} are missing, ${counted(expected.length, 'event')}`;
    const before = previous ? `It would follow ${await nameIn(previous, places)}.` : 'The log began with it.';
    return finding(index, [`${what}; the proof log has ${hex(expected[0])}.`, before]);
  }
  const { found, index } = difference;
  const { name, damaged } = await places.event(found.ref);
  const subject = name ? named(name) : `What is at ${places.place(found.ref)}`;
  switch (difference.kind) {
    case 'changed': {
      const why = damaged ?? `Its hash is ${hex(found.hash)}; the proof log has ${hex(difference.expected)}.`;
      return finding(index, [`Leaf ${index} was changed: ${subject}.`, why], name);
    }
    case 'added':
      return finding(
        index,
        [`${subject} was added before leaf ${index}: the proof log does not have it there.`],
        name,
      );
    case 'moved':
      return finding(
        index,
        [`${subject} is leaf ${index}, and is found before leaf ${difference.before}.`],
        name,
      );
    case 'duplicated':
      return finding(
        index,
        [
          `${subject} is there twice: it is leaf ${index}, and is also found before leaf ${difference.before}.`,
        ],
        name,
      );
  }
}

async function nameIn<Ref>({ ref }: FoundLeaf<Ref>, places: Places<Ref>): Promise<string> {
  const { name } = await places.event(ref);
  return name ? named(name) : places.place(ref);
}

const hex = (hash: Uint8Array | undefined): string => Buffer.from(hash ?? []).toString('hex');
