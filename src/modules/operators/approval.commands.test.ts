import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StartRefused } from '#kernel/start-refused';
import { actAs, ensureOperator } from '#test/operators';
import { createWorld, type World } from '#test/world';
import { approveChange, rejectChange, requestChange } from './approval.commands.ts';
import { findApproval, listApprovals } from './approval.queries.ts';
import type { ChangeKind } from './change-kind.ts';
import { disableOperator } from './operator.commands.ts';
import { mayAct } from './operator.rules.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await ensureOperator(world, 'boss', { role: 'ADMIN' });
});
afterAll(() => world.close());

/** A number whose increase takes two operators; it is stored in the name of the platform. */
interface Raise {
  to: number;
}

const kind: ChangeKind<Raise> = {
  name: 'NUMBER',
  role: 'CREDIT',
  mayApprove: (role) => mayAct(role, 'CREDIT'),
  async plan({ db, platformId }, { to }) {
    const stored = await db
      .selectFrom('platforms')
      .select('name')
      .where('platform_id', '=', platformId)
      .executeTakeFirstOrThrow();
    if (to > 100) throw new StartRefused('At most 100.');
    const from = Number(stored.name);
    return {
      subject: 'number',
      before: { number: from },
      after: { number: to },
      takesTwo: to > from,
      async apply({ actor, approvedBy, reason }) {
        made.push([actor, approvedBy, reason]);
        await db
          .updateTable('platforms')
          .set({ name: `${to}` })
          .where('platform_id', '=', platformId)
          .execute();
      },
    };
  },
};
const made: unknown[] = [];

const request = (by: string, to: number) =>
  actAs(world, by, (context) => requestChange(context, kind, { to }, 'It is time.'));
const propose = async (by: string, to: number) => {
  const { approvalId } = await request(by, to);
  if (approvalId === null) throw new Error('The change was made at once.');
  return approvalId;
};
const decide = (by: string, approvalId: string, command: typeof approveChange | typeof rejectChange) =>
  actAs(world, by, (context) => command(context, [kind], { approvalId, reason: 'Seen.' }));
const number = async () => Number((await world.sql<{ name: string }>('select name from platforms'))[0]?.name);
const setNumber = (to: number) => world.sql(`update platforms set name = '${to}'`);
const statusOf = async (approvalId: string) =>
  (await findApproval(world.installation.db, world.platform.platform_id, approvalId))?.status;

describe('a change', () => {
  it('that lowers is made by one operator', async () => {
    await setNumber(10);
    const { approvalId, audit } = await request('ada', 5);
    expect(approvalId).toBeNull();
    expect(audit).toEqual({
      ...{ action: 'NUMBER_CHANGED', subject: 'number', reason: 'It is time.' },
      details: { before: { number: 10 }, after: { number: 5 } },
    });
    expect(await number()).toBe(5);
    expect(made.at(-1)).toEqual(['operator:ada', null, 'It is time.']);
  });

  it('that raises waits until another operator approves it, and is made in the name of both', async () => {
    await setNumber(10);
    const approvalId = await propose('ada', 20);
    expect(await number()).toBe(10);
    await expect(decide('ada', approvalId, approveChange)).rejects.toThrow('cannot approve it');
    expect(await number()).toBe(10);
    await decide('ben', approvalId, approveChange);
    expect(await number()).toBe(20);
    expect(made.at(-1)).toEqual(['operator:ada', 'operator:ben', 'It is time.']);
    const { db } = world.installation;
    expect(await findApproval(db, world.platform.platform_id, approvalId)).toMatchObject({
      ...{ status: 'APPROVED', proposed_by: 'operator:ada', decided_by: 'operator:ben' },
      ...{ reason: 'It is time.', decision_reason: 'Seen.', before: { number: 10 }, after: { number: 20 } },
    });
  });

  it('is made once: of two who approve at once one is refused', async () => {
    await setNumber(10);
    const approvalId = await propose('ada', 20);
    const ends = await Promise.allSettled(
      ['ben', 'cleo'].map((operator) => decide(operator, approvalId, approveChange)),
    );
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(decide('dan', approvalId, approveChange)).rejects.toMatchObject({
      reason: 'INVALID_STATUS_TRANSITION',
    });
  });

  it('is refused if what it is based on has changed since, and stays proposed', async () => {
    await setNumber(10);
    const approvalId = await propose('ada', 20);
    await setNumber(15);
    await expect(decide('ben', approvalId, approveChange)).rejects.toThrow(
      'The number changed after operator:ada proposed the change: reject it and propose it again.',
    );
    expect([await number(), await statusOf(approvalId)]).toEqual([15, 'PROPOSED']);
    await setNumber(10);
    await decide('ben', approvalId, approveChange);
    expect(await number()).toBe(20);
  });

  it('is validated again', async () => {
    await setNumber(10);
    const approvalId = await propose('ada', 20);
    await world.sql(`update approvals set payload = '{"to": 200}' where approval_id = $1`, [approvalId]);
    await expect(decide('ben', approvalId, approveChange)).rejects.toThrow('At most 100.');
  });

  it('is not made for an operator who was disabled after proposing it', async () => {
    await setNumber(10);
    const approvalId = await propose('zoe', 20);
    await actAs(world, 'boss', (context) => disableOperator(context, 'zoe'));
    await expect(decide('ben', approvalId, approveChange)).rejects.toThrow(
      'operator:zoe, who proposed the change, is not an active operator with the role CREDIT: reject the change.',
    );
    expect(await number()).toBe(10);
    await decide('ben', approvalId, rejectChange);
    expect(await statusOf(approvalId)).toBe('REJECTED');
  });

  it('is rejected by another operator, and withdrawn by its own', async () => {
    await setNumber(10);
    const [first, second] = [await propose('ada', 20), await propose('ada', 30)];
    expect((await decide('ben', first, rejectChange)).audit.action).toBe('NUMBER_REJECTED');
    expect((await decide('ada', second, rejectChange)).audit.action).toBe('NUMBER_WITHDRAWN');
    expect([await statusOf(first), await statusOf(second)]).toEqual(['REJECTED', 'WITHDRAWN']);
    for (const approvalId of [first, second])
      await expect(decide('ben', approvalId, approveChange)).rejects.toMatchObject({
        reason: 'INVALID_STATUS_TRANSITION',
      });
    expect(await number()).toBe(10);
  });

  it('takes the role of its kind, to request it and to approve it', async () => {
    await setNumber(10);
    await ensureOperator(world, 'fay', { role: 'FINANCE' });
    await expect(request('fay', 5)).rejects.toThrow(
      'The operator fay has the role FINANCE, but this requires CREDIT.',
    );
    const approvalId = await propose('ada', 20);
    for (const command of [approveChange, rejectChange])
      await expect(decide('fay', approvalId, command)).rejects.toThrow('which may not approve this');
  });
});

describe('approvals', () => {
  it('are of one platform', async () => {
    await setNumber(10);
    const approvalId = await propose('ada', 20);
    const { platform: other } = await world.addPlatform();
    const elsewhere = actAs(
      world,
      'ben',
      (context) => approveChange(context, [kind], { approvalId, reason: 'Seen.' }),
      { platform: other },
    );
    await expect(elsewhere).rejects.toThrow(`There is no approval ${approvalId}`);
    const { db } = world.installation;
    expect(await listApprovals(db, other.platform_id, ['PROPOSED'], 10)).toEqual([]);
    await expect(decide('ben', randomUUID(), approveChange)).rejects.toThrow('There is no approval');
  });
});
