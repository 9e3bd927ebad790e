/** `tradeline operator new-key|add|list|disable|rotate-key` */
import { readEnvironment } from '#config';
import { inTransaction } from '#infra/database/transaction';
import { formatOperatorKey, operatorKeyHash, randomApiKey } from '#kernel/api-key';
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
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { nowOn, type OnPlatform, onPlatform } from './installation.ts';
import { reasonText, required } from './options.ts';
import { requestAndPrint } from './request-change.ts';
import { printDone, printItems } from './result.ts';
import { instant } from './table.ts';

export const operatorCommand = commandOf('operator', {
  'new-key': newKey,
  add,
  list,
  disable,
  'rotate-key': rotateKey,
});

const text = { type: 'string' } as const;

async function add(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text, email: text, role: text, 'key-hash': text, reason: text },
  });
  const operatorId = idOf(positionals, 'add');
  const email = required(values.email, '--email', (word) => word !== '', "the person's e-mail address");
  const role = required(values.role, '--role', (word) => word !== '', 'VIEW, CREDIT, FINANCE or ADMIN');
  const given = values['key-hash'];
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const { settings, vault, platform } = on;
    const { environment } = settings;
    const isFirst =
      settings.operatorKey === null && (await listOperators(on.db, platform.platform_id)).length === 0;
    // The person who installs the service is the first operator, so no one sees another person's key.
    const made = given === undefined && isFirst ? randomApiKey(environment) : null;
    const keyHash = made ? operatorKeyHash(made) : required(given, '--key-hash', () => true, HASH_EXPECTED);
    const person = { operatorId, email, role, keyHash };
    const addition = operatorAdditionOf(vault, platform, person, environment);
    if (isFirst && (await addFirst(on, addition, reason))) {
      const key = made === null ? null : formatOperatorKey(made);
      const shown = key === null ? '.' : `, with the key shown only now:\n\n  ${key}\n`;
      return printDone(
        values.json,
        { operator: operatorId, operator_key: key },
        `The first operator of ${platform.code} is ${operatorId}${shown}`,
      );
    }
    await requestAndPrint(on, {
      ...{ kind: operatorAddition, payload: addition, reason, isJson: values.json },
      made: `The operator ${operatorId} is added.`,
    });
  });
}

const HASH_EXPECTED =
  'the hash of the key that the person made with `tradeline operator new-key`, so that nobody else sees the key';

/** Needs no database, because the person runs it on their own machine. */
async function newKey(args: string[]): Promise<void> {
  const { values } = readArguments({ args });
  const key = randomApiKey(readEnvironment());
  const fields = { operator_key: formatOperatorKey(key), key_hash: operatorKeyHash(key) };
  printDone(
    values.json,
    fields,
    `Your operator key, shown only now. Keep it to yourself:\n\n  ${fields.operator_key}\n\n` +
      `Its hash, for those who add you:\n\n  ${fields.key_hash}\n`,
  );
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
  const { values } = readArguments({ args, options: { platform: text } });
  await onPlatform(values.platform, async ({ db, platform }) => {
    const at = (seconds: number | null) => (seconds === null ? '-' : instant(seconds));
    const operators = (await listOperators(db, platform.platform_id)).map((operator) => ({
      operator: operator.operator_id,
      role: operator.role,
      created_at: operator.created_at,
      created_by: operator.created_by,
      approved_by: operator.approved_by,
      disabled_at: operator.disabled_at,
      disabled_by: operator.disabled_by,
    }));
    const rowOf = (operator: (typeof operators)[number]) => ({
      operator: operator.operator,
      role: operator.role,
      added: at(operator.created_at),
      by: operator.created_by,
      approved_by: operator.approved_by ?? '-',
      disabled: at(operator.disabled_at),
      disabled_by: operator.disabled_by ?? '-',
    });
    const whenEmpty = 'The platform has no operator: add the first one with `tradeline operator add`.';
    printItems(values.json, operators, rowOf, whenEmpty);
  });
}

async function disable(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
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
    printDone(values.json, { operator: operatorId }, `The operator ${operatorId} is disabled.`);
  });
}

/** Rotates the key of the operator who runs the command. */
async function rotateKey(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text } });
  await onPlatform(values.platform, async (on) => {
    const key = randomApiKey(on.settings.environment);
    const operatorId = await asOperator(on, { role: 'VIEW' }, async (context) => {
      await replaceOwnKey(context, key);
      const { operator_id: answer } = context.operator;
      return { answer, audit: { action: 'OPERATOR_KEY_ROTATED', subject: `operator ${answer}` } };
    });
    const fields = { operator: operatorId, operator_key: formatOperatorKey(key) };
    const sentence = `The new key of ${operatorId}, shown only now:\n\n  ${fields.operator_key}\n`;
    printDone(values.json, fields, sentence);
  });
}

function idOf([operatorId, ...more]: string[], verb: string): string {
  if (operatorId === undefined || more.length > 0)
    throw new WrongUsage(`Name one operator: tradeline operator ${verb} ID, such as ada.`);
  return operatorId;
}
