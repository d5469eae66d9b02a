import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/**
 * Debian's. The headless shell is the same Chromium without the windows of a browser, and takes a third of the CPU: the
 * other also loads an address bar and its suggestions for each window, which nobody sees.
 */
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) =>
  existsSync(path),
);

/** Whether there is a browser to drive on this machine. */
export const hasChromium = executablePath !== undefined;

/** A real browser without a window, which asks nobody but the pages under test. */
export const launch = (): Promise<Browser> =>
  chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
