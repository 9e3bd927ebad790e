/** `tradeline statement`: the debts of a buyer, on the terminal and as a PDF. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { runHere, settingsOf } from '#test/command';
import { grossOf, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { addLateCharge } from '#test/late-charges';

const { create, world } = useInvoicing();

let env: Record<string, string>;
let folder: string;
beforeAll(async () => {
  env = await settingsOf(world());
  folder = mkdtempSync(join(tmpdir(), 'statement-'));
  await create(invoiceBody({ external_id: 'i1', buyer_external_id: 'buyer', ...grossOf(100_000) }));
  await addLateCharge(world(), 'i1', { amountMinor: 258 });
  await world().post('/v1/invoices/i1/payments', {
    external_id: 'p1',
    amount: 30_000,
    received_by: 'PLATFORM',
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => runHere(['statement', ...args], env);
const PERIOD = ['--from', '2025-11-01', '--at', '2025-11-30'];
const UNTIL = Date.UTC(2025, 11, 1) / 1_000 - 1;

describe('tradeline statement show', () => {
  it('prints the entries, what is owed, and the open invoices', async () => {
    const { stdout, code } = await run('show', 'buyer', ...PERIOD);
    expect(code).toBe(0);
    expect(stdout).toContain('Balance before: 0.00 EUR');
    expect(stdout).toMatch(/2025-11-20 +INVOICE +i1 +i1 +1,000\.00 +1,000\.00/);
    expect(stdout).toMatch(/2025-11-20 +PAYMENT +i1 +p1 +-300\.00 +702\.58/);
    expect(stdout).toContain('Owed: 702.58 EUR');
    expect(stdout).toMatch(/i1 .* 700\.00 +2\.58/);
  });

  it('prints with --json what the API answers', async () => {
    const { stdout } = await run('show', 'buyer', ...PERIOD, '--json');
    world().clock.set(UNTIL);
    const { body } = await world().get(
      `/v1/buyers/buyer/statement?from=${Date.UTC(2025, 10, 1) / 1_000}&at=${UNTIL}`,
    );
    world().clock.set(NOW);
    expect(JSON.parse(stdout)).toEqual(body);
  });

  it('says that nothing was owed', async () => {
    expect((await run('show', 'stranger')).stdout).toBe('Nothing was owed.\n');
  });

  it('refuses an unknown buyer, several, and a period that ends before it begins', async () => {
    expect(await run('show', 'nobody')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no buyer nobody'),
    });
    expect(await run('show', 'a', 'b')).toMatchObject({ code: 2 });
    expect(await run('show', 'buyer', '--from', '2025-12-01', '--at', '2025-11-30')).toMatchObject({
      code: 2,
    });
    expect(await run('show', 'buyer', '--at', '2025-02-30')).toMatchObject({ code: 2 });
  });
});

describe('tradeline statement print', () => {
  it('writes the bytes that the API answers, for their owner', async () => {
    const out = join(folder, 'statement.pdf');
    expect((await run('print', 'buyer', ...PERIOD, '--out', out)).stdout).toBe(
      `Wrote the statement of buyer to ${out}.\n`,
    );
    const { baseUrl, apiKey } = world();
    world().clock.set(UNTIL);
    const query = `from=${Date.UTC(2025, 10, 1) / 1_000}&at=${UNTIL}`;
    const reply = await fetch(`${baseUrl}/v1/buyers/buyer/statement/document?${query}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    world().clock.set(NOW);
    expect(readFileSync(out).equals(Buffer.from(await reply.arrayBuffer()))).toBe(true);
    expect(statSync(out).mode & 0o777).toBe(0o600);
  });

  it('refuses a file that exists or cannot be written, and none', async () => {
    const out = join(folder, 'statement.pdf');
    expect(await run('print', 'buyer', '--out', out)).toMatchObject({
      code: 1,
      stderr: `${out} already exists: name a new file.\n`,
    });
    const nowhere = join(folder, 'no', 'statement.pdf');
    expect(await run('print', 'buyer', '--out', nowhere)).toMatchObject({ code: 1 });
    expect(await run('print', 'buyer')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--out FILE'),
    });
  });
});
