import { registerHooks } from 'node:module';

/*
 * Resolves an import of one of our files by another as it is written. Node would look whether the file is there, whether a
 * link leads to it, and for a package.json in each folder above it: a third of the time that our thousand modules take to load.
 */
const ours = new URL('./', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier.startsWith('.') && specifier.endsWith('.ts') && context.parentURL?.startsWith(ours)
      ? { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true }
      : nextResolve(specifier, context),
});
