import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvalIn, runHere, secondOperator } from '#test/command';
import {
  type CommandResult,
  endPrograms,
  type RunningProgram,
  startProgram,
  temporaryFolder,
} from '#test/program';
import { get } from '#test/program-requests';
import { until } from '#test/until';

let program: RunningProgram;
let folder: string;
let ben: Record<string, string>;
const run = (...args: string[]) => runHere(args, program.env);
const WHY = ['--reason', 'It is time.'];
const update = (...args: string[]) =>
  run('platform', 'update', 'demo', ...args, ...(args.includes('--reason') ? [] : WHY));
const approved = (proposed: CommandResult) =>
  runHere(['approval', 'approve', approvalIn(proposed), '--reason', 'As agreed.'], ben);
const platform = async () => (await get(program, '/v1/platform')).body;
const file = (name: string, content: string | Buffer) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const REDIRECT = '--redirect-url';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';
const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');

beforeAll(async () => {
  folder = temporaryFolder();
  program = await startProgram({ args: ['--empty'] });
  ben = await secondOperator(program.env);
});
afterAll(async () => {
  await program?.stop();
  await endPrograms();
});

describe('platform update', () => {
  it('changes what is named and leaves the rest, with the next version', async () => {
    const before = await get(program, '/v1/platform');
    const { code, stdout, stderr } = await update(
      ...['--name', 'Der Markt', '--language', 'DE', '--formality', 'INFORMAL'],
      ...['--redirect-url', 'https://Bücher.example/zurück'],
      ...['--checkout-origin', 'https://pay.example:443/', '--checkout-origin', 'http://localhost:3000'],
      ...['--support-email', 'a@markt.example', '--support-email', 'b@markt.example'],
      ...['--communication-email', 'c@markt.example', '--bcc-email', 'd@markt.example'],
      ...['--invitations', 'on', '--erp', 'on', '--logo', file('logo.txt', SVG)],
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      'Platform demo changed: name, language, formality, redirect-url, checkout-origin, support-email, ' +
        'communication-email, bcc-email, invitations, erp, logo.\n',
    );
    const after = await get(program, '/v1/platform');
    const redirectUrl = 'https://xn--bcher-kva.example/zur%C3%BCck';
    expect(after.body).toEqual({
      ...before.body,
      name: 'Der Markt',
      language: 'DE',
      formality: 'INFORMAL',
      redirect_url: redirectUrl,
      support_emails: ['a@markt.example', 'b@markt.example'],
      communication_email: 'c@markt.example',
      communication_bcc_email: 'd@markt.example',
      has_erp_configuration: true,
      logo_url: expect.stringMatching(/\/checkout\/logos\/demo-[\da-f]{16}\.svg$/),
    });
    expect([before, after].map(({ headers }) => headers.get('etag'))).toEqual(['"1"', '"2"']);
    expect(await (await fetch(after.body.logo_url)).text()).toBe(SVG);

    await update('--formality', 'FORMAL');
    expect(await platform()).toEqual({ ...after.body, formality: 'FORMAL' });
  });

  it('tightens the controls of a platform by one operator, and loosens them by two', async () => {
    const why = ['--reason', 'Season'];
    const before = await platform();
    const tightened = await update('--max-payment-term', '60', '--financing-review', 'ALWAYS', ...why);
    expect(tightened).toMatchObject({
      code: 0,
      stdout: 'Platform demo changed: max-payment-term, financing-review.\n',
    });
    expect(await platform()).toEqual({ ...before, max_payment_term: 60, financing_review: 'ALWAYS' });
    for (const [field, expected, ...options] of [
      ['max_payment_term', 90, '--max-payment-term', '90'],
      ['financing_currencies', ['EUR', 'GBP'], '--financing-currency', 'EUR', '--financing-currency', 'GBP'],
      ['collection_currencies', ['PLN'], '--collection-currency', 'PLN'],
      ['min_payout_business_day', 1, '--min-payout-business-day', '1'],
      ['financing_default_days', 120, '--financing-default-days', '120'],
      ['financing_review', 'UNREADABLE_FILES', '--financing-review', 'UNREADABLE_FILES'],
      ['term_fee_payer', 'MERCHANT', '--term-fee-payer', 'MERCHANT'],
      ['late_charge_order', 'CHARGES_FIRST', '--late-charge-order', 'CHARGES_FIRST'],
      ['late_interest_basis_points', 450, '--late-interest', '4.5'],
      ['disputes_pause', false, '--disputes-pause', 'off'],
    ] as const) {
      const held = await platform();
      const proposed = await update(...options, ...why);
      expect(await platform()).toEqual(held);
      expect((await approved(proposed)).code).toBe(0);
      expect(await platform()).toEqual({ ...held, [field]: expected });
    }
  });

  it('hides no looser control beside a stricter one, and no control beside another setting', async () => {
    const held = await platform();
    const both = ['--max-payment-term', '30', '--financing-currency', 'USD', '--reason', 'Why'];
    expect(approvalIn(await update(...both))).toMatch(/^[\da-f-]{36}$/);
    expect(await update('--max-payment-term', '30', '--erp', 'on', '--reason', 'Why')).toMatchObject({
      code: 2,
      stderr:
        'Set payment term, currencies, payouts, financing reviews and enrolment in a separate command: loosening them takes two operators.\n',
    });
    expect(await platform()).toEqual(held);
  });

  it('takes the origins of return URLs, which replace those before', async () => {
    const refusals = async () => {
      const requested = ['https://pay.example/', 'http://localhost:3000/x', 'https://new.example/'].map(
        async (url) => {
          const path = `/v1/orders/nobody/redirect_url?success_url=${encodeURIComponent(url)}`;
          return (await get(program, path)).status;
        },
      );
      return Promise.all(requested);
    };
    // 404: the address is right, but no such order exists.
    expect(await refusals()).toEqual([404, 404, 400]);
    await update('--checkout-origin', 'https://new.example');
    expect(await refusals()).toEqual([400, 400, 404]);
  });

  it("clears with '' what may be empty, and takes the logo away", async () => {
    const { logo_url: logoUrl } = await platform();
    const { code } = await update(
      ...['--redirect-url', '', '--checkout-origin', '', '--support-email', ''],
      ...['--communication-email', '', '--bcc-email', '', '--no-logo'],
      ...['--language', ''],
    );
    expect(code).toBe(0);
    expect((await update('--financing-currency', '', '--reason', 'Why')).code).toBe(0);
    expect(await platform()).toMatchObject({
      redirect_url: null,
      support_emails: [],
      communication_email: null,
      communication_bcc_email: null,
      logo_url: null,
      financing_currencies: [],
      // From the platform's country.
      language: 'DE',
    });
    expect((await fetch(logoUrl)).status).toBe(404);
  });

  it.each([
    [[], 'Say what to change: some of --name, --language, '],
    [['--name', ''], '--name must be the name that buyers read, one line of at most 255 characters.'],
    [['--language', 'XX'], '--language must be one of AR, '],
    [['--formality', 'formal'], '--formality must be one of NEUTRAL, FORMAL, INFORMAL.'],
    [[REDIRECT, 'shop.example'], '--redirect-url must be a complete URL, such as https://shop.example/back.'],
    [[REDIRECT, 'http://shop.example'], '--redirect-url must start with https://, or lead to this machine.'],
    [[REDIRECT, 'https://a@shop.example'], '--redirect-url must not contain a user name or a password.'],
    [['--redirect-url', 'https://shop.example/?t=1'], '--redirect-url must not have the parameter t, which'],
    [
      ['--checkout-origin', 'https://shop.example/a'],
      '--checkout-origin must be the scheme, host and port of',
    ],
    [['--checkout-origin', 'https://*.example'], '--checkout-origin must be the scheme, host and port of'],
    [['--support-email', 'nobody'], '--support-email must be an e-mail address.'],
    [['--communication-email', 'nobody'], '--communication-email must be an e-mail address.'],
    [['--bcc-email', 'a@b.example, c@d.example'], '--bcc-email must be an e-mail address.'],
    [['--invitations', 'yes'], '--invitations must be one of on, off.'],
    [['--financing-currency', 'EURO'], '--financing-currency must be one of EUR, GBP, '],
    [['--payout-term', 'soon'], '--payout-term must be a whole number from 0 to 99999.'],
    [['--min-payout-business-day', '0'], '--min-payout-business-day must be a whole number from 1 to 99999.'],
    [['--erp', 'true'], '--erp must be one of on, off.'],
    [['--max-payment-term', '-1'], "Option '--max-payment-term' argument is ambiguous"],
    [['--max-payment-term', '1.5'], '--max-payment-term must be a whole number from 0 to 99999.'],
    [['--term-fee-payer', 'buyer'], '--term-fee-payer must be one of BUYER, MERCHANT.'],
    [['--brand-color', 'green'], '--brand-color must be a colour such as #1f4fc4.'],
    [['--brand-color', '#ffcc00'], '--brand-color is too light: white text on it'],
    [['--privacy-url', 'http://shop.example/privacy'], '--privacy-url must start with https://'],
    [['--terms-url', 'javascript:alert(1)'], '--terms-url must be a complete URL'],
    [['--review-days', '0'], '--review-days must be working days, 1 to 30.'],
    [['--late-interest', '4,5'], '--late-interest must be a percentage below 100, such as 4.5.'],
    [['--late-interest', '100'], '--late-interest must be a percentage below 100, such as 4.5.'],
    [
      ['--iban', 'DE88370400440532013000'],
      '--iban is not an IBAN: its country, length or check digits are wrong.',
    ],
    [['--account-town', '12345'], '--account-town must be a town, one line of at most 35 characters.'],
    [['--account-country', 'de'], '--account-country must be the code of a country, such as DE.'],
    [['--logo', '/nowhere/logo.png'], '--logo cannot be read from /nowhere/logo.png (ENOENT: '],
    [['--logo', 'x.png', '--no-logo'], 'Give --logo or --no-logo, not both.'],
    [['--currency', 'GBP'], "Unknown option '--currency': the options are --name, --language, "],
    [['other'], 'Name only one platform: "other" is one too many.'],
  ])('with %j is refused with one sentence', async (args, sentence) => {
    const result = await update(...args);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(/^[^\n]+\.\n$/);
    expect(result.stderr.slice(0, sentence.length)).toBe(sentence);
  });

  it.each([
    ['gif', Buffer.from('GIF89a'), 'is not a PNG, JPEG, WebP or SVG image.'],
    ['svg', SVG.replace('/>', '><script/></svg>'), 'has the element script.'],
    ['svg', SVG.replace('/>', '>'), 'is not well-formed XML in UTF-8 without a document type.'],
    ['png', Buffer.concat([PNG, Buffer.alloc(65_536)]), 'has more than 64 KB.'],
  ])('refuses a logo that is wrong: %s', async (extension, content, fault) => {
    const path = file(`logo.${extension}`, content);
    const { code, stderr } = await update('--logo', path);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `--logo is refused: ${path} ${fault}\n` });
  });

  it('requires an existing platform', async () => {
    expect((await run('platform', 'update')).stderr).toBe(
      'Name one platform: tradeline platform update CODE.\n',
    );
    expect((await run('platform', 'update', 'nobody', '--name', 'x', ...WHY)).stderr).toBe(
      'There is no platform with the code nobody.\n',
    );
  });

  it('requires a reason', async () => {
    expect((await run('platform', 'update', 'demo', '--name', 'x')).stderr).toBe(
      '--reason is required: a reason, one line of at most 1000 characters.\n',
    );
  });
});

describe('platform create', () => {
  it('takes the same settings', async () => {
    const made = await run(
      ...['platform', 'create', '--code', 'shop', '--name', 'Shop', '--country', 'FR', '--currency', 'EUR'],
      ...['--formality', 'FORMAL', '--redirect-url', 'https://shop.example/back', '--max-payment-term', '30'],
      ...['--communication-email', 'a@shop.example', '--bcc-email', 'b@shop.example', '--invitations', 'on'],
      ...['--checkout-origin', 'https://pay.example', '--logo', file('logo.svg', PNG)],
      ...['--collection-currency', 'USD', '--payout-term', '14'],
      ...['--min-payout-business-day', '1', '--erp', 'on'],
    );
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const apiKey = /tl_test_\w+/.exec(made.stdout)?.[0] as string;
    const { body } = await get({ ...program, apiKey }, '/v1/platform');
    expect(body).toMatchObject({
      // From the platform's country, because no other one is given.
      language: 'FR',
      financing_currencies: ['EUR'],
      collection_currencies: ['USD'],
      payout_term: 14,
      min_payout_business_day: 1,
      has_erp_configuration: true,
      formality: 'FORMAL',
      redirect_url: 'https://shop.example/back',
      max_payment_term: 30,
      communication_email: 'a@shop.example',
      communication_bcc_email: 'b@shop.example',
      logo_url: expect.stringMatching(/\/shop-[\da-f]{16}\.png$/),
    });
    expect((await fetch(body.logo_url)).headers.get('content-type')).toBe('image/png');
  });
});

describe('platform disable and enable', () => {
  it('make its keys refused by one operator, and accepted by two', async () => {
    const status = async () => (await get(program, '/v1/platform')).status;
    // authenticator.test.ts shows with its clock that it takes at most five seconds.
    const untilStatus = (wanted: number) => until(async () => (await status()) === wanted);
    const disabled = await run('platform', 'disable', 'demo');
    expect(disabled.stdout).toMatch(/^Platform demo is disabled: within 5 seconds .+\.\n$/);
    await untilStatus(401);
    expect((await run('platform', 'list')).stdout).toMatch(/^demo .* refused /m);
    expect((await run('platform', 'disable', 'demo')).stdout).toBe('Platform demo is already disabled.\n');
    const enable = () => run('platform', 'enable', 'demo', '--reason', 'It is clear now.');
    const proposed = await enable();
    expect((await run('platform', 'list')).stdout).toMatch(/^demo .* refused /m);
    expect((await approved(proposed)).code).toBe(0);
    await untilStatus(200);
    expect((await enable()).stdout).toBe('Platform demo is already enabled.\n');
  });
});

describe('platform return-secret', () => {
  it('prints the same secret again until it is renewed, each platform its own', async () => {
    const secret = async (...args: string[]) => (await run('platform', 'return-secret', ...args)).stdout;
    const first = await secret('demo');
    expect(first).toMatch(/^tl_return_[\w-]{43}\n$/);
    expect(await secret('demo')).toBe(first);
    expect(await secret('shop')).not.toBe(first);
    const second = await secret('demo', '--renew');
    expect(second).toMatch(/^tl_return_[\w-]{43}\n$/);
    expect(second).not.toBe(first);
    expect(await secret('demo')).toBe(second);
  });
});
