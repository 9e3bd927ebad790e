/** Payout instructions of a world. */
import { changePayoutInstruction } from '#modules/payees';
import { actAs } from './operators.ts';
import type { World } from './world.ts';

/** A SEPA account. `sepaBody({ iban, bic })` is another one. */
export const sepaBody = (more: object = {}) => ({
  type: 'SEPA',
  beneficiary_name: 'Nordlicht Kaffeerösterei GmbH',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  ...more,
});

/** Verifies or rejects the account, like an operator at the end of the procedure. */
export function decidePayee(
  world: World,
  externalId: string,
  trigger: 'verify' | 'reject',
): Promise<unknown> {
  return actAs(
    world,
    'fin',
    (context) => changePayoutInstruction(context, externalId, trigger, { reason: 'Seen on a statement.' }),
    { role: 'FINANCE' },
  );
}
