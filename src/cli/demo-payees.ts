/** The bank accounts of the demo's merchants. */
import type { Static } from 'typebox';
import {
  changePayoutInstruction,
  createPayoutInstruction,
  type PayoutInstructionCreation,
} from '#modules/payees';
import type { Context } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import { inTransactionOf } from './operation-context.ts';

/** The numbers are examples of banks and standards. The first is verified. */
const payoutInstructions: (Static<typeof PayoutInstructionCreation> & { daysAgo: number })[] = [
  {
    daysAgo: 43,
    external_id: 'nordlicht-account',
    merchant_external_id: 'roastery-north',
    type: 'SEPA',
    beneficiary_name: 'Nordlicht Kaffeerösterei GmbH',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
  },
  {
    daysAgo: 90,
    external_id: 'nordlicht-pounds',
    merchant_external_id: 'roastery-north',
    type: 'FPS',
    beneficiary_name: 'Nordlicht Kaffeerösterei GmbH',
    sort_code: '601613',
    account_number: '31926819',
  },
  {
    daysAgo: 20,
    external_id: 'fromagerie-account',
    merchant_external_id: 'fromagerie-alpes',
    type: 'SEPA',
    beneficiary_name: 'Fromagerie des Alpes SAS',
    iban: 'FR1420041010050500013M02606',
    bic: 'PSSTFRPPXXX',
  },
  {
    daysAgo: 2,
    external_id: 'keramika-account',
    merchant_external_id: 'keramika-krakow',
    type: 'SWIFT',
    beneficiary_name: 'Keramika Kraków sp. z o.o.',
    account_number: 'PL61109010140000071219812874',
    bic: 'WBKPPLPPXXX',
    bank_name: 'Bank Przykładowy S.A.',
    bank_address: 'ul. Przykładowa 1, 00-001 Warszawa',
  },
];

/** `on` is the platform some days ago. */
export async function addPayoutInstructions(on: (daysAgo: number) => Context): Promise<void> {
  for (const { daysAgo, ...body } of payoutInstructions)
    await runOperation(createPayoutInstruction, { context: on(daysAgo), input: { body } });
  const [verified] = payoutInstructions;
  if (!verified) return;
  const context = on(verified.daysAgo - 1);
  const grounds = { reason: 'Statement of the bank, seen by two persons.', nameCheck: 'MATCH' as const };
  await inTransactionOf(context, (within) =>
    changePayoutInstruction(within, verified.external_id, 'verify', grounds),
  );
}
