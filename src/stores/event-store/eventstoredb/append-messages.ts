import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision, NewEvent } from '../port.ts';

export interface BatchAppend {
  /** As the server names it. */
  readonly stream: string;
  readonly events: readonly NewEvent[];
  readonly expected: ExpectedRevision;
}

/** A message is sent when it holds this much: the server takes no message of 4 MB. */
const fullMessageBytes = 1_000_000;

/** By what the server names an append in its answer: a UUID of two numbers. */
export interface Correlation {
  /** Random, because the UUID must differ from those of other calls. */
  readonly call: string;
  readonly append: string;
}

/**
 * The messages of one append. All carry its correlation; the first one says where to append,
 * and the last one that it is complete.
 */
export function* batchAppendRequests(
  correlation: Correlation,
  append: BatchAppend,
): Generator<BatchAppendReq> {
  let message = emptyMessage(correlation).setOptions(optionsOf(append));
  let bytes = 0;
  for (const event of append.events) {
    const proposed = proposedMessage(event);
    const size = proposed.getData_asU8().length + proposed.getCustomMetadata_asU8().length;
    if (bytes > 0 && bytes + size > fullMessageBytes) {
      yield message;
      message = emptyMessage(correlation);
      bytes = 0;
    }
    message.addProposedMessages(proposed);
    bytes += size;
  }
  yield message.setIsFinal(true);
}

function emptyMessage({ call, append }: Correlation): BatchAppendReq {
  const number = new shared.UUID.Structured().setMostSignificantBits(call).setLeastSignificantBits(append);
  return new streams.BatchAppendReq().setCorrelationId(new shared.UUID().setStructured(number));
}

function optionsOf({ stream, expected }: BatchAppend): BatchAppendReq.Options {
  const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
  return withExpected(new streams.BatchAppendReq.Options().setStreamIdentifier(identifier), expected);
}

function withExpected(options: BatchAppendReq.Options, expected: ExpectedRevision): BatchAppendReq.Options {
  // The generated types name another class for the same empty message. The client library uses this one.
  /* eslint-disable @typescript-eslint/no-unsafe-class-instance-assignment */
  if (expected === 'any') return options.setAny(new shared.Empty());
  if (expected === 'no_stream') return options.setNoStream(new shared.Empty());
  /* eslint-enable @typescript-eslint/no-unsafe-class-instance-assignment */
  return options.setStreamPosition(String(expected));
}

function proposedMessage({ id, type, data, metadata }: NewEvent): BatchAppendReq.ProposedMessage {
  const message = new streams.BatchAppendReq.ProposedMessage()
    .setId(new shared.UUID().setString(id))
    .setData(Buffer.from(JSON.stringify(data)))
    .setCustomMetadata(Buffer.from(JSON.stringify(metadata)));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
}
