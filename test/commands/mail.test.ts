import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachToRunningPostgres, type PostgresEndpoint } from '#infra/embedded-postgres/embedded-postgres';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { runHere } from '#test/command';
import { query } from '#test/embedded-postgres-processes';
import { endPrograms, type RunningProgram, startProgram } from '#test/program';
import { get, post } from '#test/program-requests';
import { eventually } from '#test/until';

let program: RunningProgram;
let owner: PostgresEndpoint;
const run = (verb: string, ...args: string[]) =>
  runHere(['mail', verb, '--platform', 'demo', ...args], program.env);

beforeAll(async () => {
  program = await startProgram({ args: ['--empty'] });
  owner = (await attachToRunningPostgres(program.dataDir))?.endpoint('owner') as PostgresEndpoint;
  await runHere(['platform', 'update', 'demo', '--invitations', 'on', '--reason', 'Why'], program.env);
  await post(program, '/v1/merchants', merchantBody({}));
  await post(program, '/v1/buyers', buyerBody({ external_id: 'buyer' }));
  const draft = { external_id: 'one', buyer_external_id: 'buyer', contact_email: 'jane@example.com' };
  await post(program, '/v1/orders/draft', draftOrderBody(draft));
  await eventually(async () => expect(await sent()).toHaveLength(1));
});
afterAll(async () => {
  await program?.stop();
  await endPrograms();
});

const sent = () => query(owner, `select mail_id from mails where status = 'SENT'`);

describe('the start', () => {
  it('prints a link that opens the mailbox', async () => {
    const [, url = ''] = /Mailbox\S*\s+(http\S+)/.exec(program.output()) ?? [];
    const opened = await fetch(url, { redirect: 'manual' });
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] as string;
    const page = await fetch(`${program.baseUrl}/sandbox/mailbox`, { headers: { cookie } });
    expect(await page.text()).toContain('jane@example.com');
    expect((await get(program, '/v1/platform')).status).toBe(200);
  });
});

describe('mail list', () => {
  it('shows mails without their content and recipient', async () => {
    const { code, stdout } = await run('list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/checkout_invitation {2}SENT {4}1 +order\/one\/invitation/);
    expect(stdout).not.toMatch(/jane|http/);
    expect((await run('list', '--status', 'FAILED')).stdout).toBe('There are no such mails.\n');
  });

  it('refuses a status that no mail has', async () => {
    expect(await run('list', '--status', 'LOST')).toMatchObject({
      code: 2,
      stderr: '--status must be one of PENDING, SENT, FAILED, WITHDRAWN.\n',
    });
  });
});

describe('mail notices', () => {
  it('shows none before anybody was refused', async () => {
    expect((await run('notices')).stdout).toBe('There are no such notices.\n');
  });

  it('shows what is kept of a refusal, of one buyer or of all', async () => {
    await query(
      owner,
      `insert into notices (platform_id, notice_id, cause, kind, buyer_external_id, recipient_masked, language, text_sha256,
        created_at)
      select platform_id, gen_random_uuid(), 'c', 'credit_refused', 'buyer', 'j•••@e•••.com', 'EN', '\\xabcd', 1763640000 from platforms`,
    );
    const { stdout } = await run('notices', '--buyer', 'buyer');
    expect(stdout).toMatch(/credit_refused +buyer +j•••@e•••.com +abcd/);
    expect((await run('notices', '--buyer', 'other')).stdout).toBe('There are no such notices.\n');
  });
});

describe('mail preview', () => {
  it('shows a mail of the kind in the language and formality that are asked for', async () => {
    const { code, stdout } = await run(
      'preview',
      'order_cancelled',
      '--language',
      'DE',
      '--formality',
      'FORMAL',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\S.* order-1009 .*\n\n/);
    expect(stdout).toContain('Rösterei Nord');
    const html = await run('preview', 'order_cancelled', '--language', 'JA', '--html');
    expect(html.stdout).toMatch(/^<!doctype html>\s*<html lang="ja"/i);
  });

  it('refuses a kind, a language and a formality that there is not', async () => {
    expect((await run('preview', 'unheard')).stderr).toBe(
      'KIND must be a kind that `tradeline platform mails` lists.\n',
    );
    expect((await run('preview', 'order_cancelled', '--language', 'XX')).stderr).toContain(
      '--language must be one of',
    );
    expect((await run('preview', 'order_cancelled', '--formality', 'RUDE')).code).toBe(2);
  });
});

describe('platform mails', () => {
  const mails = (...args: string[]) =>
    runHere(['platform', 'mails', ...args, '--platform', 'demo'], program.env);

  it('lists the kinds, and says which are always on', async () => {
    const { stdout } = await mails();
    expect(stdout).toMatch(/order_cancelled +BUYER +on +an order placed in the checkout is cancelled/);
    expect(stdout).toMatch(/credit_refused +BUYER +always on/);
  });

  it('switches a kind off and on again, which the history of the platform shows', async () => {
    const off = await mails('off', 'checkout_invitation', '--reason', 'Why');
    expect(off.stderr).toContain(
      'cannot be switched on or off: `tradeline platform update CODE --invitations off` ends invitations',
    );
    expect((await mails('off', 'order_cancelled', '--reason', 'Ours are better')).code).toBe(0);
    expect((await mails('off', 'order_expired', '--reason', 'Ours are better')).code).toBe(0);
    expect((await mails()).stdout).toMatch(/order_cancelled +BUYER +off/);
    expect((await mails('on', 'order_cancelled', '--reason', 'Theirs are')).stdout).toBe(
      'Platform demo: mails of the kind order_cancelled are on.\n',
    );
    const kept = await query(owner, 'select mails_off from platforms');
    expect(kept).toEqual([{ mails_off: ['order_expired'] }]);
  });

  it.each([
    [
      ['off', 'credit_refused'],
      'a buyer must learn that credit was refused, why, and how to have a person look again',
    ],
    [['off', 'unheard'], 'KIND must be a kind that `tradeline platform mails` lists.'],
    [['of', 'order_cancelled'], 'Give on or off and the kind of mail: tradeline platform mails on|off KIND.'],
    [['off', 'order_cancelled'], '--reason'],
  ])('refuses %j', async (args, sentence) => {
    const { code, stderr } = await mails(...args);
    expect(code).not.toBe(0);
    expect(stderr).toContain(sentence);
  });
});

describe('mail retry', () => {
  it('sends again what failed, and nothing else', async () => {
    expect((await run('retry')).stdout).toBe('0 mails wait to be sent again.\n');
    const [mail] = await query(owner, `update mails set status = 'FAILED', attempts = 14 returning mail_id`);
    const id = mail?.mail_id as string;
    expect((await run('retry', '--mail', id)).stdout).toBe('1 mail waits to be sent again.\n');
    await eventually(async () => expect(await sent()).toHaveLength(1));
    const none = await run('retry', '--mail', id);
    expect(none).toMatchObject({
      code: 1,
      stderr: `demo has no failed mail ${id} that can be sent again.\n`,
    });
  });

  it('does not send what no longer holds', async () => {
    await query(owner, `update mails set status = 'FAILED', attempts = 14`);
    await post(program, '/v1/orders/one/cancel', {});
    await eventually(async () => {
      const [mail] = await query(owner, `select status from mails where cause = 'order/one/invitation'`);
      expect(mail?.status).toBe('WITHDRAWN');
    });
    expect((await run('retry')).stdout).toBe('0 mails wait to be sent again.\n');
  });

  it.each([
    [['list', '--platform', 'nobody'], 'There is no platform with the code nobody.'],
    [
      ['retry', '--platform', 'demo', '--mail', 'x'],
      '--mail must be an id that `tradeline mail list` shows.',
    ],
    [['send'], 'Name a subcommand: tradeline mail list, notices, preview or retry.'],
  ])('mail %j is refused: %s', async (args, sentence) => {
    expect(await runHere(['mail', ...args], program.env)).toMatchObject({
      code: expect.toBeOneOf([1, 2]),
      stderr: `${sentence}\n`,
    });
  });
});

describe('in production without SMTP_URL', () => {
  it('the start warns that mails wait', async () => {
    const production = await startProgram({
      env: {
        TRADELINE_ENVIRONMENT: 'production',
        TRADELINE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      },
    });
    const warnings = production.output().match(/SMTP_URL is not set: mails to buyers wait until it is\./g);
    expect(warnings).toHaveLength(1);
    expect(production.output()).not.toContain('Mailbox');
    await production.stop();
  });
});
