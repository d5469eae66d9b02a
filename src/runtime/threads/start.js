import '../../own-imports.js';

// The file that this thread runs. Not a static import, which would be resolved before ours are.
await import(process.argv[2]);
