/**
 * The capacity of a cache that holds so many entries. Given as `max`, lru-cache would make room for all of them at once:
 * together the caches of a server took two thirds of the CPU time of a start, and 40 MB.
 */
export const entries = (most: number) => ({ maxSize: most, sizeCalculation: () => 1 });
