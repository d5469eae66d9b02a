import multipart from '@fastify/multipart';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { commonProblem } from './responses/errors.ts';

/** A file that arrives with a form. Nothing of it is read until somebody reads the stream. */
export interface SentFile {
  /** As the sender calls it: any text. Empty when no file was chosen. */
  readonly name: string;
  readonly stream: Readable;
}

/** Fields of a form with a file are few and short. The size of the file is for whoever reads it. */
const limits = {
  fields: 10,
  fieldNameSize: 100,
  fieldSize: 4 * 1024,
  files: 1,
  parts: 12,
  fileSize: Infinity,
};

/** Lets the routes of this scope take forms with a file (RFC 7578), besides what they take already. */
export const takeFiles = (scope: FastifyInstance): void => {
  void scope.register(multipart, { limits, throwFileSizeLimit: false });
};

/** Whether the form was sent with a file. */
export const hasFile = (request: FastifyRequest): boolean =>
  typeof request.isMultipart === 'function' && request.isMultipart();

/**
 * The fields of a form up to its file. Fields after the file are not read: what decides whether the file is taken has to
 * come before it.
 * @throws Problem bad_request, for a form that is broken or has too many fields
 */
export async function fieldsBeforeFile(
  request: FastifyRequest,
): Promise<{ readonly form: URLSearchParams; readonly file: SentFile | undefined }> {
  const form = new URLSearchParams();
  try {
    const parts = request.parts();
    for (;;) {
      const next = await parts.next();
      if (next.done === true) return { form, file: undefined };
      const part = next.value;
      if (part.type === 'file') {
        // It is told to whoever reads it. Until then nobody listens.
        part.file.on('error', () => undefined);
        return { form, file: { name: nameOf(part), stream: part.file } };
      }
      if (part.valueTruncated || part.fieldnameTruncated) throw new Error('A field is too long.');
      form.append(part.fieldname, String(part.value));
    }
  } catch (cause) {
    throw commonProblem('bad_request', 'The form did not arrive whole. Send it again.', { cause });
  }
}

/** The types promise a name that a sender may leave out. */
const nameOf = ({ filename }: { readonly filename?: string | undefined }): string => filename ?? '';

/** How long the rest of a body that nobody wants may take: a browser shows the answer when it has sent all. */
const restMs = 30_000;

/** Reads what is left of the body and throws it away. */
export function discardBody({ raw }: FastifyRequest): void {
  if (raw.readableEnded || raw.destroyed) return;
  raw.unpipe();
  raw.resume();
  closeAfter(raw.socket, raw, restMs);
}

const slow = new WeakSet<Socket>();

/** Gives a body longer to arrive than others have. `withinMs`: then the connection is closed. */
export function allowSlowBody({ raw }: FastifyRequest, withinMs: number): void {
  slow.add(raw.socket);
  raw.once('close', () => slow.delete(raw.socket));
  closeAfter(raw.socket, raw, withinMs);
}

/** Whether the time limit of requests does not count for the one that arrives on this connection. */
export const mayBeSlow = (socket: Socket): boolean => slow.has(socket);

function closeAfter(socket: Socket, request: Readable, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
}
