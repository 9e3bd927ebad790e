import { operation } from '#http/operation';
import { refusal } from '#kernel/problem';
import { recordBuyerCreated } from '../buyer.events.ts';
import { insertBuyer, toBuyer, toColumns } from '../buyer.queries.ts';
import { readBuyer } from '../buyer.rules.ts';
import { Buyer, BuyerCreation } from '../buyer.schemas.ts';

export const createBuyer = operation({
  id: 'createBuyer',
  summary: 'Register a buyer',
  tag: 'Buyers',
  scope: 'orders:write',
  effect: 'transaction',
  body: BuyerCreation,
  isVersioned: true,
  status: 201,
  response: Buyer,
  problems: ['EXTERNAL_ID_ALREADY_EXISTS'],
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
  async run({ db, platformId, now }, { body }) {
    const row = await insertBuyer(db, {
      platform_id: platformId,
      external_id: body.external_id,
      created_at: now,
      updated_at: now,
      ...toColumns(readBuyer(body)),
    });
    if (!row) throw refusal('EXTERNAL_ID_ALREADY_EXISTS', 'There is a buyer with this external_id already');
    await recordBuyerCreated(db, row);
    return { body: toBuyer(row, now), version: row.version };
  },
});
