import { rethrowNaming } from '#kernel/missing-entity';
import { MAIN_BANK_ACCOUNT, recordSimulatedEntry } from '#modules/banking';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { BankEntrySimulation, SimulatedBankEntry } from '../simulator.schemas.ts';

export const simulateBankEntry = operation({
  id: 'simulateBankEntry',
  summary: 'Simulate an entry on a bank account of the platform',
  description:
    'Books it as an entry of a statement. An entry that names an invoice by its creditor reference or number settles it, an entry ' +
    'with the EndToEndId of a payout confirms or returns it, and any other waits in the queue of the operators.',
  tag: 'Sandbox',
  scope: 'admin',
  effect: 'transaction',
  isSandboxOnly: true,
  body: BankEntrySimulation,
  status: 200,
  response: SimulatedBankEntry,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED'],
  example: { body: { amount: 11_900, text: 'For the coffee', counterparty_name: 'Café Morgenrot' } },
  async run(context, { body }) {
    assertPlatformWide(context.caller);
    const bankAccount = body.bank_account_external_id ?? MAIN_BANK_ACCOUNT;
    const entry = {
      ...{ bankAccount, amountMinor: body.amount, text: body.text ?? '' },
      ...{ endToEndId: body.end_to_end_id ?? null, counterpartyName: body.counterparty_name ?? null },
      isReversal: body.is_reversal ?? false,
    };
    const booked = await recordSimulatedEntry({ ...context, actor: 'sandbox' }, entry).catch(
      rethrowNaming({
        field: 'body.bank_account_external_id',
        value: bankAccount,
        remedy: 'No bank account has this external_id: add it with `tradeline bank account add`.',
      }),
    );
    return { body: booked };
  },
});
