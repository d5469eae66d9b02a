import { registerHooks } from 'node:module';

/*
 * Resolves an import of one of our files by another as it is written. Node would look whether the file is there, whether a
 * link leads to it, and for a package.json in each folder above it: a third of the time that our thousand modules take to load.
 */
const ours = new URL('./', import.meta.url).href;
/**
 * zod takes the messages of all languages along, 63 modules that nobody reads: a quarter of its memory, and again in each
 * thread. Its own English is loaded in their place.
 */
const isAllLocalesOfZod = (specifier, parent) =>
  specifier === '../locales/index.js' && parent?.includes('/node_modules/zod/');
/** The description of the API is JSON alone. What would write it as YAML is 72 modules of each start. */
const isYamlOfSwagger = (specifier, parent) =>
  specifier === 'yaml' && parent?.includes('/node_modules/@fastify/swagger/');
const noYaml = new URL('no-yaml.js', ours).href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL } = context;
    if (isYamlOfSwagger(specifier, parentURL)) return { url: noYaml, format: 'module', shortCircuit: true };
    if (specifier.startsWith('.') && specifier.endsWith('.ts') && parentURL?.startsWith(ours))
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
    return nextResolve(isAllLocalesOfZod(specifier, parentURL) ? '../locales/en.js' : specifier, context);
  },
});
