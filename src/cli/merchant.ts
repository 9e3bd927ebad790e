/** `tradeline merchant list|activate|deactivate` */
import { parseArgs } from 'node:util';
import {
  activateMerchant,
  deactivateMerchant,
  listMerchants,
  type Merchant,
  merchantLifecycle,
} from '#modules/merchants';
import type { AnyOperation } from '#operation/operation';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { onPlatform } from './installation.ts';
import { isExternalId, reasonText, required } from './options.ts';
import { runAs } from './run-as.ts';
import { instant, printTable } from './table.ts';

export const merchantCommand = commandOf('merchant', {
  list,
  activate: (args) => changing(args, activateMerchant, 'MERCHANT_ACTIVATED'),
  deactivate: (args) => changing(args, deactivateMerchant, 'MERCHANT_DEACTIVATED'),
});

const text = { type: 'string' } as const;

async function list(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { platform: text, status: text } });
  const status = values.status?.split(',').map(knownStatus);
  await onPlatform(values.platform, async (on) => {
    const rows: Merchant[] = [];
    let total = 1;
    while (rows.length < total) {
      const page = await runAs(on, listMerchants, {
        query: { ...(status && { status }), offset: rows.length },
      });
      rows.push(...page.items);
      total = page.total;
    }
    printTable(
      rows.map((merchant) => ({
        merchant: merchant.external_id,
        status: merchant.status,
        name: merchant.trading_name ?? merchant.legal_name,
        country: merchant.business_address.country ?? '',
        created: instant(merchant.created_at),
        updated: instant(merchant.updated_at),
      })),
      'There is no such merchant.',
    );
  });
}

function knownStatus(value: string): string {
  const { states } = merchantLifecycle;
  return required(
    value,
    '--status',
    (text) => states.some((state) => state === text),
    `one of ${states.join(', ')}`,
  );
}

async function changing(args: string[], operation: AnyOperation, action: string): Promise<void> {
  const { values } = parseArgs({ args, options: { platform: text, merchant: text, reason: text } });
  const merchant = required(values.merchant, '--merchant', isExternalId, "a merchant's external_id");
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const whenMissing = `There is no merchant ${merchant} on ${on.platform.code}.`;
    const input = { params: { external_id: merchant }, body: { reason } };
    const { status } = await asOperator(on, { role: 'ADMIN' }, async (operator) => {
      const answer: Merchant = await runAs(on, operation, input, { operator, whenMissing });
      return { answer, audit: { action, subject: `merchant ${merchant}`, reason } };
    });
    console.log(`The merchant ${merchant} is ${status}.`);
  });
}
