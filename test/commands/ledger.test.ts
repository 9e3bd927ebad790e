/** `tradeline ledger`: the books for finance and auditors. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credit, debit } from '#modules/ledger';
import { runHere, secondOperator, settingsOf } from '#test/command';
import { paymentPosting, postOn } from '#test/ledger';
import { createWorld, type World } from '#test/world';

/** 2025-11-20T12:00:00Z */
const NOW = 1_763_640_000;
const DAY = 86_400;
/** A payment of an invoice that is not financed: the receivable belongs to the merchant and is not in these books. */
const COLLECTED = [debit('bank', 11_900, 'main'), credit('merchant_payable', 11_900, 'roastery')];

let world: World;
let env: Record<string, string>;
let ids: string[];
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  ids = await postOn(
    world,
    world.platform.platform_id,
    paymentPosting({ effectiveAt: NOW - 60 * DAY, lines: COLLECTED }),
    paymentPosting({ effectiveAt: NOW, documents: { paymentId: 'say "hi", twice' }, lines: COLLECTED }),
    paymentPosting({
      effectiveAt: NOW,
      currency: 'JPY',
      lines: [debit('loss', 1_234), credit('recovery', 1_234)],
    }),
  );
  const first = await settingsOf(world);
  const added = await runHere(
    [
      'operator',
      'add',
      'ada',
      '--email',
      'ada@operators.example',
      '--role',
      'ADMIN',
      '--reason',
      'First.',
      '--json',
    ],
    first,
  );
  env = { ...first, TRADELINE_OPERATOR_KEY: JSON.parse(added.stdout).operator_key };
});
afterAll(() => world.close());

const ledger = async (...args: string[]) => {
  const { code, stdout, stderr } = await runHere(['ledger', ...args], env);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};
const refused = async (...args: string[]) => {
  const { code, stderr } = await runHere(['ledger', ...args], env);
  return [code, stderr.trim()];
};

describe('tradeline ledger trial-balance', () => {
  it('prints a table for each currency, in money, with equal sums', async () => {
    expect(await ledger('trial-balance')).toBe(
      [
        'EUR                debit  credit',
        'bank main         238.00',
        'merchant_payable          238.00',
        'total             238.00  238.00',
        '',
        'JPY       debit  credit',
        'loss      1,234',
        'recovery          1,234',
        'total     1,234   1,234',
        '\n',
      ].join('\n'),
    );
  });

  it.each([
    [['--currency', 'JPY'], /^JPY/],
    [['--at', '2025-11-19'], /total +119\.00 +119\.00\n\n$/],
    [['--at', '2025-11-20T11:59:59Z'], /total +119\.00/],
    [['--at', '2025-11-20T12:00:00Z', '--currency', 'EUR'], /total +238\.00/],
    [['--known-at', '2020-01-01'], /^The ledger has no such entries\.\n$/],
  ])('prints it as of %j', async (args, expected) => {
    expect(await ledger('trial-balance', ...args)).toMatch(expected);
  });

  it('prints the answer of the API with --json', async () => {
    const { items, totals } = JSON.parse(await ledger('trial-balance', '--json'));
    expect(items[0]).toEqual({ account: 'bank', party: 'main', currency: 'EUR', debit: 23_800, credit: 0 });
    expect(totals).toHaveLength(2);
  });

  it.each([
    ['--at', 'yesterday'],
    ['--at', '2025-02-30'],
    ['--at', '2025-11-20T24:00:00Z'],
    ['--known-at', '2025-11-20T12:00:00+01:00'],
    ['--known-at', '0000-01-01'],
    ['--currency', 'DM'],
  ])('refuses %s %s', async (option, value) => {
    expect(await refused('trial-balance', option, value)).toEqual([
      2,
      expect.stringContaining(`${option} must be`),
    ]);
  });
});

describe('a day', () => {
  it('is one of the time zone of the platform', async () => {
    await world.sql("update platforms set time_zone = 'Asia/Tokyo'");
    // There, the payment of noon in UTC is in the evening, and so is one 60 days earlier.
    expect(await ledger('trial-balance', '--currency', 'EUR', '--at', '2025-09-21')).toMatch(
      /total +119\.00/,
    );
    await world.sql("update platforms set time_zone = 'Pacific/Kiritimati'");
    expect(await ledger('trial-balance', '--at', '2025-09-21')).toBe('The ledger has no such entries.\n');
    await world.sql("update platforms set time_zone = 'UTC'");
  });
});

describe('tradeline ledger statement', () => {
  it('lists the lines of an account with the running balance', async () => {
    const shown = await ledger('statement', '--account', 'bank', '--party', 'main', '--currency', 'EUR');
    expect(shown).toMatch(/^Balance before: 0\.00 EUR\n\neffective/);
    expect(shown).toMatch(/payment-1 +119\.00 +119\.00\n/);
    expect(shown).toMatch(/say "hi", twice +119\.00 +238\.00\n$/);
  });

  it('is of the platform’s currency by default, begins where it is asked to, and goes on after a page', async () => {
    const bank = ['statement', '--account', 'bank', '--party', 'main'];
    expect(await ledger(...bank, '--from', '2025-11-01')).toMatch(/^Balance before: 119\.00 EUR/);
    const [, after = ''] = /--after (\S+)/.exec(await ledger(...bank, '--limit', '1')) ?? [];
    expect(await ledger(...bank, '--after', after)).toMatch(/^Balance before: 119\.00 EUR[\s\S]+238\.00\n$/);
  });

  it('says what it misses', async () => {
    expect(await refused('statement')).toEqual([2, expect.stringContaining('--account is required')]);
    expect(await refused('statement', '--account', 'bank')).toEqual([
      2,
      expect.stringContaining('is required: a bank account'),
    ]);
    for (const wrong of [
      ['--account', 'cash'],
      ['--party', 'a b'],
      ['--after', '1'],
      ['--limit', '0'],
      ['--from', 'x'],
    ])
      expect(await refused('statement', '--account', 'bank', '--party', 'main', ...wrong)).toEqual([
        2,
        expect.stringContaining(`${wrong[0]} must be`),
      ]);
  });
});

describe('tradeline ledger entry', () => {
  it('shows an entry with its lines', async () => {
    const shown = await ledger('entry', ids[0] ?? '');
    expect(shown).toMatch(/cause +PAYMENT_RECORDED\n/);
    expect(shown).toMatch(/effective_at +2025-09-21T12:00:00Z\n/);
    expect(shown).toMatch(/bank main +119\.00\n/);
  });

  it('refuses an unknown one, and none', async () => {
    expect(await refused('entry', 'nothing')).toEqual([1, 'There is no entry nothing on platform-1.']);
    expect((await refused('entry'))[0]).toBe(2);
  });
});

describe('tradeline ledger export', () => {
  it('prints a row for each line, as RFC 4180 has it', async () => {
    const csv = await ledger('export');
    const rows = csv.split('\r\n');
    expect(rows).toHaveLength(8);
    expect(rows[0]).toBe(
      'number,entry_id,cause,effective_at,belongs_to_at,recorded_at,actor,approved_by,order_external_id,invoice_external_id,' +
        'payment_id,credit_note_external_id,service_external_id,payout_external_id,reverses_entry_id,hash,line,account,party,currency,debit,credit',
    );
    expect(rows[1]).toMatch(
      new RegExp(`^,${ids[0]},PAYMENT_RECORDED,2025-09-21T12:00:00Z,,.+,1,bank,main,EUR,119\\.00,$`),
    );
    expect(rows[4]).toContain(',"say ""hi"", twice",');
    expect(rows[6]).toMatch(/,2,recovery,,JPY,,1234$/);
    expect(rows[7]).toBe('');
  });

  it('prints a line of JSON for each entry, of one currency, as of an instant', async () => {
    const lines = (await ledger('export', '--json', '--currency', 'EUR', '--at', '2025-11-19'))
      .trim()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line).entry_id)).toEqual([ids[0]]);
  });

  it('prints only the names of the columns where there is nothing', async () => {
    expect((await ledger('export', '--known-at', '2020-01-01')).split('\r\n')).toHaveLength(2);
  });
});

describe('tradeline ledger close', () => {
  it('closes the books until a day once a second operator approves it', async () => {
    const second = await secondOperator(env);
    expect(await ledger('close', '--until', '2025-10-31', '--reason', 'Month end.')).toMatch(
      /^Approval \S+ waits/,
    );
    const [waiting] = JSON.parse((await runHere(['approval', 'list', '--json'], env)).stdout);
    const approve = ['approval', 'approve', waiting.approval_id, '--reason', 'Seen.'];
    expect(await runHere(approve, second)).toMatchObject({ code: 0 });
    const [late = ''] = await postOn(
      world,
      world.platform.platform_id,
      paymentPosting({ effectiveAt: NOW - 30 * DAY, lines: COLLECTED }),
    );
    const shown = await ledger('entry', late);
    expect(shown).toMatch(/effective_at +2025-11-01T00:00:00Z\n/);
    expect(shown).toMatch(/belongs_to_at +2025-10-21T12:00:00Z\n/);
    expect(await refused('close', '--until', '2025-10-31', '--reason', 'Again.')).toEqual([
      1,
      'The books are already closed until 2025-10-31.',
    ]);
  });

  it.each([
    [['--reason', 'Why'], '--until is required'],
    [['--until', '2025-13-01', '--reason', 'Why'], '--until must be a day'],
    [['--until', '2025-10-31'], '--reason is required'],
  ])('refuses %j', async (args, message) => {
    expect(await refused('close', ...args)).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('tradeline ledger verify', () => {
  it('says that every equation holds', async () => {
    const shown = await ledger('verify');
    expect(shown).toMatch(/E1 +yes +The lines of every entry sum to zero\.\n/);
    expect(shown).toMatch(/E7 +yes/);
    expect(JSON.parse(await ledger('verify', '--json'))).toContainEqual({
      ...{ code: 'E1', sentence: 'The lines of every entry sum to zero.', differences: [] },
    });
  });

  it('exits 1 with each difference', async () => {
    await world.sql(`begin; alter table ledger_lines disable trigger user;
      update ledger_lines set amount = amount + 1 where line = 1 and entry_id = '${ids[0]}';
      alter table ledger_lines enable trigger user; commit`);
    const { code, stdout, stderr } = await runHere(['ledger', 'verify'], env);
    expect(code).toBe(1);
    expect(stdout).toMatch(/E1 +no /);
    expect(stderr).toBe(
      `The books of platform-1 do not balance.\nE1: Entry ${ids[0]} has 2 of 2 lines, which sum to 1.\n`,
    );
  });
});
