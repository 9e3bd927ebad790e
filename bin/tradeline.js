#!/usr/bin/env node
// Runs Tradeline on Node 24, whatever Node the machine has: `npm ci` brings a Node 24 of its own as a package.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
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
  // The channel is how the child learns that this process was killed in a way it cannot pass on.
  const child = spawn(packaged, [main, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // As in src/cli/serve.ts, which sees only us for its parent.
  const parent = process.ppid;
  const isOrphan = () => process.ppid !== parent;
  if (process.env.npm_lifecycle_event) setInterval(() => isOrphan() && child.kill('SIGTERM'), 100).unref();
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
  child.on('error', (error) => {
    console.error(
      `The packaged Node ${packaged} cannot be run (${error.message}): run \`npm ci\`, or install Node 24.`,
    );
    process.exit(1);
  });
}
