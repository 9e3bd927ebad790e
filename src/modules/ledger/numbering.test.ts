/** Numbers, the chain of hashes, and what a verification finds. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { sealOf } from '#kernel/hash-chain';
import type { PlatformRow } from '#modules/platforms';
import { paymentPosting, postOn } from '#test/ledger';
import { createWorld, type World } from '#test/world';
import { NOW_AND_ALL } from './as-of.rules.ts';
import { ledgerKeyOf } from './entry-chain.rules.ts';
import { checkEquations, ledgerEquations } from './equation.ts';
import { numberEntries } from './numbering.ts';
import { post } from './posting.queries.ts';

let world: World;
/** Each test has its own platform, so that what it tampers with does not affect the next. */
let platform: PlatformRow;
let platformId: number;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());
beforeEach(async () => {
  platform = (await world.addPlatform()).platform;
  platformId = platform.platform_id;
});

const number = () => numberEntries(world.installation.db, world.installation.vault);
const keyOf = ({ code }: PlatformRow) => ledgerKeyOf(world.installation.vault, code);
const numbers = () =>
  world.sql<{ number: string; entry_id: string }>(
    'select number, entry_id from ledger_numbers where platform_id = $1 order by number',
    [platformId],
  );
/** The differences by the code of the equation that has any. */
const differences = async (of = platform) => {
  const results = await checkEquations(
    world.installation.db,
    of.platform_id,
    ledgerEquations(keyOf(of)),
    NOW_AND_ALL,
  );
  return Object.fromEntries(
    results.filter((each) => each.differences.length > 0).map((each) => [each.code, each.differences]),
  );
};
const postSome = async (count: number) => {
  const ids = await postOn(world, platformId, ...Array.from({ length: count }, () => paymentPosting()));
  await number();
  return ids;
};

describe('numbers', () => {
  it('have no gaps, follow the order of posting, and are given once', async () => {
    const ids = [...(await postSome(3)), ...(await postSome(2))];
    await number();
    expect(await numbers()).toEqual(ids.map((entry_id, index) => ({ number: `${index + 1}`, entry_id })));
    expect(await differences()).toEqual({});
  });

  it('are given after the commit: an entry that commits later has a later number', async () => {
    await postSome(1);
    const isPosted = Promise.withResolvers<string>();
    const end = Promise.withResolvers<void>();
    const slow = inTransaction(world.installation.db, async (db) => {
      const [id = ''] = await post(db, platformId, [paymentPosting()]);
      isPosted.resolve(id);
      await end.promise;
    });
    const first = await isPosted.promise;
    const [second] = await postSome(1);
    end.resolve();
    await slow;
    await number();
    expect((await numbers()).map(({ entry_id: id }) => id)).toEqual([expect.any(String), second, first]);
    expect(await differences()).toEqual({});
  });

  it('go to no entry that was rolled back', async () => {
    await inTransaction(world.installation.db, async (db) => {
      await post(db, platformId, [paymentPosting()]);
      throw new Error('Never mind.');
    }).catch(() => {});
    await postSome(1);
    expect(await numbers()).toHaveLength(1);
  });

  it('are the same whoever gives them: 2 numberers beside 8 writers', async () => {
    let isOver = false;
    const numberers = Array.from({ length: 2 }, async () => {
      while (!isOver) await number();
    });
    const writers = Array.from({ length: 8 }, async () => {
      for (let nth = 0; nth < 5; nth++) await postOn(world, platformId, paymentPosting(), paymentPosting());
    });
    await Promise.all(writers).finally(() => {
      isOver = true;
    });
    await Promise.all(numberers);
    await number();
    expect((await numbers()).map((row) => Number(row.number))).toEqual(
      Array.from({ length: 80 }, (_, index) => index + 1),
    );
    expect(await differences()).toEqual({});
  });

  it('go beyond one batch', async () => {
    await postSome(1_201);
    expect(await numbers()).toHaveLength(1_201);
    expect(await differences()).toEqual({});
  });

  it('are counted per platform, and a chain is no chain of another platform', async () => {
    await postSome(2);
    const own = platform;
    const other = (await world.addPlatform()).platform;
    [platform, platformId] = [other, other.platform_id];
    await postSome(1);
    expect((await numbers()).map((row) => row.number)).toEqual(['1']);
    expect([await differences(own), await differences(other)]).toEqual([{}, {}]);
    const [head] = await world.sql<{ number: string; hash: Buffer; seal: Buffer }>(
      'select number, hash, seal from ledger_heads where platform_id = $1',
      [own.platform_id],
    );
    await world.sql('update ledger_heads set number = $2, hash = $3, seal = $4 where platform_id = $1', [
      other.platform_id,
      ...[head?.number, head?.hash, head?.seal],
    ]);
    expect(await differences(other)).toEqual({
      E7: ['The head of the chain was not written by the service.'],
    });
  });
});

describe('a verification of untouched books', () => {
  it('finds nothing, also without any entry, and with entries that wait for their number', async () => {
    expect(await differences()).toEqual({});
    await postOn(world, platformId, paymentPosting());
    expect(await differences()).toEqual({});
  });
});

describe('a verification finds what the owner of the schema', () => {
  /** Runs statements without any trigger and constraint. */
  const tamper = (...statements: string[]) =>
    world.sql(
      [
        'begin',
        'alter table ledger_lines disable trigger user',
        ...statements,
        'alter table ledger_lines enable trigger user',
        'commit',
      ].join(';'),
    );
  const E7 = (sentence: string) => expect.arrayContaining([expect.stringContaining(sentence)]);

  it.each<[string, (id: string) => string]>([
    ['the actor', (id) => `update ledger_entries set actor = 'nobody' where entry_id = '${id}'`],
    ['the cause', (id) => `update ledger_entries set cause = 'CORRECTED' where entry_id = '${id}'`],
    ['a document', (id) => `update ledger_entries set invoice_external_id = 'x' where entry_id = '${id}'`],
    ['the time', (id) => `update ledger_entries set effective_at = 5 where entry_id = '${id}'`],
    [
      'the recorded time, by a microsecond',
      (id) =>
        `update ledger_entries set recorded_at = (
          select recorded_at + interval '1 microsecond' from ledger_entries
          where platform_id = ${platformId} and entry_id = '${id}'
        ) where platform_id = ${platformId} and entry_id = '${id}'`,
    ],
    ['a party', (id) => `update ledger_lines set party = 'x' where line = 2 and entry_id = '${id}'`],
    ['an amount', (id) => `update ledger_lines set amount = amount * 2 where entry_id = '${id}'`],
  ])('changed: %s', async (_, statement) => {
    const [, id = ''] = await postSome(3);
    await tamper(statement(id));
    expect(await differences()).toMatchObject({ E7: ['Entry 2 was changed.'] });
  });

  it('changed in one line only: the entry does not sum to zero', async () => {
    const [id = ''] = await postSome(1);
    await tamper(`update ledger_lines set amount = 11901 where line = 1 and entry_id = '${id}'`);
    expect(await differences()).toMatchObject({
      E1: [`Entry ${id} has 2 of 2 lines, which sum to 1.`],
      TOTALS: ['The total of bank main in EUR is 11900, and its lines sum to 11901.'],
      E7: ['Entry 1 was changed.'],
    });
  });

  it('removed: a line, an entry with its number, or the last ones', async () => {
    const [first = '', second = '', third = ''] = await postSome(3);
    await tamper(`delete from ledger_lines where line = 2 and entry_id = '${first}'`);
    expect(await differences()).toMatchObject({
      E1: [`Entry ${first} has 1 of 2 lines, which sum to 11900.`],
    });
    const remove = (id: string) =>
      ['numbers', 'lines', 'entries'].map((table) => `delete from ledger_${table} where entry_id = '${id}'`);
    await tamper(...remove(first), ...remove(second));
    expect(await differences()).toMatchObject({ E7: ['Entries 1 to 2 are missing.'] });
    await tamper(...remove(third));
    expect(await differences()).toMatchObject({
      E7: ['The chain ends at entry 0, and entry 3 was its last.'],
    });
    await tamper(`delete from ledger_heads where platform_id = ${platformId}`);
    expect(await differences()).toMatchObject({ TOTALS: E7('and its lines sum to 0') });
  });

  it('added past the numbering', async () => {
    await postSome(1);
    const [id = ''] = await postOn(world, platformId, paymentPosting());
    await tamper(`delete from ledger_unnumbered where platform_id = ${platformId}`);
    expect(await differences()).toEqual({ E7: [`Entry ${id} has no number and does not wait for one.`] });
  });

  it('changed in the totals', async () => {
    await postSome(1);
    await tamper(
      `update ledger_totals set amount = amount + 1 where account = 'bank' and platform_id = ${platformId}`,
    );
    expect(await differences()).toEqual({
      TOTALS: ['The total of bank main in EUR is 11901, and its lines sum to 11900.'],
    });
  });

  it('computed again without the key that seals the head', async () => {
    await postSome(1);
    const [head] = await world.sql<{ hash: Buffer }>('select hash from ledger_heads where platform_id = $1', [
      platformId,
    ]);
    const end = { position: 1, hash: head?.hash ?? Buffer.alloc(32) };
    await world.sql('update ledger_heads set seal = $1 where platform_id = $2', [
      sealOf(Buffer.alloc(32), platformId, end),
      platformId,
    ]);
    expect(await differences()).toEqual({ E7: ['The head of the chain was not written by the service.'] });
  });
});

describe('the service', () => {
  it('can neither change nor remove a number', async () => {
    await postSome(1);
    const { db } = world.installation;
    for (const attempt of [
      () => db.updateTable('ledger_numbers').set({ number: 7 }).execute(),
      () => db.deleteFrom('ledger_numbers').execute(),
      () => db.deleteFrom('ledger_heads').execute(),
      () => db.deleteFrom('ledger_totals').execute(),
    ])
      await expect(attempt()).rejects.toThrow('permission denied');
  });
});
