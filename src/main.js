#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Caches compiled code between starts, so that neither the TypeScript compiler is loaded nor the code compiled
// again. Threads read the variable; without it each would load its own compiler (15 to 25 MB). This file is JavaScript, so
// that the cache is on before the first TypeScript is read.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
enableCompileCache(process.env['NODE_COMPILE_CACHE']);
try {
  const { runCli } = await import('./cli/program.ts');
  process.exitCode = await runCli(process.argv, process.env);
} catch (error) {
  const { TableError } = await import('./tables/read-table.ts');
  if (!(error instanceof TableError)) throw error;
  // A table was edited: its file and line say more than where it is read.
  console.error(error.message);
  process.exitCode = 1;
}
