/** `tradeline merchant list|activate|deactivate` */
import {
  activateMerchant,
  deactivateMerchant,
  listMerchants,
  type Merchant,
  merchantLifecycle,
} from '#modules/merchants';
import type { AnyOperation } from '#operation/operation';
import { readArguments } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { onPlatform } from './installation.ts';
import { isExternalId, oneOfStates, reasonText, required } from './options.ts';
import { printDone, printItems } from './result.ts';
import { runAs } from './run-as.ts';
import { instant } from './table.ts';

export const merchantCommand = commandOf('merchant', {
  list,
  activate: (args) => changing(args, activateMerchant, 'MERCHANT_ACTIVATED'),
  deactivate: (args) => changing(args, deactivateMerchant, 'MERCHANT_DEACTIVATED'),
});

const text = { type: 'string' } as const;

async function list(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, status: text } });
  const status = values.status
    ?.split(',')
    .map((word) => oneOfStates(word, '--status', merchantLifecycle.states));
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
    printItems(values.json, rows, rowOf, 'There is no such merchant.');
  });
}

const rowOf = (merchant: Merchant) => ({
  merchant: merchant.external_id,
  status: merchant.status,
  name: merchant.trading_name ?? merchant.legal_name,
  country: merchant.business_address.country ?? '',
  created: instant(merchant.created_at),
  updated: instant(merchant.updated_at),
});

async function changing(args: string[], operation: AnyOperation, action: string): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, merchant: text, reason: text } });
  const merchant = required(values.merchant, '--merchant', isExternalId, "a merchant's external_id");
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const whenMissing = `There is no merchant ${merchant} on ${on.platform.code}.`;
    const input = { params: { external_id: merchant }, body: { reason } };
    const changed = await asOperator(on, { role: 'ADMIN' }, async (operator) => {
      const answer: Merchant = await runAs(on, operation, input, { operator, whenMissing });
      return { answer, audit: { action, subject: `merchant ${merchant}`, reason } };
    });
    printDone(values.json, changed, `The merchant ${merchant} is ${changed.status}.`);
  });
}
