import { refusal } from '#kernel/problem';
import { isOfMerchant } from '#operation/caller';
import { operation } from '#operation/operation';
import { recordBuyerCreated } from '../buyer.events.ts';
import { insertBuyer } from '../buyer.queries.ts';
import { Buyer, BuyerCreation } from '../buyer.schemas.ts';
import { toBuyer, toColumns } from '../company.conversions.ts';
import { completeBuyer, queryRegistries } from '../complete-buyer.ts';
import { assertLegalForm } from '../legal-form-check.ts';

export const createBuyer = operation({
  id: 'createBuyer',
  summary: 'Register a buyer',
  description:
    'With a VAT_ID or REGISTER_ID that the registry knows, external_id and that identifier are enough: if omitted, legal_name, ' +
    'legal_form, business_address, trading_name, incorporated_at and other identifiers come from the ' +
    'registry. Values that are sent are kept, even null. `registry` lists the fields that came from the registry; they ' +
    'follow it, with a BUYER.UPDATED for each change. The legal form must be one that the country of the business address has, and the ' +
    'one that the registry has for the company. With a contact_email alone the buyer is invited: it can have draft ' +
    'orders only, and is completed by a PUT or in the hosted checkout.',
  tag: 'Buyers',
  scope: 'orders:write',
  effect: 'transaction',
  body: BuyerCreation,
  isVersioned: true,
  status: 201,
  response: Buyer,
  problems: ['EXTERNAL_ID_ALREADY_EXISTS', 'LEGAL_FORM_MISMATCH', 'REGISTRY_UNAVAILABLE'],
  example: {
    body: {
      external_id: 'example-buyer',
      legal_name: 'Brasserie du Parc SARL',
      legal_form: 'LIMITED_COMPANY',
      trading_name: 'Brasserie du Parc',
      incorporated_at: 1262304000,
      business_identifiers: [{ type: 'VAT_ID', value: 'FR40303265045', country: 'FR' }],
      business_address: {
        street: 'Rue de la Paix',
        house: '12',
        postcode: '75002',
        city: 'Paris',
        country: 'FR',
      },
      custom_data: { segment: 'gastronomy' },
    },
  },
  prepare: (context, { body }) => queryRegistries(context, body),
  async run(context, { body }) {
    const { db, platformId, caller, vault, now } = context;
    const { data, linkColumns } = await completeBuyer(db, body);
    await assertLegalForm(db, data);
    const row = await insertBuyer(db, {
      platform_id: platformId,
      external_id: body.external_id,
      created_at: now,
      updated_at: now,
      ...toColumns(vault, body.external_id, data),
      ...linkColumns,
      is_email_from_merchant: isOfMerchant(caller),
    });
    if (!row) throw refusal('EXTERNAL_ID_ALREADY_EXISTS', 'A buyer with this external_id already exists');
    await recordBuyerCreated(db, row);
    return { body: toBuyer(row, context), version: row.version };
  },
});
