import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { formatOperatorKey, parseOperatorKey, randomApiKey } from '#kernel/api-key';
import { untilAnyWaits } from '#test/lock-waits';
import { actAs, ensureOperator } from '#test/operators';
import { createWorld, type World } from '#test/world';
import { admitOperator } from './admit-operator.ts';
import { disableOperator, replaceOwnKey } from './operator.commands.ts';
import type { Role } from './operator.rules.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const parsed = (text: string) => {
  const key = parseOperatorKey(text);
  if (!key) throw new Error(`${text} is no operator key.`);
  return key;
};
const act = (key: string, role: Role = 'CREDIT', platform = world.platform) =>
  inTransaction(world.installation.db, (db) => admitOperator(db, platform, parsed(key), role));

describe('an operator key', () => {
  it('is of the operator who has it, and opens what the role allows', async () => {
    const key = await ensureOperator(world, 'cleo', { role: 'CREDIT' });
    expect(await act(key)).toMatchObject({ operator_id: 'cleo', role: 'CREDIT' });
    await expect(act(key, 'FINANCE')).rejects.toThrow(
      'The operator cleo has the role CREDIT, but this requires FINANCE.',
    );
  });

  it('is none of another platform, with another secret, or of nobody', async () => {
    const key = await ensureOperator(world, 'dan');
    const { platform: other } = await world.addPlatform({ code: 'elsewhere' });
    const guess = formatOperatorKey({ ...randomApiKey('sandbox'), keyId: parsed(key).keyId });
    const sentence = 'it was replaced, or it belongs to another platform.';
    await expect(act(key, 'VIEW', other)).rejects.toThrow(
      `The operator key is not valid for elsewhere: ${sentence}`,
    );
    for (const none of [guess, formatOperatorKey(randomApiKey('sandbox'))])
      await expect(act(none)).rejects.toThrow(
        `The operator key is not valid for ${world.platform.code}: ${sentence}`,
      );
  });

  it('works no more once it is replaced or the operator is disabled', async () => {
    const first = await ensureOperator(world, 'eve');
    const second = randomApiKey('sandbox');
    await actAs(world, 'eve', (context) => replaceOwnKey(context, second));
    await expect(act(first)).rejects.toThrow('it was replaced');
    expect(await act(formatOperatorKey(second))).toMatchObject({ operator_id: 'eve' });
    await actAs(world, 'boss', (context) => disableOperator(context, 'eve'), { role: 'ADMIN' });
    await expect(act(formatOperatorKey(second))).rejects.toThrow(/^The operator eve of .+ is disabled\.$/);
  });

  it('is kept as a hash, and the address encrypted', async () => {
    const key = await ensureOperator(world, 'fay');
    const [row] = await world.sql<{ whole: string; hash: Buffer }>(
      "select o::text as whole, secret_sha256 as hash from operators o where operator_id = 'fay'",
    );
    expect(row?.hash).toHaveLength(32);
    for (const clear of [parsed(key).secret, 'fay@operators.example'])
      for (const text of [clear, Buffer.from(clear).toString('hex')]) expect(row?.whole).not.toContain(text);
  });
});

describe('an operator who is disabled during a command', () => {
  it('changes nothing any more: the command waits for the other one and is refused', async () => {
    const key = await ensureOperator(world, 'gus');
    let refusal: Promise<unknown> = Promise.resolve();
    await actAs(
      world,
      'boss',
      async (context) => {
        await disableOperator(context, 'gus');
        // The other transaction has begun before this one commits.
        refusal = act(key).then(
          () => 'made',
          (error: Error) => error.message,
        );
        await untilAnyWaits(world);
      },
      { role: 'ADMIN' },
    );
    expect(await refusal).toMatch(/^The operator gus of .+ is disabled\.$/);
  });

  it('is disabled only after a change that began before', async () => {
    const key = await ensureOperator(world, 'hal');
    const order: string[] = [];
    let disabling: Promise<unknown> = Promise.resolve();
    await inTransaction(world.installation.db, async (db) => {
      await admitOperator(db, world.platform, parsed(key), 'CREDIT');
      disabling = actAs(world, 'boss', (context) => disableOperator(context, 'hal'), { role: 'ADMIN' }).then(
        () => order.push('disabled'),
      );
      await untilAnyWaits(world);
      order.push('changed');
    });
    await disabling;
    expect(order).toEqual(['changed', 'disabled']);
  });
});
