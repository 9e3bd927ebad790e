import { addBankAccount } from '#modules/banking';
import { OUR_IBAN } from './bank-files.ts';
import { actAs } from './operators.ts';
import type { World } from './world.ts';

/** Adds the bank account `main` in euros, as an operator does. */
export function addMainAccount(world: World): Promise<unknown> {
  const account = { externalId: 'main', number: OUR_IBAN, currency: 'EUR' } as const;
  return actAs(world, 'fin', (context) => addBankAccount(context, account), { role: 'FINANCE' });
}
