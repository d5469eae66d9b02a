import { spanOf, type Manner, type Span } from './clock.ts';
import type { Token } from './tokens.ts';
import { wholeDay } from './week.ts';

/** What a statement says. */
export type Meaning =
  | { readonly kind: 'open'; readonly days: Days; readonly spans: readonly Span[] }
  /** Without days: on every day. */
  | { readonly kind: 'break'; readonly days: Days | undefined; readonly spans: readonly Span[] }
  | { readonly kind: 'closed'; readonly days: Days };

export interface Days {
  readonly days: ReadonlySet<number>;
  /** Written as "daily" or the like. Days on which it is closed may be taken from these alone. */
  readonly daily: boolean;
}

/** What is left of a statement when only days, or only times, are in it: the statement beside it may have the rest. */
export type Statement =
  | { readonly kind: 'whole'; readonly meanings: readonly Meaning[] }
  | { readonly kind: 'days'; readonly days: Days }
  | { readonly kind: 'times'; readonly spans: readonly Span[] }
  | { readonly kind: 'unread' };

type Part =
  | { readonly kind: 'days'; readonly days: Days }
  | { readonly kind: 'times'; readonly spans: readonly Span[] }
  | { readonly kind: 'closed' | 'lunch' | 'holidays' };

const unread: Statement = { kind: 'unread' };

/** Reads the pieces between two line breaks, semicolons or full stops. */
export function statementOf(tokens: readonly Token[], twentyFour: boolean): Statement {
  const parts = partsOf(tokens, twentyFour);
  if (!parts) return unread;
  const closedAt = parts.findIndex(({ kind }) => kind === 'closed');
  if (closedAt === -1)
    return parts.some(({ kind }) => kind !== 'days' && kind !== 'times') ? unread : openings(parts);

  const [before, after] = [parts.slice(0, closedAt), parts.slice(closedAt + 1)];
  // "Mon–Fri 9–5, Sun closed": the days before the word are those on which it is closed.
  const own = after.length === 0 ? before.splice(-1) : after;
  const closed = closings(own);
  if (!closed) return unread;
  if (before.length === 0) return { kind: 'whole', meanings: closed };
  const open = openings(before);
  return open.kind === 'whole' ? { kind: 'whole', meanings: [...open.meanings, ...closed] } : unread;
}

/** `Mon-Fri 9-5, Sat 10-2` or `9-5 Mon-Fri, 10-2 Sat`: days and times in turns. */
function openings(parts: readonly Part[]): Statement {
  const [first, second] = parts;
  if (first === undefined) return { kind: 'whole', meanings: [] };
  if (second === undefined) return first.kind === 'days' || first.kind === 'times' ? first : unread;
  const meanings: Meaning[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const pair = pairOf(parts[at], parts[at + 1]);
    if (!pair) return unread;
    meanings.push(pair);
  }
  return { kind: 'whole', meanings };
}

/** Days and times beside each other, whichever comes first. */
export function pairOf(
  one: Statement | Part | undefined,
  other: Statement | Part | undefined,
): Meaning | undefined {
  if (one?.kind === 'days' && other?.kind === 'times')
    return { kind: 'open', days: one.days, spans: other.spans };
  if (one?.kind === 'times' && other?.kind === 'days')
    return { kind: 'open', days: other.days, spans: one.spans };
  return undefined;
}

/** What follows the word "closed". Public holidays are outside the regular week. */
function closings(parts: readonly Part[]): Meaning[] | undefined {
  const days = parts.find((part) => part.kind === 'days')?.days;
  const spans = parts.find((part) => part.kind === 'times')?.spans;
  const lunch = parts.some(({ kind }) => kind === 'lunch');
  const holidays = parts.some(({ kind }) => kind === 'holidays');
  if (new Set(['closed', ...parts.map(({ kind }) => kind)]).size <= parts.length) return undefined;
  if (spans) return holidays ? undefined : [{ kind: 'break', days, spans }];
  if (lunch) return undefined;
  if (days) return [{ kind: 'closed', days }];
  return holidays ? [] : undefined;
}

/** Days, times and the words between them. Undefined when there is anything else. */
function partsOf(tokens: readonly Token[], twentyFour: boolean): Part[] | undefined {
  const parts: Part[] = [];
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    if (token === undefined) break;
    if (token.kind === 'and') {
      at += 1;
      continue;
    }
    const found = daysAt(tokens, at) ?? timesAt(tokens, at, twentyFour) ?? signAt(token);
    if (!found) return undefined;
    const [part, length] = found;
    add(parts, part);
    at += length;
  }
  return parts;
}

type Found<T> = readonly [T, number] | undefined;

function daysAt(tokens: readonly Token[], at: number): Found<Part> {
  const [first, to, last] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (first?.kind !== 'days') return undefined;
  const days = { days: new Set(first.days), daily: first.daily === true };
  if (to?.kind !== 'to' || last?.kind !== 'days') return [{ kind: 'days', days }, 1];
  const [begin, end] = [first.days[0], last.days[0]];
  if (
    first.days.length > 1 ||
    last.days.length > 1 ||
    begin === undefined ||
    end === undefined ||
    begin === end
  ) {
    return undefined;
  }
  for (let day = begin; day !== end; day = (day + 1) % 7) days.days.add(day);
  days.days.add(end);
  return [{ kind: 'days', days: { ...days, daily: days.days.size === 7 } }, 3];
}

function timesAt(tokens: readonly Token[], at: number, twentyFour: boolean): Found<Part> {
  if (tokens[at]?.kind === 'all day') return [{ kind: 'times', spans: [{ opens: 0, closes: wholeDay }] }, 1];
  const between = tokens[at]?.kind === 'between';
  const [from, to, until, after] = tokens.slice(between ? at + 1 : at);
  if (from?.kind !== 'clock' || until?.kind !== 'clock' || to?.kind !== (between ? 'and' : 'to'))
    return undefined;
  const manner: Manner = { twentyFour, nextDay: after?.kind === 'next day' };
  const span = spanOf(from.clock, until.clock, manner);
  return span && [{ kind: 'times', spans: [span] }, 3 + Number(between) + Number(manner.nextDay)];
}

function signAt({ kind }: Token): Found<Part> {
  return kind === 'closed' || kind === 'lunch' || kind === 'holidays' ? [{ kind }, 1] : undefined;
}

/** Days after days and times after times are one list. */
function add(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  if (last?.kind === 'days' && part.kind === 'days') {
    const days = new Set([...last.days.days, ...part.days.days]);
    parts.splice(-1, 1, { kind: 'days', days: { days, daily: last.days.daily || part.days.daily } });
  } else if (last?.kind === 'times' && part.kind === 'times') {
    parts.splice(-1, 1, { kind: 'times', spans: [...last.spans, ...part.spans] });
  } else parts.push(part);
}
