/** `tradeline dunning letters|print`: reminders that an operator prints. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere, settingsOf } from '#test/command';
import { useDunning } from '#test/dunning';
import { INVOICING_NOW } from '#test/invoice-setup';
import { ensureOperator } from '#test/operators';

const { debtor, invoice, setPlan, show, until, world } = useDunning();
let folder: string;
let settings: Record<string, string>;
const keys: Record<string, string> = {};
const buyers: string[] = [];
const invoices: string[] = [];

beforeAll(async () => {
  await setPlan({ least_gap_days: 5, steps: [{ days: 5, kind: 'REMINDER', channel: 'LETTER' }] });
  world().clock.set(INVOICING_NOW);
  for (let nth = 0; nth < 3; nth++) {
    buyers.push(await debtor());
    invoices.push(await invoice(buyers[nth] as string));
  }
  await until('2025-12-16');
  settings = await settingsOf(world());
  for (const [id, role] of [
    ['fin', 'FINANCE'],
    ['vera', 'VIEW'],
  ] as const)
    keys[id] = await ensureOperator(world(), id, { role });
  folder = mkdtempSync(join(tmpdir(), 'letters-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (as: string, ...args: string[]) =>
  runHere(['dunning', ...args], { ...settings, TRADELINE_OPERATOR_KEY: keys[as] as string });
const listed = async (...more: string[]) =>
  JSON.parse((await run('vera', 'letters', ...more, '--json')).stdout);
const pathOf = (name: string) => join(folder, name);

describe('letters', () => {
  it('that wait are listed, the longest waiting first', async () => {
    expect(await listed()).toEqual(
      buyers.toSorted().map((buyer) => ({
        ...{ buyer, creditor: 'merchant', invoices: 1, oldest_due_on: '2025-12-10' },
        waits_since: expect.any(Number),
      })),
    );
    expect((await run('vera', 'letters')).stdout).toMatch(/debtor-\d+ +merchant +1 +2025-12-10/);
    expect(await listed('--buyer', 'nobody')).toEqual([]);
  });

  it('are not printed into a folder that there is not, nor by who may only look', async () => {
    expect(await run('fin', 'print', '--out', pathOf('nowhere'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nowhere is not a folder.'),
    });
    expect((await run('vera', 'print', '--out', folder)).code).not.toBe(0);
    expect((await run('fin', 'print')).stderr).toContain('--out FOLDER');
    expect(await listed()).toHaveLength(3);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of one buyer are printed alone, once, and again with the same bytes', async () => {
    const [buyer = ''] = buyers;
    const { stdout, code } = await run('fin', 'print', '--buyer', buyer, '--out', folder);
    expect(code, stdout).toBe(0);
    const [name = '', ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    expect(stdout).toContain(name);
    expect(readFileSync(pathOf(name)).subarray(0, 5).toString()).toBe('%PDF-');
    const [letter] = await listed('--printed', '--buyer', buyer);
    expect(letter).toMatchObject({ buyer, creditor: 'merchant', kind: 'REMINDER', by: 'operator:fin' });
    expect((await show(invoices[0] as string)).dunning).toMatchObject({ status: 'RUNNING', step: 1 });

    expect((await run('fin', 'print', '--buyer', buyer, '--out', folder)).stdout).toContain(
      'No letter is waiting',
    );
    expect(await run('vera', 'print', letter.letter, '--out', folder)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exists: name a new file'),
    });
    const first = readFileSync(pathOf(name));
    rmSync(pathOf(name));
    expect((await run('vera', 'print', letter.letter, '--out', folder)).stdout).toContain(name);
    expect(readFileSync(pathOf(name))).toEqual(first);
    expect((await run('vera', 'print', 'no-letter', '--out', folder)).stderr).toContain(
      'There is no printed letter no-letter.',
    );
  });

  it('are all printed at once, each recorded in the audit log with who printed it', async () => {
    const { stdout } = await run('fin', 'print', '--out', folder, '--json');
    const printed = JSON.parse(stdout);
    expect(printed.map(({ buyer }: { buyer: string }) => buyer).sort()).toEqual(buyers.slice(1).sort());
    for (const { letter, file, fault } of printed) {
      expect([fault, file]).toEqual([null, expect.stringContaining(letter)]);
      expect(readFileSync(file).length).toBeGreaterThan(1_000);
    }
    expect(readdirSync(folder)).toHaveLength(3);
    expect(await listed()).toEqual([]);
    const audit = await world().sql<{ subject: string }>(
      `select subject from audit_entries where action = 'LETTER_PRINTED' order by subject`,
    );
    expect(audit.map(({ subject }) => subject)).toEqual(buyers.toSorted().map((buyer) => `buyer ${buyer}`));
  });

  it('whose file cannot be written count as printed, and say how to print them again', async () => {
    world().clock.set(INVOICING_NOW);
    const buyer = await debtor();
    await invoice(buyer);
    await until('2025-12-17');
    // The name of the file is not known before the letter exists, so the test names a folder in which no user may write.
    const file = pathOf('file');
    writeFileSync(file, '');
    expect((await run('fin', 'print', '--out', file)).stderr).toContain('is not a folder');
    expect(await listed()).toHaveLength(1);
    const { code, stderr } = await run('fin', 'print', '--out', '/proc');
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be written')]);
    const again = /print it again with tradeline dunning print (\S+) --out FOLDER/.exec(stderr)?.[1] ?? '';
    expect(await listed()).toEqual([]);
    expect((await run('fin', 'print', again, '--out', folder)).stdout).toContain('The letter is in');
  });
});
