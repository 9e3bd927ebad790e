/** `tradeline operator add|list|disable|rotate-key` */
import { parseArgs } from 'node:util';
import { inTransaction } from '#infra/database/transaction';
import { formatOperatorKey, randomApiKey } from '#kernel/api-key';
import { StartRefused } from '#kernel/start-refused';
import {
  addFirstOperator,
  auditKeyOf,
  disableOperator,
  listOperators,
  type OperatorAddition,
  operatorAddition,
  operatorAdditionOf,
  replaceOwnKey,
} from '#modules/operators';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { nowOn, type OnPlatform, onPlatform } from './installation.ts';
import { reasonText, required } from './options.ts';
import { requestAndPrint } from './request-change.ts';
import { instant, printTable } from './table.ts';

export const operatorCommand = commandOf('operator', { add, list, disable, 'rotate-key': rotateKey });

const text = { type: 'string' } as const;

async function add(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { platform: text, email: text, role: text, reason: text },
  });
  const operatorId = idOf(positionals, 'add');
  const email = required(values.email, '--email', (word) => word !== '', "the person's e-mail address");
  const role = required(values.role, '--role', (word) => word !== '', 'VIEW, CREDIT, FINANCE or ADMIN');
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const { settings, vault, platform } = on;
    const key = randomApiKey(settings.environment);
    const addition = operatorAdditionOf(vault, platform, { operatorId, email, role, key });
    const shown = `shown only now:\n\n  ${formatOperatorKey(key)}\n`;
    if (settings.operatorKey === null && (await addFirst(on, addition, reason)))
      return console.log(`The first operator of ${platform.code} is ${operatorId}, with the key ${shown}`);
    await requestAndPrint(on, {
      ...{ kind: operatorAddition, payload: addition, reason },
      made: `The operator ${operatorId} is added.`,
    });
    console.log(`\nThe initial key of ${operatorId}, to be replaced before anything else, ${shown}`);
  });
}

/** Returns false if the platform has operators. */
function addFirst(on: OnPlatform, addition: OperatorAddition, reason: string): Promise<boolean> {
  const { db, vault, platform } = on;
  return inTransaction(db, (transaction) => {
    const where = { db: transaction, platformId: platform.platform_id, now: nowOn(on) };
    return addFirstOperator(where, auditKeyOf(vault, platform), addition, reason);
  });
}

async function list(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { platform: text } });
  await onPlatform(values.platform, async ({ db, platform }) => {
    const at = (seconds: number | null) => (seconds === null ? '-' : instant(seconds));
    printTable(
      (await listOperators(db, platform.platform_id)).map((operator) => ({
        operator: operator.operator_id,
        role: operator.role,
        key: operator.is_key_initial ? 'initial' : 'own',
        added: at(operator.created_at),
        by: operator.created_by,
        approved_by: operator.approved_by ?? '-',
        disabled: at(operator.disabled_at),
        disabled_by: operator.disabled_by ?? '-',
      })),
      'The platform has no operator: add the first one with `tradeline operator add`.',
    );
  });
}

async function disable(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { platform: text, reason: text },
  });
  const operatorId = idOf(positionals, 'disable');
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    await asOperator(on, { role: 'ADMIN' }, async (context) => {
      await disableOperator(context, operatorId);
      const audit = { action: 'OPERATOR_DISABLED', subject: `operator ${operatorId}`, reason };
      return { answer: undefined, audit };
    });
    console.log(`The operator ${operatorId} is disabled.`);
  });
}

/** Of the operator who runs the command. */
async function rotateKey(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { platform: text } });
  await onPlatform(values.platform, async (on) => {
    const key = randomApiKey(on.settings.environment);
    const operatorId = await asOperator(on, { role: 'VIEW', mayBeInitial: true }, async (context) => {
      await replaceOwnKey(context, key);
      const { operator_id: answer } = context.operator;
      return { answer, audit: { action: 'OPERATOR_KEY_ROTATED', subject: `operator ${answer}` } };
    });
    console.log(`The new key of ${operatorId}, shown only now:\n\n  ${formatOperatorKey(key)}\n`);
  });
}

function idOf([operatorId, ...more]: string[], verb: string): string {
  if (operatorId === undefined || more.length > 0)
    throw new StartRefused(`Name one operator: tradeline operator ${verb} ID, such as ada.`);
  return operatorId;
}
