/** A buyer that was only invited becomes the company that was entered. */
import type { Context } from '#http/operation';
import { replaceBuyer } from '#modules/buyers';
import { addressOf, hasLegalForm, identifiersOf } from './entry.rules.ts';
import type { Form } from './form.ts';

export async function completeBuyerOf({ db, reading, so }: Form): Promise<void> {
  const { company } = so;
  if (company === null || !hasLegalForm(company)) return;
  const { key, vault, now } = reading;
  await replaceBuyer.run(
    { db, platformId: key.platformId, vault, now, assertVersion: () => {} } as unknown as Context,
    {
      params: { external_id: reading.order.buyer_external_id },
      query: {},
      body: {
        legal_name: company.legalName,
        legal_form: company.legalForm,
        trading_name: company.tradingName === '' ? null : company.tradingName,
        business_address: addressOf(company) as never,
        business_identifiers: identifiersOf(company),
      },
    },
    undefined,
  );
}
