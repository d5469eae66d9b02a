import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { leakKey } from '../audit/as-of/leaked-key.ts';
import { runCommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServing } from '../support/serving.ts';
import { launch } from './chromium.ts';
import { terminalPicture, type TerminalEntry } from './terminal-picture.ts';

/** Pictures of the example audit of docs/example-audit.md, of a run of it: docs/images/audit-{walk,verify}.svg and audit-log.png. */
const images = fileURLToPath(new URL('../../docs/images/', import.meta.url));
mkdirSync(images, { recursive: true });

const folder = temporaryFolder();
try {
  const { KEY, EVENT, VKEY, FOLDER } = await leakKey(folder.path);
  const entryOf = async (words: string): Promise<TerminalEntry> => {
    const { code, stdout, stderr } = await runCommandLine(words.split(' '), folder.path);
    if (code !== 0) throw new Error(`${words}: ${stderr}`);
    const command = `commonweal ${words}`.replace(FOLDER, 'leaked-key');
    return { command, printed: stdout.replaceAll(FOLDER, 'leaked-key') };
  };
  const entriesOf = async (...commands: string[]) => {
    const entries: TerminalEntry[] = [];
    for (const words of commands) entries.push(await entryOf(words));
    return entries;
  };
  const walk = await entriesOf(`audit events --actor key:${KEY} --oldest-first`, `audit walk ${EVENT}`);
  const title = 'What the key did, and what followed from the approval, as a tree';
  writeFileSync(`${images}audit-walk.svg`, terminalPicture(title, walk, 190));
  const verify = await entriesOf(
    `audit export --actor key:${KEY} --out ${FOLDER}`,
    `verify --export ${FOLDER} --vkey ${VKEY}`,
    `verify --export ${FOLDER} --full`,
    'verify',
  );
  const proved = 'What the key did is exported and verified, without the store and with it';
  writeFileSync(`${images}audit-verify.svg`, terminalPicture(proved, verify, 120));

  const [serving, chromium] = await Promise.all([startServing(folder.path), launch()]);
  try {
    const page = await chromium.newPage({ locale: 'en-US', viewport: { width: 1440, height: 900 } });
    await page.goto(`${serving.origin}/audit/log/`);
    await page.screenshot({ path: `${images}audit-log.png`, caret: 'hide' });
  } finally {
    await chromium.close();
    await serving.stop();
  }
  console.log('docs/images has pictures of the example audit.');
} finally {
  folder.remove();
}
