/** Runs the return pages of docs/guides/checkout.md. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '#infra/time/clock';
import { returnSignature } from '#kernel/signature';
import { isHere, type RunningSnippet, runSnippet, type Snippet } from '#test/guide-snippet';
import { until } from '#test/until';

const guide = readFileSync(new URL('../../docs/guides/checkout.md', import.meta.url), 'utf8');
const SECRET = 'tl_return_a-secret-of-a-test';

describe('docs/guides/checkout.md', () => {
  let landing: RunningSnippet | undefined;
  afterEach(() => landing?.stop());

  it.for<Snippet>([
    { language: 'js', file: 'back.mjs', command: [process.execPath] },
    { language: 'python', file: 'back.py', command: ['python3'] },
    { language: 'php', file: 'back.php', command: ['php', '-S', '127.0.0.1:4000'] },
  ])('the $language page accepts a genuine return URL and refuses any other', async (snippet, { skip }) => {
    if (!isHere(snippet)) skip(`no ${snippet.language} on this machine`);
    const page = await runSnippet(guide, snippet, { RETURN_SECRET: SECRET });
    landing = page;
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
    const open = (requested: URLSearchParams) => page.send(`/?${requested}`);
    await until(async () => (await open(query()))?.status === 200);
    expect(await (await open(query()))?.text()).toBe('Your order is CONFIRMED');
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
      expect([`${forged}`, (await open(forged))?.status]).toEqual([`${forged}`, 403]);
  });
});
