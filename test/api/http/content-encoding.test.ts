import { expect, test } from 'vitest';
import { acceptedEncoding, isCompressible } from '../../../src/api/http/responses/content-encoding.ts';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate, zstd', undefined],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['*', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br; q=0.5 , gzip;q=0.4', 'br'],
  ['br;q=0, gzip;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=much', undefined],
] as const)('of %s the encoding is %s', (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding);
});

test.each([
  ['application/json; charset=utf-8', true],
  ['application/problem+json', true],
  ['application/jwk-set+json; charset=utf-8', true],
  ['text/html; charset=utf-8', true],
  ['text/csv', true],
  ['image/svg+xml', true],
  ['application/octet-stream', true],
  ['text/event-stream', false],
  ['image/png', false],
  ['application/zip', false],
  ['application/x-ndjson', false],
] as const)('a body of %s is compressed: %s', (mediaType, compressed) => {
  expect(isCompressible(mediaType)).toBe(compressed);
});
