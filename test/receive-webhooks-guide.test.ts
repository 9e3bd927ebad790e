/** The receivers of docs/guides/receive-webhooks.md, run as printed (on another port). */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '#infra/clock';
import { signatureHeader } from '#kernel/signature';

const guide = readFileSync(new URL('../docs/guides/receive-webhooks.md', import.meta.url), 'utf8');
const SECRET = 'tl_whsec_a-secret-of-a-test';
const BODY = JSON.stringify({
  id: 'e1',
  occurred_at: 1,
  type: 'WEBHOOK.TEST',
  data: { external_id: 'BUYER', sequence: 1 },
});

/** The snippet is skipped where the machine has not got its language: the project counts on Node alone. */
const hasPython = has('python3');

describe('docs/guides/receive-webhooks.md', () => {
  let receiver: ChildProcess | undefined;
  afterEach(() => void receiver?.kill('SIGKILL'));

  it.for([
    { language: 'js', file: 'receiver.mjs', program: process.execPath, isHere: true },
    { language: 'python', file: 'receiver.py', program: 'python3', isHere: hasPython },
  ])(
    'the $language receiver accepts what is genuine and nothing else',
    async ({ language, file, program, isHere }, { skip }) => {
      if (!isHere) skip(`no ${program} on this machine`);
      const folder = mkdtempSync(join(tmpdir(), 'tradeline-guide-'));
      const port = await freePort();
      const [, code = ''] = new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(guide) ?? [];
      expect(code).toContain('4000');
      writeFileSync(join(folder, file), code.replaceAll('4000', String(port)));
      receiver = spawn(program, [join(folder, file)], { env: { SIGNING_SECRET: SECRET }, stdio: 'ignore' });

      const now = systemClock.now();
      const send = (signature: string, body = BODY) =>
        post(port, body, { 'content-type': 'application/json', 'service-signature': signature });
      await until(async () => (await send(signatureHeader([SECRET], BODY, now))) === 204);
      expect(await send(signatureHeader(['another secret', SECRET], BODY, now))).toBe(204);
      expect(await send(signatureHeader(['another secret'], BODY, now))).toBe(401);
      expect(await send(signatureHeader([SECRET], BODY, now), BODY.replace('e1', 'e2'))).toBe(401);
      expect(await send(signatureHeader([SECRET], BODY, now - 301))).toBe(401);
      expect(await send('v1=00')).toBe(401);
      rmSync(folder, { recursive: true });
    },
  );
});

async function post(port: number, body: string, headers: Record<string, string>): Promise<number | null> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })).status;
  } catch {
    return null;
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 25));
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
