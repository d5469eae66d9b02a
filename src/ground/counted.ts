/** A number with its noun, such as `1 delivery` and `2 deliveries`, or with its verb: `counted(n, 'event is', 'events are')`. */
export const counted = (number: number | bigint, one: string, many = `${one}s`): string =>
  `${number} ${Number(number) === 1 ? one : many}`;

/** The same of what is counted up to a number and no further, for people: `1,000 or more records wait`. */
export const countedUpTo =
  (atMost: number) =>
  (number: number, one: string, many = `${one}s`): string =>
    number < atMost
      ? counted(number, one, many).replace(String(number), number.toLocaleString('en'))
      : `${number.toLocaleString('en')} or more ${many}`;

/** The time until an instant in its largest unit, such as `3 hours`. Undefined: it has passed. */
export function timeLeft(at: string, now: Date): string | undefined {
  const minutes = Math.ceil((Date.parse(at) - now.getTime()) / 60_000);
  if (minutes <= 0) return undefined;
  if (minutes < 120) return counted(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day');
}
