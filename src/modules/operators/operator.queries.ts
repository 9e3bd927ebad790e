import type { Db } from '#infra/database/database';
import { type NewRowOf, type RowOf, table, text } from '#infra/database/table';
import type { Role } from './operator.rules.ts';

export const operatorsTable = table('operators', {
  platform_id: 'int',
  operator_id: 'text',
  role: text<Role>(),
  key_id: 'text',
  secret_sha256: 'bytea',
  email_sealed: 'bytea',
  email_hash: 'bytea',
  created_at: 'bigint',
  created_by: 'text',
  approved_by: 'text',
  disabled_at: 'bigint',
  disabled_by: 'text',
});

export type OperatorRow = RowOf<typeof operatorsTable>;
export type NewOperator = NewRowOf<typeof operatorsTable>;

/** All operators, including disabled ones, in the order of their creation. */
export async function listOperators(db: Db, platformId: number): Promise<OperatorRow[]> {
  return db
    .selectFrom('operators')
    .selectAll()
    .where('platform_id', '=', platformId)
    .orderBy('created_at')
    .orderBy('operator_id')
    .$castTo<OperatorRow>()
    .execute();
}

/**
 * The operator with this id or this key id, locked against being disabled until the transaction ends. Undefined for an
 * unknown one.
 */
export async function lockOperator(
  db: Db,
  platformId: number,
  by: Pick<OperatorRow, 'operator_id'> | Pick<OperatorRow, 'key_id'>,
): Promise<OperatorRow | undefined> {
  const [[column, value]] = Object.entries(by) as [['operator_id' | 'key_id', string]];
  return db
    .selectFrom('operators')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where(column, '=', value)
    .forShare()
    .$castTo<OperatorRow>()
    .executeTakeFirst();
}

export async function insertOperator(db: Db, operator: NewOperator): Promise<void> {
  await db.insertInto('operators').values(operatorsTable.insertable(operator)).execute();
}

export type OperatorChanges = Partial<
  Pick<OperatorRow, 'key_id' | 'secret_sha256' | 'disabled_at' | 'disabled_by'>
>;

export async function updateOperator(
  db: Db,
  { platform_id: platformId, operator_id: operatorId }: Pick<OperatorRow, 'platform_id' | 'operator_id'>,
  changes: OperatorChanges,
): Promise<void> {
  await db
    .updateTable('operators')
    .set(operatorsTable.updateable(changes))
    .where('platform_id', '=', platformId)
    .where('operator_id', '=', operatorId)
    .execute();
}
