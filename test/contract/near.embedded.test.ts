import { describe } from 'vitest';
import { nearContract } from './near.ts';

describe('near, on the embedded stores', () => {
  nearContract(() => ({}));
});
