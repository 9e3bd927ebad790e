import { changedFields, nextVersion } from '#kernel/changes';
import { notFound } from '#kernel/problem';
import { assertMerchantAllowed } from '#operation/caller';
import { operation } from '#operation/operation';
import { assertReadOnlyFields } from '#operation/read-only';
import { assertFormatsOfNew } from '#operation/stored-formats';
import {
  formerEmailColumns,
  lockMerchant,
  readMerchant,
  toMerchant,
  toMerchantColumns,
  updateMerchant,
} from '../merchant.queries.ts';
import { Merchant, MerchantParams, MerchantReplacement } from '../merchant.schemas.ts';

export const replaceMerchant = operation({
  id: 'replaceMerchant',
  summary: 'Replace a merchant',
  description:
    'Full replacement: optional fields that are left out are cleared. Read-only fields are accepted with their stored values. ' +
    'Repeating a request changes nothing.',
  tag: 'Merchants',
  scope: 'admin',
  effect: 'transaction',
  params: MerchantParams,
  body: MerchantReplacement,
  acceptsStoredFormats: true,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: Merchant,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED'],
  example: {
    params: { external_id: 'roastery-north' },
    body: {
      legal_name: 'Nordlicht Kaffeerösterei GmbH',
      legal_form: 'LIMITED_COMPANY',
      trading_name: 'Nordlicht',
      business_identifiers: [{ type: 'VAT_ID', value: 'DE811907980', country: 'DE' }],
      business_address: {
        street: 'Am Sandtorkai',
        house: '30',
        postcode: '20457',
        city: 'Hamburg',
        country: 'DE',
      },
      contact_emails: ['sales@nordlicht.example', 'credit@nordlicht.example'],
    },
  },
  async run({ db, platformId, caller, vault, now, assertVersion }, { params, body, formatIssues }) {
    assertMerchantAllowed(caller, params.external_id);
    const row = await lockMerchant(db, platformId, params.external_id);
    if (!row) throw notFound();
    assertVersion(row.version);
    const stored = toMerchant(row, vault);
    assertReadOnlyFields(MerchantReplacement, body, stored);
    assertFormatsOfNew(formatIssues, body, stored);
    const wanted = readMerchant(body);
    if (changedFields(stored, wanted).length === 0) return { body: stored, version: row.version };
    const replaced = await updateMerchant(db, platformId, params.external_id, {
      ...toMerchantColumns(vault, params.external_id, wanted),
      ...formerEmailColumns(vault, row, { wanted: wanted.contact_emails, now }),
      ...nextVersion(row, now),
    });
    return { body: toMerchant(replaced, vault), version: replaced.version };
  },
});
