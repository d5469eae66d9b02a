import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExportError } from '../exports/export-error.ts';
import { exportManifest, manifestFile, type ExportManifest } from '../exports/manifest.ts';

/** A manifest is small. Something much larger is none. */
const mostBytes = 1024 * 1024;

/** The manifest of an export. @throws ExportError when there is none, or it is not one */
export async function readManifest(folder: string): Promise<ExportManifest> {
  const path = join(folder, manifestFile);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ExportError(
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `${folder} is not an export: it has no ${manifestFile}. It is written last, so an export that was interrupted has none.`
        : `${path} cannot be read: ${message}`,
    );
  });
  const parsed = exportManifest.safeParse(text.length > mostBytes ? undefined : jsonIn(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue && issue.path.length > 0 ? ` (${issue.path.join('.')}: ${issue.message})` : '';
  throw new ExportError(`${path} is not the manifest of an export${place}.`);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
