#!/usr/bin/env node
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Caches compiled code between starts, so that neither the TypeScript compiler is loaded nor the code compiled
// again. Threads read the variable; without it each would load its own compiler (15 to 25 MB). This file is JavaScript, so
// that the cache is on before the first TypeScript is read, and so that an older Node can say what it lacks.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
if (module.enableCompileCache === undefined || process.features.typescript === undefined) {
  console.error(
    `Commonweal needs Node 24.7 or newer, and this is ${process.version}. npm run cli uses the one that npm has installed.`,
  );
  process.exit(1);
}
module.enableCompileCache(process.env['NODE_COMPILE_CACHE']);
await import('./own-imports.js');
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
