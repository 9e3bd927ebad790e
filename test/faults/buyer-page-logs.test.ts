import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { pageBrowser } from '#test/buyer-page';
import { testAuthorityPath } from '#test/certificates';
import { type MailServer, startMailServer } from '#test/mail-server';
import { endPrograms, type RunningProgram, startProgram } from '#test/program';
import { post } from '#test/program-requests';

const EMAIL = 'einkauf@morgenrot.example';

let mailServer: MailServer;
let program: RunningProgram;
beforeAll(async () => {
  mailServer = await startMailServer();
  program = await startProgram({
    args: ['--empty'],
    env: {
      ...{ SMTP_URL: mailServer.url, SMTP_FROM: 'orders@example.com', SMTP_CA_FILE: testAuthorityPath },
      TRADELINE_LOG_LEVEL: 'debug',
    },
  });
});
afterAll(async () => {
  await program?.stop();
  await mailServer?.close();
  await endPrograms();
});

describe('a program whose buyers open their pages', () => {
  it('logs neither the links nor the codes, the sessions and the names', async () => {
    const buyer = buyerBody({
      external_id: 'page-accepted',
      contact_email: EMAIL,
      legal_name: 'Quintessa eG',
    });
    expect((await post(program, '/v1/buyers', buyer)).status).toBe(201);
    expect((await post(program, '/v1/buyers/page-accepted/facility', {})).status).toBe(201);
    const [granted] = await mailServer.waitFor(1);
    const [, token = ''] = /\/buyer\/([\w-]+)/.exec(granted?.parsed.text ?? '') ?? [];
    expect(token.length).toBeGreaterThan(40);

    const browser = pageBrowser(program, token);
    expect((await browser.get('')).status).toBe(303);
    expect((await browser.post('code/send')).status).toBe(303);
    const [, coded] = await mailServer.waitFor(2);
    const code = coded?.parsed.subject?.slice(0, 6) ?? '';
    expect(code).toMatch(/^\d{6}$/);
    const wrong = code === '000000' ? '111111' : '000000';
    expect((await browser.post('code', { code: wrong })).status).toBe(422);
    expect((await browser.post('code', { code })).status).toBe(303);
    const pages = ['invoices', 'past', 'credit', 'settings', 'invoices/unknown', 'nowhere', 'invoices/%'];
    for (const page of pages) await browser.get(page);
    const session = (browser.cookie() ?? '').slice('tl_buyer='.length);
    expect(session).toMatch(/^[\w-]{43}$/);
    expect((await browser.post('settings', { language: 'DE', formality: 'x'.repeat(10_000) })).status).toBe(
      422,
    );
    const unknown = `${token.slice(0, -2)}AA`;
    expect((await pageBrowser(program, unknown).get('code')).status).toBe(404);
    expect((await browser.post('leave')).status).toBe(303);
    const link = await post(program, '/v1/buyers/page-accepted/page_link', {});
    expect(link.status).toBe(200);
    const linked: string = link.body.url.split('/').at(-1);
    expect((await pageBrowser(program, linked).get('')).status).toBe(303);
    expect(await program.stop()).toBe(0);

    const output = program.output();
    expect(output).toContain('"route":"/buyer/:token/code"');
    for (const secret of [token, linked, unknown, code, wrong, session, 'Quintessa', EMAIL, 'tl_buyer'])
      expect(output).not.toContain(secret);
  });
});
