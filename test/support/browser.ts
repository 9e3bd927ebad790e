/** Chromium from its npm package, with the included libraries, so that nothing needs to be installed. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { inflate } from '@sparticuz/chromium';
import { type Browser, chromium, type Page } from 'playwright-core';

/** The package contains Chromium only for 64-bit Linux on Intel. */
export const hasBrowser = process.platform === 'linux' && process.arch === 'x64';

const packed = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin');
const cache = join(import.meta.dirname, '../../node_modules/.cache');

export async function launchBrowser(): Promise<Browser> {
  const folder = await unpackChromium();
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    // Its sandbox refuses root, and the pages are our own.
    chromiumSandbox: false,
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023/lib') },
  });
}

/** Unpacked atomically, once per installation, although several test files may do it at the same time. */
async function unpackChromium(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(packed, '../package.json'), 'utf8'));
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  // The package unpacks into the temporary folder, which it looks up each time.
  const { TMPDIR } = process.env;
  process.env.TMPDIR = draft;
  const unpacking = ['chromium.br', 'al2023.tar.br'].map((name) => inflate(join(packed, name)));
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  await Promise.all(unpacking);
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
  return folder;
}

const wantsPictures = process.env.PICTURES === '1';

/** With PICTURES=1, writes a screenshot to node_modules/.cache/pictures. No test reads it. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (wantsPictures) {
    const path = join(cache, 'pictures', `${name}.png`);
    await page.screenshot({ path, fullPage: true });
  }
}

/** The record of a page: its faults and its requests. */
export interface PageRecord {
  /** Errors on its console, including violations of its security policy, and uncaught exceptions. */
  faults: string[];
  /** The URL of every request. */
  requests: string[];
}

export function recordPage(page: Page): PageRecord {
  const record: PageRecord = { faults: [], requests: [] };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) record.faults.push(message.text());
  });
  page.on('pageerror', (error) => record.faults.push(String(error)));
  page.on('request', (request) => record.requests.push(request.url()));
  page.on('websocket', (socket) => record.requests.push(socket.url()));
  return record;
}
