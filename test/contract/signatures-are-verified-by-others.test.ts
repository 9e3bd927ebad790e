/**
 * Signatures of webhooks, made by the program and verified by Web Crypto and by the `openssl` of the machine.
 * `SIGNATURES` in the environment sets their number; `npm run soak` makes 100,000.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signatureHeader, standardSignature } from '#kernel/signature';
import { patience } from '#test/patience';

const SIGNATURES = Number(process.env.SIGNATURES ?? 2_000);
const PER_SECRET = 500;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

interface Signed {
  id: string;
  body: string;
  unixSeconds: number;
}

const text = fc.string({ unit: 'binary', maxLength: 400 }).filter((each) => each.isWellFormed());
const body = fc.oneof(
  fc.constant(''),
  text,
  fc.json(),
  fc.constantFrom('Żółw, größe, 株式会社 🧾', '\u0000\r\n', '{"a":"é"}', '\ufeff{}'),
);
const signed: fc.Arbitrary<Signed> = fc.record({
  id: fc.uuid(),
  body,
  unixSeconds: fc.integer({ min: 1, max: 4_000_000_000 }),
});
const secrets = fc
  .sample(fc.string({ unit: 'grapheme', minLength: 8, maxLength: 60 }), Math.ceil(SIGNATURES / PER_SECRET))
  .map((secret, nth) => `whsec_${nth}${secret}`);
const samples = secrets.map((secret) => ({ secret, each: fc.sample(signed, PER_SECRET) }));

async function digestOf(secret: string, content: string): Promise<Buffer> {
  const encoder = new TextEncoder();
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), hmac, false, ['sign']);
  return Buffer.from(await crypto.subtle.sign('HMAC', key, encoder.encode(content)));
}

describe(`${SIGNATURES.toLocaleString('en')} signatures`, () => {
  it('are those that Web Crypto computes, of empty and of unicode bodies too', {
    timeout: patience(60),
  }, async () => {
    expect(samples.flatMap(({ each }) => each).some((one) => one.body === '')).toBe(true);
    let verified = 0;
    for (const { secret, each } of samples) {
      for (const one of each) {
        const own = await digestOf(secret, `${one.body}.${one.unixSeconds}`);
        const standard = await digestOf(secret, `${one.id}.${one.unixSeconds}.${one.body}`);
        if (
          signatureHeader([secret], one.body, one.unixSeconds) !==
          `t=${one.unixSeconds},v1=${own.toString('hex')}`
        )
          throw new Error(`Service-Signature differs: ${JSON.stringify(one)}`);
        if (standardSignature([secret], one) !== `v1,${standard.toString('base64')}`)
          throw new Error(`webhook-signature differs: ${JSON.stringify(one)}`);
        verified++;
      }
    }
    expect(verified).toBeGreaterThanOrEqual(SIGNATURES);
  });

  // A machine without openssl verifies only with Web Crypto.
  it.skipIf(!hasOpenssl)('are those that openssl computes', { timeout: patience(120) }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'tradeline-signatures-'));
    try {
      for (const { secret, each } of samples) {
        const files = each.map((one, nth) => {
          const file = join(folder, String(nth));
          writeFileSync(file, `${one.body}.${one.unixSeconds}`);
          return file;
        });
        const key = Buffer.from(secret, 'utf8').toString('hex');
        const args = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`, '-r', ...files];
        const { stdout, status } = spawnSync('openssl', args, { encoding: 'utf8' });
        expect(status).toBe(0);
        const theirs = stdout
          .trim()
          .split('\n')
          .map((line) => line.slice(0, 64));
        const ours = each.map((one) => signatureHeader([secret], one.body, one.unixSeconds).split('v1=')[1]);
        expect(theirs).toEqual(ours);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
