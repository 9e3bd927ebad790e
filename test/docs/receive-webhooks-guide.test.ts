/** Runs the receivers of docs/guides/receive-webhooks.md. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '#infra/time/clock';
import { signatureHeader } from '#kernel/signature';
import { isHere, type RunningSnippet, runSnippet, type Snippet } from '#test/guide-snippet';
import { until } from '#test/until';

const guide = readFileSync(new URL('../../docs/guides/receive-webhooks.md', import.meta.url), 'utf8');
const SECRET = 'tl_whsec_a-secret-of-a-test';
const BODY = JSON.stringify({
  id: 'e1',
  occurred_at: 1,
  type: 'WEBHOOK.TEST',
  data: { external_id: 'BUYER', sequence: 1 },
});

describe('docs/guides/receive-webhooks.md', () => {
  let receiver: RunningSnippet | undefined;
  afterEach(() => receiver?.stop());

  it.for<Snippet>([
    { language: 'js', file: 'receiver.mjs', command: [process.execPath] },
    { language: 'python', file: 'receiver.py', command: ['python3'] },
    { language: 'php', file: 'receiver.php', command: ['php', '-S', '127.0.0.1:4000'] },
    {
      ...{ language: 'go', file: 'receiver.go', command: ['./receiver'] },
      ...{ build: ['go', 'build', '-o', 'receiver', 'receiver.go'], versionOption: 'version' },
    },
    { language: 'java', file: 'Receiver.java', command: ['java'] },
  ])('the $language receiver accepts a genuine request and refuses any other', async (snippet, { skip }) => {
    if (!isHere(snippet)) skip(`no ${snippet.language} on this machine`);
    const running = await runSnippet(guide, snippet, { SIGNING_SECRET: SECRET });
    receiver = running;

    const now = systemClock.now();
    const send = async (signature: string, body = BODY) => {
      const headers = { 'content-type': 'application/json', 'service-signature': signature };
      return (await running.send('/', { method: 'POST', body, headers }))?.status;
    };
    await until(async () => (await send(signatureHeader([SECRET], BODY, now))) === 204);
    expect(await send(signatureHeader(['another secret', SECRET], BODY, now))).toBe(204);
    expect(await send(signatureHeader(['another secret'], BODY, now))).toBe(401);
    expect(await send(signatureHeader([SECRET], BODY, now), BODY.replace('e1', 'e2'))).toBe(401);
    expect(await send(signatureHeader([SECRET], BODY, now - 301))).toBe(401);
    expect(await send(signatureHeader([SECRET], BODY, now + 600))).toBe(401);
    expect(await send('v1=00')).toBe(401);
    expect(await send(signatureHeader([SECRET], BODY, now).replace(/v1=.*/, 'v1='))).toBe(401);
  });
});
