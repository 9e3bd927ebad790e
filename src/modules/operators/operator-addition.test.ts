import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { operatorKeyHash, randomApiKey } from '#kernel/api-key';
import type { PlatformRow } from '#modules/platforms';
import { actAs } from '#test/operators';
import { createWorld, type World } from '#test/world';
import { approveChange, requestChange } from './approval.commands.ts';
import { auditKeyOf, verifyAudit } from './audit.ts';
import { disableOperator } from './operator.commands.ts';
import { listOperators } from './operator.queries.ts';
import { addFirstOperator, operatorAddition, operatorAdditionOf } from './operator-addition.ts';

let world: World;
let platform: PlatformRow;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  platform = (await world.addPlatform()).platform;
});

const additionOf = (operatorId: string, role = 'ADMIN', email = `${operatorId}@new.example`) =>
  operatorAdditionOf(
    world.installation.vault,
    platform,
    { operatorId, role, email, keyHash: operatorKeyHash(randomApiKey('sandbox')) },
    'sandbox',
  );

const addFirst = (operatorId: string, role = 'ADMIN') =>
  inTransaction(world.installation.db, (db) =>
    addFirstOperator(
      { db, platformId: platform.platform_id, now: world.clock.now() },
      auditKeyOf(world.installation.vault, platform),
      additionOf(operatorId, role),
      'To begin with.',
    ),
  );

/** Returns the id of the approval; null if the operator was added. */
const add = async (by: string, addition: ReturnType<typeof additionOf>) => {
  const change = await actAs(
    world,
    by,
    (context) => requestChange(context, operatorAddition, addition, 'New here.'),
    { role: 'ADMIN', platform },
  );
  return change.approvalId;
};
const approve = (by: string, approvalId: string | null) =>
  actAs(
    world,
    by,
    (context) =>
      approveChange(context, [operatorAddition], { approvalId: approvalId ?? '', reason: 'Met them.' }),
    { platform },
  );
const disable = (by: string, operatorId: string) =>
  actAs(world, by, (context) => disableOperator(context, operatorId), { role: 'ADMIN', platform });

const operators = async () =>
  (await listOperators(world.installation.db, platform.platform_id)).map((each) => each.operator_id);

describe('the first operator', () => {
  it('is an ADMIN, is added once, and is in the log', async () => {
    await expect(addFirst('ada', 'CREDIT')).rejects.toThrow('must have the role ADMIN');
    const added = await Promise.all([addFirst('ada'), addFirst('ben')]);
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await addFirst('cleo')).toBe(false);
    expect(await operators()).toHaveLength(1);
    const { db, vault } = world.installation;
    const { end, fault } = await verifyAudit(db, platform.platform_id, auditKeyOf(vault, platform));
    expect({ position: end.position, fault }).toEqual({ position: 1, fault: null });
  });
});

describe('the second operator', () => {
  it('is added by the first one', async () => {
    expect(await add('ada', additionOf('ben', 'CREDIT'))).toBeNull();
    const rows = await listOperators(world.installation.db, platform.platform_id);
    expect(rows.find((row) => row.operator_id === 'ben')).toMatchObject({
      ...{ role: 'CREDIT', created_by: 'operator:ada', approved_by: null },
    });
  });

  it('can be preceded by operators who decide nothing', async () => {
    expect(await add('ada', additionOf('view', 'VIEW'))).toBeNull();
    expect(await add('ada', additionOf('ben', 'FINANCE'))).toBeNull();
    expect(await add('ada', additionOf('view-2', 'VIEW'))).not.toBeNull();
  });
});

describe('a further operator', () => {
  it('takes two', async () => {
    await add('ada', additionOf('ben', 'CREDIT'));
    const approvalId = await add('ada', additionOf('cleo', 'CREDIT'));
    expect(await operators()).toEqual(['ada', 'ben']);
    await expect(approve('ada', approvalId)).rejects.toThrow('cannot approve it');
    await approve('ben', approvalId);
    const rows = await listOperators(world.installation.db, platform.platform_id);
    expect(rows.find((row) => row.operator_id === 'cleo')).toMatchObject({
      ...{ created_by: 'operator:ada', approved_by: 'operator:ben' },
    });
  });

  it('takes two also when one of them was disabled, so that nobody invents a second person', async () => {
    await add('ada', additionOf('ben', 'CREDIT'));
    await disable('ada', 'ben');
    const approvalId = await add('ada', additionOf('ben-2', 'CREDIT'));
    expect(approvalId).not.toBeNull();
    await expect(approve('ada', approvalId)).rejects.toThrow('cannot approve it');
    expect(await operators()).toEqual(['ada', 'ben']);
  });

  it('is not added by a proposal of an operator who was disabled since', async () => {
    await add('ada', additionOf('ben', 'ADMIN'));
    const approvalId = await add('ada', additionOf('cleo', 'CREDIT'));
    await disable('ben', 'ada');
    await expect(approve('ben', approvalId)).rejects.toThrow(
      'operator:ada, who proposed the change, is not an active operator with the role ADMIN: reject the change.',
    );
  });
});

describe('one person', () => {
  it.each(['BEN@new.example', 'ben+credit@new.example', 'ben@NEW.example'])(
    'is one operator: %s is refused beside ben@new.example',
    async (email) => {
      await add('ada', additionOf('ben', 'CREDIT'));
      await expect(add('ada', additionOf('other', 'CREDIT', email))).rejects.toThrow(
        'The e-mail address belongs to the operator ben: a person can be only one operator.',
      );
    },
  );

  it('is refused by the approval too, if both were proposed before one was added', async () => {
    await add('ada', additionOf('ben', 'CREDIT'));
    const first = await add('ada', additionOf('cleo', 'CREDIT', 'c@new.example'));
    const second = await add('ada', additionOf('cleo-2', 'CREDIT', 'C+2@new.example'));
    await approve('ben', first);
    await expect(approve('ben', second)).rejects.toThrow('belongs to the operator cleo');
  });

  it('can come back under another id, and on another platform', async () => {
    await add('ada', additionOf('ben', 'CREDIT'));
    await disable('ada', 'ben');
    expect(await add('ada', additionOf('ben-2', 'CREDIT', 'ben@new.example'))).not.toBeNull();
    await expect(add('ada', additionOf('ben', 'CREDIT'))).rejects.toThrow('an id cannot be used twice');
  });
});

describe('a key', () => {
  it('is the one of one person', async () => {
    const ben = additionOf('ben', 'CREDIT');
    await add('ada', ben);
    const other = additionOf('other', 'CREDIT');
    const sentence = 'The key belongs to the operator ben: each person needs a separate key.';
    await expect(add('ada', { ...other, keyHash: ben.keyHash })).rejects.toThrow(sentence);
    const [, secret] = ben.keyHash.split(':');
    const [id] = other.keyHash.split(':');
    await expect(add('ada', { ...other, keyHash: `${id}:${secret}` })).rejects.toThrow(sentence);
  });

  it.each(['', 'tl_op_test_1', operatorKeyHash(randomApiKey('production'))])(
    'is refused if its hash is not one of this environment: %j',
    (keyHash) => {
      const { vault } = world.installation;
      const person = { operatorId: 'dan', role: 'VIEW', email: 'dan@new.example', keyHash };
      expect(() => operatorAdditionOf(vault, platform, person, 'sandbox')).toThrow(
        '--key-hash must be the hash of a sandbox key',
      );
    },
  );
});

describe('what is refused', () => {
  it.each([
    [['Ada Lovelace'], 'The id of an operator has lower-case letters'],
    [['ada', 'BOSS'], '--role must be one of VIEW, CREDIT, FINANCE, ADMIN.'],
    [['ada', 'ADMIN', 'nobody'], '--email must be an e-mail address.'],
  ] as [[string, string?, string?], string][])('%j', (person, sentence) => {
    expect(() => additionOf(...person)).toThrow(sentence);
  });

  it('disabling an unknown operator, one twice, or the last active ADMIN', async () => {
    await add('ada', additionOf('ben', 'CREDIT'));
    await expect(disable('ada', 'nobody')).rejects.toThrow('There is no operator nobody');
    await expect(disable('ada', 'ada')).rejects.toThrow('ada is the last active ADMIN');
    await disable('ada', 'ben');
    await expect(disable('ada', 'ben')).rejects.toThrow('is already disabled');
  });
});
