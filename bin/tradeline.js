#!/usr/bin/env node
// Runs Tradeline on Node 24, whatever Node the machine has: `npm ci` brings a Node 24 of its own as a package.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const main = join(root, 'src', 'main.ts');
const major = Number(process.versions.node.split('.')[0]);

if (major >= 24) {
  await import(main);
} else {
  const packaged = join(root, 'node_modules', '.bin', 'node');
  if (!existsSync(packaged)) {
    console.error(
      `Tradeline needs Node 24 or later; this is Node ${process.versions.node}, and no packaged Node was found. ` +
        'Run `npm ci` (without --omit=optional), or install Node 24.',
    );
    process.exit(1);
  }
  const child = spawn(packaged, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
