import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Threads and processes of the product keep their compiled code between starts, as `src/main.js` has them do. Without
 * it every thread that a test starts loads the TypeScript compiler: half of the processor time of a suite.
 */
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
