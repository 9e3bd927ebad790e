/** docs/reference/signature-vectors.json, with which integrators test their receivers, agrees with our code and with OpenSSL. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { returnSignature, signatureDigest, signatureHeader } from '#kernel/signature';

interface Vector {
  description: string;
  secret: string;
  previous_secret?: string;
  body: string;
  t: number;
  header: string;
}

interface ReturnVector {
  description: string;
  secret: string;
  order_external_id: string;
  status: string;
  t: number;
  signature: string;
}

const { vectors, returns } = JSON.parse(
  readFileSync(new URL('../../docs/reference/signature-vectors.json', import.meta.url), 'utf8'),
) as { vectors: Vector[]; returns: ReturnVector[] };
const secretsOf = ({ secret, previous_secret }: Vector) => [
  secret,
  ...(previous_secret ? [previous_secret] : []),
];

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** The command, as the guide prints it. */
function opensslDigest(secret: string, body: string, t: number): string | undefined {
  const { stdout } = spawnSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input: `${body}.${t}` });
  return /[0-9a-f]{64}/.exec(stdout.toString())?.[0];
}

describe('The signature vectors', () => {
  it('are several, one of them with two secrets', () => {
    expect(vectors.length).toBeGreaterThanOrEqual(5);
    expect(vectors.filter(({ previous_secret }) => previous_secret !== undefined)).toHaveLength(1);
    expect(new Set(vectors.map(({ header }) => header)).size).toBe(vectors.length);
  });

  it.each(vectors)('hold for what we send: $description', (vector) => {
    expect(signatureHeader(secretsOf(vector), vector.body, vector.t)).toBe(vector.header);
  });

  it.for(vectors)('hold for openssl dgst: $description', (vector, { skip }) => {
    // The project requires only Node. Without openssl the test uses Node's own HMAC.
    if (!hasOpenssl) skip('no openssl on this machine');
    const digests = secretsOf(vector).map((secret) => `v1=${opensslDigest(secret, vector.body, vector.t)}`);
    expect([`t=${vector.t}`, ...digests].join(',')).toBe(vector.header);
  });

  it('change with every part that is signed', () => {
    const digest = signatureDigest('secret', 'body', 1);
    expect(signatureDigest('secret.', 'body', 1)).not.toBe(digest);
    expect(signatureDigest('secret', 'body.', 1)).not.toBe(digest);
    expect(signatureDigest('secret', 'body', 11)).not.toBe(digest);
  });
});

describe('The vectors of return URLs', () => {
  it('are several, and all different', () => {
    expect(returns.length).toBeGreaterThanOrEqual(5);
    expect(new Set(returns.map(({ signature }) => signature)).size).toBe(returns.length);
  });

  it.each(returns)('hold for what we sign: $description', ({ secret, signature, ...what }) => {
    const { order_external_id: orderExternalId, status, t } = what;
    expect(returnSignature(secret, { orderExternalId, status, t })).toBe(signature);
  });

  it.for(returns)('hold for openssl dgst: $description', (vector, { skip }) => {
    if (!hasOpenssl) skip('no openssl on this machine');
    const text = `${vector.order_external_id}.${vector.status}`;
    expect(opensslDigest(vector.secret, text, vector.t)).toBe(vector.signature);
  });
});
