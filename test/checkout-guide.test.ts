/** The ways back of docs/guides/checkout.md, run as printed (on another port). */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '#infra/clock';
import { returnSignature } from '#kernel/signature';

const guide = readFileSync(new URL('../docs/guides/checkout.md', import.meta.url), 'utf8');
const SECRET = 'tl_return_a-secret-of-a-test';

/** A snippet is skipped where the machine has not got its language: the project counts on Node alone. */
const hasPython = has('python3');
const hasPhp = has('php');

describe('docs/guides/checkout.md', () => {
  let landing: ChildProcess | undefined;
  afterEach(() => void landing?.kill('SIGKILL'));

  it.for([
    { language: 'js', file: 'back.mjs', command: [process.execPath], isHere: true },
    { language: 'python', file: 'back.py', command: ['python3'], isHere: hasPython },
    { language: 'php', file: 'back.php', command: ['php', '-S', '127.0.0.1:4000'], isHere: hasPhp },
  ])('the $language page takes what is genuine and nothing else', async (snippet, { skip }) => {
    const { language, file, command, isHere } = snippet;
    const [program = '', ...args] = command;
    if (!isHere) skip(`no ${program} on this machine`);
    const folder = mkdtempSync(join(tmpdir(), 'tradeline-guide-'));
    const port = await freePort();
    const onPort = (text: string) => text.replaceAll('4000', String(port));
    const [, code = ''] = new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(guide) ?? [];
    expect(code).toContain('4000');
    writeFileSync(join(folder, file), onPort(code));
    landing = spawn(program, [...args.map(onPort), join(folder, file)], {
      env: { ...process.env, RETURN_SECRET: SECRET },
      stdio: 'ignore',
    });

    const now = systemClock.now();
    const what = { orderExternalId: 'my-order', status: 'CONFIRMED', t: now };
    const query = (more: Record<string, string> = {}) =>
      new URLSearchParams({
        basket: '17',
        order_external_id: 'my-order',
        status: 'CONFIRMED',
        t: `${now}`,
        signature: returnSignature(SECRET, what),
        ...more,
      });
    await until(async () => (await open(port, query()))?.status === 200);
    expect((await open(port, query()))?.text).toBe('Your order is CONFIRMED');
    const old = { ...what, t: now - 301 };
    for (const forged of [
      query({ order_external_id: 'another' }),
      query({ status: 'CANCELLED' }),
      query({ t: `${now - 1}` }),
      query({ t: `${old.t}`, signature: returnSignature(SECRET, old) }),
      query({ t: '' }),
      query({ t: 'NaN' }),
      query({ signature: returnSignature('another secret', what) }),
      query({ signature: '' }),
      query({ signature: 'é' }),
      new URLSearchParams(),
    ])
      expect([`${forged}`, (await open(port, forged))?.status]).toEqual([`${forged}`, 403]);
    rmSync(folder, { recursive: true });
  });
});

async function open(port: number, query: URLSearchParams): Promise<{ status: number; text: string } | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/?${query}`);
    return { status: answer.status, text: await answer.text() };
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
