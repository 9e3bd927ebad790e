/** Every equation that `ledger verify` checks: each module defines those about its own rows. */
import { bankingEquations } from '#modules/banking';
import { invoiceEquations } from '#modules/invoices';
import { type Equation, ledgerEquations, ledgerKeyOf } from '#modules/ledger';
import { payoutEquations } from '#modules/payouts';
import type { OnPlatform } from './installation.ts';

export function equationsOf({ vault, platform }: Pick<OnPlatform, 'vault' | 'platform'>): Equation[] {
  return [
    ...ledgerEquations(ledgerKeyOf(vault, platform.code)),
    ...invoiceEquations,
    ...payoutEquations,
    ...bankingEquations(platform.time_zone),
  ];
}
