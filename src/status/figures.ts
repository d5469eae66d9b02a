import { counted } from '../ground/counted.ts';
import type { RequestStatus } from './answered-requests.ts';
import type { Status } from './status.ts';

/** One of the figures that tell how the service is: a word or number, and the rest of it. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  /** May hold times in ISO 8601 UTC. May be empty. */
  readonly detail: string;
}

/** What an operator looks at first, for the page and for `status`. */
export const figuresOf = (status: Status): readonly Figure[] => [
  ...ofRequests(status.requests, new Date(status.at)),
  ofNodes(status),
  { name: 'Version', value: status.release, detail: otherReleases(status) },
  ofMail(status),
];

/** `toLocaleString` makes one of these with each call, which takes 0.1 ms. */
const numbers = new Intl.NumberFormat('en-US');
const number = (count: number): string => numbers.format(count);

function ofRequests(answered: RequestStatus | null, now: Date): readonly Figure[] {
  if (!answered) return [{ name: 'Requests', value: '–', detail: 'No running server has told.' }];
  const { since, requests, errors, refused, p50_ms: half, p95_ms: most } = answered;
  const minutes = Math.max(1, Math.round((now.getTime() - Date.parse(since)) / 60_000));
  const lately = minutes >= 60 ? 'in the last hour' : `in ${counted(minutes, 'minute')}, since the start`;
  return [
    { name: 'Requests', value: number(requests), detail: lately },
    {
      name: 'Errors',
      value: share(errors, requests),
      detail: `${errors === 0 ? '' : `${number(errors)} by a fault of the server; `}${share(refused, requests)} were refused or not found`,
    },
    half === null || most === null
      ? { name: 'Answered within', value: '–', detail: 'There were no requests.' }
      : {
          name: 'Answered within',
          value: duration(half),
          detail: `half of them; 95 % within ${duration(most)}`,
        },
  ];
}

function share(part: number, of: number): string {
  if (part === 0 || of === 0) return '0 %';
  const percent = (100 * part) / of;
  if (percent < 0.1) return 'under 0.1 %';
  return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
}

function duration(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

function ofNodes({ nodes }: Status): Figure {
  const projectors = nodes.filter(({ projects }) => projects).length;
  const detail =
    nodes.length === 0
      ? 'none has registered'
      : projectors === nodes.length
        ? nodes.length === 1
          ? 'running, and builds the read models'
          : 'running, and each can build the read models'
        : `running; ${projectors === 0 ? 'none builds' : `${number(projectors)} can build`} the read models`;
  return { name: 'Servers', value: number(nodes.length), detail };
}

function otherReleases({ nodes, release }: Status): string {
  const others = [...new Set(nodes.map((node) => node.release))].filter((each) => each !== release);
  if (others.length > 0) return `also running: ${others.sort().join(', ')}`;
  return nodes.length > 1 ? 'on every server' : '';
}

function ofMail({ mail: { set_up, waiting, sent_at, refused_since } }: Status): Figure {
  const waits = waiting === 0 ? 'none waits' : counted(waiting, 'waits', 'wait');
  const newest = sent_at === null ? 'none was sent yet' : `the newest sent ${sent_at}`;
  if (!set_up)
    return { name: 'Emails', value: 'Not set up', detail: waiting === 0 ? waits : `${waits} in the outbox` };
  if (refused_since !== null)
    return { name: 'Emails', value: 'Refused', detail: `since ${refused_since}; ${waits}` };
  return { name: 'Emails', value: waiting === 0 ? 'Sent' : `${number(waiting)} waiting`, detail: newest };
}
