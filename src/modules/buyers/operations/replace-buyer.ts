import { changedFields, nextVersion } from '#kernel/changes';
import { notFound } from '#kernel/problem';
import { entityNumbersOf } from '#modules/registry';
import { operation } from '#operation/operation';
import { assertReadOnlyFields } from '#operation/read-only';
import { assertFormatsOfNew } from '#operation/stored-formats';
import { recordBuyerUpdated } from '../buyer.events.ts';
import { lockBuyer, updateBuyer } from '../buyer.queries.ts';
import { isKnown } from '../buyer.rules.ts';
import { Buyer, BuyerParams, BuyerReplacement } from '../buyer.schemas.ts';
import { linkAfterChange } from '../buyer-registry.rules.ts';
import { readBuyer, toBuyer, toColumns, toLinkColumns } from '../company.conversions.ts';
import { readContacts } from '../contact.queries.ts';
import { isEmailFromMerchant } from '../email-source.rules.ts';
import { addEntityKeys, entityKeysOf } from '../entity-keys.queries.ts';
import { assertLegalForm } from '../legal-form-check.ts';

export const replaceBuyer = operation({
  id: 'replaceBuyer',
  summary: 'Replace a buyer',
  description:
    'Full replacement: omitted optional fields are cleared, except contact_email. For a partial change, retrieve ' +
    'the buyer, merge, and send all of it with If-Match. Read-only fields are accepted with their stored values. Repeating ' +
    'a request changes nothing. An unknown buyer is not created. A changed legal form must be one that the country has, and the ' +
    'one that the registry has for the company.',
  tag: 'Buyers',
  scope: 'orders:write',
  effect: 'transaction',
  params: BuyerParams,
  body: BuyerReplacement,
  acceptsStoredFormats: true,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: Buyer,
  problems: ['NOT_FOUND', 'LEGAL_FORM_MISMATCH'],
  example: {
    params: { external_id: 'cafe-morgenrot' },
    body: {
      legal_name: 'Café Morgenrot eG',
      legal_form: 'COOPERATIVE',
      trading_name: 'Café Morgenrot',
      registered_at: 1735689600,
      incorporated_at: 1041379200,
      business_identifiers: [
        { type: 'VAT_ID', value: 'DE136695976', country: 'DE' },
        { type: 'REGISTER_ID', value: 'GnR 487 B Berlin (Charlottenburg)', country: 'DE' },
      ],
      business_address: {
        street: 'Kastanienallee',
        house: '85',
        postcode: '10435',
        city: 'Berlin',
        country: 'DE',
      },
      delivery_address: {
        street: 'Kastanienallee',
        house: '85',
        additional: 'Hinterhof',
        postcode: '10435',
        city: 'Berlin',
        country: 'DE',
      },
      custom_data: { segment: 'gastronomy', account_manager: 'south' },
    },
  },
  async run(context, { params, body, formatIssues }) {
    const { db, platformId, caller, vault, now, assertVersion } = context;
    const row = await lockBuyer(db, platformId, params.external_id);
    if (!row) throw notFound();
    assertVersion(row.version);
    const stored = toBuyer(row, context);
    const contacts = 'contacts' in body ? { contacts: await readContacts(context, params.external_id) } : {};
    assertReadOnlyFields(BuyerReplacement, body, { ...stored, ...contacts });
    assertFormatsOfNew(formatIssues, body, stored);
    const wanted = readBuyer({ contact_email: stored.contact_email, ...body });
    const changed = changedFields(stored, wanted);
    const isChanged = changed.includes('contact_email');
    const isNamed = body.contact_email !== undefined;
    const isFromMerchant = isEmailFromMerchant(caller, row, { isChanged, isNamed });
    if (changed.length === 0) {
      if (isFromMerchant !== row.is_email_from_merchant)
        await updateBuyer(db, platformId, params.external_id, { is_email_from_merchant: isFromMerchant });
      return resultOf(stored, row.version);
    }
    if (changed.some((field) => DECIDING_LEGAL_FORM.has(field))) await assertLegalForm(db, wanted);
    const registry = linkAfterChange(row.registry, changed);
    const replaced = await updateBuyer(db, platformId, params.external_id, {
      ...toColumns(vault, params.external_id, wanted),
      ...toLinkColumns(registry, row.registry_company_id),
      ...nextVersion(row, now),
      ...(isKnown(row) && changed.some((field) => IDENTIFYING.has(field)) && { identity_changed_at: now }),
      ...(isChanged && { contact_email_changed_at: now }),
      is_email_from_merchant: isFromMerchant,
    });
    if (changed.some((field) => IDENTIFYING.has(field)))
      await addEntityKeys(db, platformId, [
        {
          externalId: params.external_id,
          keys: entityKeysOf(vault, entityNumbersOf(wanted.business_identifiers, wanted.legal_name ?? '')),
        },
      ]);
    await recordBuyerUpdated(db, replaced, [...changed, ...changedFields(row, { registry })]);
    return resultOf(toBuyer(replaced, context), replaced.version);
  },
});

/** Only a change of these fields checks the legal form, so that buyers with a form that is refused today can be changed. */
const DECIDING_LEGAL_FORM = new Set(['legal_name', 'legal_form', 'business_identifiers', 'business_address']);
/** The fields that a person confirmed with the buyer. */
const IDENTIFYING = new Set(['legal_name', 'legal_form', 'business_identifiers']);

const resultOf = (body: Buyer, version: number) => ({
  body,
  version,
  isBeyondVersion: body.max_days_past_due !== null,
});
