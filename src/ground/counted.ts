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
