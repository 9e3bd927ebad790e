import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatApiKey, randomApiKey } from '#kernel/api-key';
import type { Buyer } from '#modules/buyers';
import { buyerBody } from '#test/bodies';
import { endPrograms, type RunningProgram, startProgram, temporaryFolder } from '#test/program';
import { get, post } from '#test/program-requests';

const hasCurl = succeeds('curl', ['--version']);

let program: RunningProgram;

beforeAll(async () => {
  program = await startProgram();
});
afterAll(endPrograms);

describe('a first start', () => {
  it('creates demo data: merchants, buyers in six countries, orders', async () => {
    const [platform, merchants, buyers, orders] = await Promise.all(
      ['platform', 'merchants', 'buyers', 'orders'].map((path) => get(program, `/v1/${path}`)),
    );
    expect(platform?.body).toMatchObject({ code: 'demo', currency: 'EUR' });
    expect(merchants?.body.total).toBe(3);
    expect(buyers?.body.total).toBe(7);
    // Only the e-mail address of the seventh is known.
    const countries = buyers?.body.items.map((buyer: Buyer) => buyer.business_address?.country ?? null);
    expect(new Set(countries).size).toBe(7);
    expect(countries).toContain(null);
    expect(orders?.body.total).toBe(21);
  });

  it('prints what it did, its address and what to try, and nothing else', () => {
    const output = program.output();
    expect(output).toBe(stripVTControlCharacters(output));
    const text = output
      .replaceAll(program.baseUrl, 'URL')
      .replaceAll(program.apiKey, 'KEY')
      .replace(/tl_op_test_\w+/, 'OPERATOR_KEY')
      .replace(/\/checkout\/[\w-]{48}\n/, '/checkout/TOKEN\n')
      .replace(/access=demo\.[\w-]{32}\n/, 'access=TOKEN\n')
      .replace(/(Migrated the database: \d{4}_\w+\n)+/, 'MIGRATED\n');
    expect(text).toBe(
      `Creating the database in ${program.dataDir}/postgres.
MIGRATED
Created a demo marketplace: 3 merchants, 7 buyers, 21 orders, 5 invoices. (--empty leaves it out.)

  Tradeline is running as a sandbox.

  API             URL/v1
  API reference   URL/docs
  Guides          URL/docs/guides
  API key         KEY
  Operator key    OPERATOR_KEY
  Checkout        URL/checkout/TOKEN
  Mailbox         URL/sandbox/mailbox?access=TOKEN

  Look up your platform:
curl -sw '\\n' URL/v1/platform -H 'Authorization: Bearer KEY'

  Register a buyer:
curl -sw '\\n' URL/v1/buyers -H 'Authorization: Bearer KEY' -H 'Content-Type: application/json' -d '{"external_id":"buyer-'$(date +%s)'","legal_name":"Bistro du Port SARL","legal_form":"LIMITED_COMPANY","business_address":{"postcode":"69002","city":"Lyon","country":"FR"}}'

  Draft an order:
curl -sw '\\n' URL/v1/orders/draft -H 'Authorization: Bearer KEY' -H 'Content-Type: application/json' -d '{"external_id":"order-'$(date +%s)'","buyer_external_id":"cafe-morgenrot","merchant_external_id":"roastery-north","amount":{"net":10000,"tax":1900,"gross":11900}}'

  Ctrl-C stops it; everything is kept.

`,
    );
  });

  // The test is about the line for curl, so it needs curl.
  it.skipIf(!hasCurl)('prints three working curl commands', () => {
    const answers = runCurlLines(program);
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 201]);
    expect(answers[0]?.body).toMatchObject({ code: 'demo' });
    expect(answers[1]?.body.external_id).toMatch(/^buyer-\d{10}$/);
    expect(answers[2]?.body).toMatchObject({ status: 'DRAFT', buyer: { legal_name: 'Café Morgenrot eG' } });
  });

  it('leaves a ready file that only its owner can read', () => {
    const file = program.env.TRADELINE_READY_FILE as string;
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      base_url: program.baseUrl,
      api_key: program.apiKey,
      operator_key: program.env.TRADELINE_OPERATOR_KEY,
      console_url: null,
      metrics_url: null,
      checkout_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/checkout\/[\w-]{48}$/),
      data_dir: program.dataDir,
      pid: program.pid,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file))).toEqual(['ready.json']);
  });
});

describe('the next start on the same data', () => {
  it('shows the same key, has everything that was written, and creates no second demo data', async () => {
    expect((await post(program, '/v1/buyers', buyerBody({ external_id: 'kept' }))).status).toBe(201);
    const before = await get(program, '/v1/buyers');
    await program.stop();

    const again = await startProgram({ dataDir: program.dataDir });
    expect(again.apiKey).toBe(program.apiKey);
    expect(again.output()).toMatch(/^\n {2}Tradeline is running as a sandbox\.\n/);
    expect((await get(again, '/v1/buyers')).body).toEqual(before.body);
    expect((await get(again, '/v1/buyers/kept')).status).toBe(200);
    expect((await get(again, '/v1/merchants')).body.total).toBe(3);
    // The service listens on another port now, and buyers of the story come back to it.
    expect((await get(again, '/v1/platform')).body.redirect_url).toBe(`${again.baseUrl}/docs`);
    await again.stop();
  });

  it('replaces the ready file of a program that was killed', async () => {
    const file = join(temporaryFolder(), 'ready.json');
    writeFileSync(file, '{"base_url": "http://127.0.0.1:1", "pid": 4194305}');
    const again = await startProgram({ dataDir: program.dataDir, env: { TRADELINE_READY_FILE: file } });
    expect(JSON.parse(readFileSync(file, 'utf8')).pid).toBe(again.pid);
    await again.stop();
  });
});

describe('--empty', () => {
  it('makes a platform with a key and nothing on it, and shows what to try there', async () => {
    // The ready file may be in the data folder, which does not exist yet.
    const dataDir = join(temporaryFolder(), 'data');
    const env = { TRADELINE_READY_FILE: join(dataDir, 'ready.json') };
    const empty = await startProgram({ args: ['--empty'], dataDir, env });
    expect((await get(empty, '/v1/platform')).body).toMatchObject({ code: 'demo', name: 'Demo platform' });
    for (const path of ['merchants', 'buyers', 'contacts', 'orders'])
      expect((await get(empty, `/v1/${path}`)).body.total).toBe(0);
    if (hasCurl) {
      expect(runCurlLines(empty).map(({ status }) => status)).toEqual([200, 201, 201]);
      expect((await get(empty, '/v1/merchants')).body.total).toBe(1);
    }
    await empty.stop();
  });
});

describe('TRADELINE_BOOTSTRAP_API_KEY', () => {
  it('is the key of the first platform, in the ready file too, and is not shown if it is not set', async () => {
    const key = formatApiKey(randomApiKey('sandbox'));
    const first = await startProgram({ env: { TRADELINE_BOOTSTRAP_API_KEY: key }, args: ['--empty'] });
    expect(first.apiKey).toBe(key);
    expect(first.output()).toContain(key);
    expect((await get(first, '/v1/platform')).status).toBe(200);
    await first.stop();

    const later = formatApiKey(randomApiKey('sandbox'));
    const second = await startProgram({
      dataDir: first.dataDir,
      env: { TRADELINE_BOOTSTRAP_API_KEY: later },
    });
    expect(second.apiKey).toBe('');
    expect(second.output()).not.toMatch(/tl_test_|curl/);
    expect(second.output()).toContain('see `npx tradeline help`');
    expect((await get({ ...second, apiKey: later }, '/v1/platform')).status).toBe(401);
    expect((await get({ ...second, apiKey: key }, '/v1/platform')).status).toBe(200);
    await second.stop();
  });

  it('stays out of what a production service prints', async () => {
    const key = formatApiKey(randomApiKey('production'));
    const production = await startProgram({
      env: {
        TRADELINE_ENVIRONMENT: 'production',
        TRADELINE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        TRADELINE_BOOTSTRAP_API_KEY: key,
      },
    });
    expect(production.apiKey).toBe(key);
    expect(production.output()).toContain('Tradeline is running in production.');
    expect(production.output()).not.toMatch(/tl_live_|curl/);
    expect((await get(production, '/v1/buyers')).body.total).toBe(0);
    await production.stop();
  });
});

/** Runs each line exactly as printed; curl writes the response headers to the file that its configuration names. */
function runCurlLines({ output }: RunningProgram) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, '.curlrc'), `dump-header = "${join(folder, 'head')}"\n`);
  const lines = output()
    .split('\n')
    .filter((line) => line.includes('curl '));
  return lines.map((line) => {
    const body = execFileSync('/bin/sh', ['-c', line], {
      env: { PATH: process.env.PATH, CURL_HOME: folder, HOME: folder },
      encoding: 'utf8',
    });
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(readFileSync(join(folder, 'head'), 'utf8')) ?? [];
    return { status: Number(status), body: JSON.parse(body) };
  });
}

function succeeds(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
