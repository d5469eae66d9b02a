import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { StoreError, WrongExpectedRevision } from '../../errors.ts';
import { giveBackAfterStart } from '../../thread-memory.ts';
import { commitChannel, CommitNotices, lookEveryMs } from './commit-notices.ts';
import { EventWriter, type AppendOutcome, type AppendRequest } from './writer.ts';
import type { WriterMessage, WriterReply } from './writer-client.ts';

/**
 * The only thread that writes events for its process, so that an fsync never blocks a request. All appends that
 * have arrived when it is free go into one transaction (group commit). It tells the other threads of commits, also
 * of those of other processes: one thread of a process looks for them.
 */
const { path } = workerData as { path: string };
if (!parentPort) throw new Error('writer-thread.ts runs as a worker thread');

const writer = new EventWriter(path);
const channel = commitChannel(path);
const notices = new CommitNotices(writer.head, (notice) => channel.postMessage(notice));
const looking = setInterval(() => {
  const newest = writer.newestOfOthers();
  if (newest !== undefined) notices.newest(newest);
}, lookEveryMs);
const ports = new Set<MessagePort>();
const maximumGroup = 1_000;

interface Waiting {
  readonly port: MessagePort;
  readonly call: number;
  readonly request: AppendRequest;
}
let waiting: Waiting[] = [];

serve(parentPort);
giveBackAfterStart();

function serve(port: MessagePort): void {
  ports.add(port);
  port.on('message', (message: WriterMessage) => {
    take(port, message);
    for (const other of ports) drain(other);
    flush();
  });
  port.on('close', () => ports.delete(port));
}

function drain(port: MessagePort): void {
  while (waiting.length < maximumGroup) {
    const next = receiveMessageOnPort(port) as { message: WriterMessage } | undefined;
    if (!next) return;
    take(port, next.message);
  }
}

function take(port: MessagePort, message: WriterMessage): void {
  switch (message.kind) {
    case 'append':
      for (const { call, request } of message.calls) waiting.push({ port, call, request });
      return;
    case 'attach':
      serve(message.port);
      return;
    case 'close':
      flush();
      clearInterval(looking);
      notices.close();
      writer.close();
      channel.close();
      for (const each of ports) each.close();
  }
}

function flush(): void {
  const group = waiting;
  if (group.length === 0) return;
  waiting = [];
  const outcomes = writer.append(group.map((each) => each.request));
  const replies = new Map<MessagePort, WriterReply[]>();
  group.forEach(({ port, call }, index) => {
    const outcome = outcomes[index] as AppendOutcome;
    const list = replies.get(port) ?? [];
    list.push(reply(call, outcome));
    replies.set(port, list);
  });
  for (const [port, list] of replies) port.postMessage(list);
  announce(group, outcomes);
}

function announce(group: readonly Waiting[], outcomes: readonly AppendOutcome[]): void {
  const types = new Set<string>();
  let first = Infinity;
  let last = 0;
  group.forEach(({ request: { events } }, index) => {
    const outcome = outcomes[index];
    if (!outcome || outcome instanceof StoreError) return;
    first = Math.min(first, outcome.position - events.length + 1);
    last = Math.max(last, outcome.position);
    for (const [, type] of events) types.add(type);
  });
  notices.committed(first, last, types);
}

function reply(call: number, outcome: AppendOutcome): WriterReply {
  if (!(outcome instanceof StoreError)) return { call, ...outcome };
  return outcome instanceof WrongExpectedRevision
    ? { call, conflict: { stream: outcome.stream, expected: outcome.expected, actual: outcome.actual } }
    : { call, error: { code: outcome.code, message: outcome.message, outcome: outcome.outcome } };
}
