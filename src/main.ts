#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Kept between starts: what TypeScript becomes, so that neither the compiler is loaded nor the code compiled again.
enableCompileCache();
const { runCli } = await import('./cli/program.ts');
process.exitCode = await runCli(process.argv, process.env);
