/** A number with its noun, such as `1 delivery` and `2 deliveries`, or with its verb: `counted(n, 'event is', 'events are')`. */
export const counted = (number: number | bigint, one: string, many = `${one}s`): string =>
  `${number} ${Number(number) === 1 ? one : many}`;
