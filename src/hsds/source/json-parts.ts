import type { HsdsProblem } from '../item.ts';
import {} from '../errors.ts';
import { cleanLine } from '../text.ts';
import { utf8Bytes } from './utf8.ts';
import type { PackageFiles } from './package-files.ts';
import { messageOf } from '../../ground/store-error.ts';

/** One object of a JSON file. */
export interface JsonPart {
  readonly kind: 'part';
  /** The line on which it begins. */
  readonly line: number;
  /** The outermost object itself, not an entry of a list. */
  readonly outermost: boolean;
  /** The member of the outermost object whose list it is in; empty for others. */
  readonly member: string;
  /** For an entry of a member: what is known of the outermost object so far. */
  readonly around: unknown;
  readonly value: unknown;
}

/** A longer object is left out: it is held in memory as a whole. In bytes. */
const longestPart = 16 * 1024 * 1024;
/** An object that nests more levels is left out: HSDS nests six, and what reads or writes it needs stack for each. */
const deepestPart = 64;

const [quote, backslash, newline, comma] = [0x22, 0x5c, 0x0a, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * The objects of a JSON file, one at a time: the entries of an outermost list, the entries of those members of an
 * outermost object that are `lists`, and the outermost object itself, with these lists empty. Several outermost values
 * may follow each other, as in JSON Lines. What is not JSON is a problem.
 */
export async function* jsonParts(
  files: PackageFiles,
  file: string,
  lists: (member: string) => boolean,
): AsyncGenerator<JsonPart | HsdsProblem> {
  const scanner = scan(file, lists);
  for await (const bytes of utf8Bytes(file, await files.open(file))) {
    yield* scanner.read(bytes);
    if (scanner.failed()) return;
  }
  yield* scanner.end();
}

/** What is being captured: the bytes of an object. */
interface Capture {
  readonly line: number;
  readonly parts: Buffer[];
  size: number;
  tooLong: boolean;
  /** What was captured ends where it was noticed. */
  tooDeep: boolean;
}

const startCapture = (line: number): Capture => ({
  line,
  parts: [],
  size: 0,
  tooLong: false,
  tooDeep: false,
});

function keep(capture: Capture, bytes: Buffer): void {
  if (capture.tooDeep) return;
  capture.size += bytes.length;
  if (capture.size > longestPart) {
    capture.tooLong = true;
    capture.parts.length = 0;
  } else {
    // The chunk's memory may be used again.
    capture.parts.push(Buffer.from(bytes));
  }
}

const textOf = (capture: Capture): string => Buffer.concat(capture.parts).toString('utf8');

function scan(file: string, lists: (member: string) => boolean) {
  let line = 1;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let failed = false;
  /** The outermost object, and the member whose list is being read. */
  let root: Capture | undefined;
  let member: string | undefined;
  let around: unknown;
  /** An entry of a list, and the depth at which it ends. */
  let entry: Capture | undefined;
  let entryDepth = 0;
  let key: Capture | undefined;
  let name = '';
  let expectKey = false;

  const problem = (at: number, reason: string): HsdsProblem => ({ kind: 'problem', file, line: at, reason });

  function parsed(capture: Capture, of: string): JsonPart | HsdsProblem {
    if (capture.tooLong) {
      return problem(
        capture.line,
        `the object that begins here is longer than ${longestPart.toLocaleString('en')} bytes; it is left out`,
      );
    }
    if (capture.tooDeep) return problem(capture.line, nestedTooDeep(idAtBegin(textOf(capture))));
    try {
      const value: unknown = JSON.parse(textOf(capture));
      return { kind: 'part', line: capture.line, outermost: capture === root, member: of, around, value };
    } catch (error) {
      return problem(capture.line, `is not JSON: ${cleanLine(messageOf(error)).slice(0, 200)}`);
    }
  }

  function* read(bytes: Buffer): Generator<JsonPart | HsdsProblem> {
    /** Where the part of this chunk begins that is not yet captured. */
    let from = 0;
    const flush = (to: number): void => {
      if (entry) keep(entry, bytes.subarray(from, to));
      else if (root && member === undefined) keep(root, bytes.subarray(from, to));
      from = to;
    };
    let keyFrom = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) {
          inString = false;
          if (key) {
            keep(key, bytes.subarray(keyFrom, at + 1));
            const read = parsed(key, '');
            name = read.kind === 'part' ? String(read.value) : '';
            key = undefined;
          }
        }
        continue;
      }
      switch (byte) {
        case newline:
          line += 1;
          break;
        case quote:
          inString = true;
          if (root && depth === 1 && expectKey) {
            key = startCapture(line);
            keyFrom = at;
            expectKey = false;
          }
          break;
        case comma:
          if (root && depth === 1) expectKey = true;
          break;
        case openBrace:
        case openBracket:
          if (depth === 0 && byte === openBrace) {
            from = at;
            root = startCapture(line);
            expectKey = true;
          } else if (root && depth === 1 && byte === openBracket && lists(name)) {
            flush(at + 1);
            member = name;
            around = membersBefore(root);
          } else if (!entry && depth === (root ? 2 : 1) && (!root || member !== undefined)) {
            from = at;
            entry = startCapture(line);
            entryDepth = depth;
          }
          depth += 1;
          if (depth - (entry ? entryDepth : 0) > deepestPart) {
            const capture = entry ?? root;
            if (capture && !capture.tooDeep) {
              flush(at);
              capture.tooDeep = true;
            }
          }
          break;
        case closeBrace:
        case closeBracket:
          depth -= 1;
          if (depth < 0) {
            failed = true;
            yield problem(
              line,
              'is not JSON: a bracket is closed that was never opened; the rest is left out',
            );
            return;
          }
          if (entry && depth === entryDepth) {
            flush(at + 1);
            const whole = entry;
            entry = undefined;
            yield parsed(whole, member ?? '');
          } else if (member !== undefined && depth === 1) {
            member = undefined;
            from = at;
          } else if (root && depth === 0) {
            flush(at + 1);
            around = undefined;
            const whole = parsed(root, '');
            root = undefined;
            yield whole;
          }
          break;
        default:
          if (depth === 0 && byte > 0x20 && !isByteOrderMark(byte)) {
            failed = true;
            yield problem(line, 'is not JSON: it holds neither an object nor a list; the rest is left out');
            return;
          }
      }
    }
    if (key) keep(key, bytes.subarray(keyFrom));
    flush(bytes.length);
  }

  function* end(): Generator<HsdsProblem> {
    if (depth === 0 && !inString) return;
    const start = entry ?? root;
    yield problem(
      start?.line ?? line,
      `the file ends within what begins here, on line ${line}: it is cut off; ${entry ? 'what came before is read' : 'it is left out'}`,
    );
  }

  return { read, end, failed: () => failed };
}

/** Why an object is left out that nests more levels than any of HSDS. */
export const nestedTooDeep = (id: string): string =>
  `the object that begins here${id === '' ? '' : `, with the id ${id},`} is nested deeper than any of HSDS; it is left out`;

/** The id of an object of which only the beginning is there: it is found before the first object or list in it. */
function idAtBegin(text: string): string {
  const [, id] = /^\{[^[{]*?"id"\s*:\s*(\d+|"(?:[^"\\[{]|\\.)*")/.exec(text.slice(0, 10_000)) ?? [];
  try {
    return id === undefined ? '' : cleanLine(String(JSON.parse(id))).slice(0, 200);
  } catch {
    return '';
  }
}

/** The members of an object up to a list that has just begun. */
function membersBefore(root: Capture): unknown {
  try {
    return JSON.parse(`${textOf(root)}]}`);
  } catch {
    return undefined;
  }
}

const isByteOrderMark = (byte: number): boolean => byte === 0xef || byte === 0xbb || byte === 0xbf;
