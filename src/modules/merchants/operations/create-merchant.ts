import type { Db } from '#infra/database/database';
import { transitionOf } from '#kernel/lifecycle';
import { refusal } from '#kernel/problem';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { merchantLifecycle } from '../merchant.lifecycle.ts';
import {
  findOnlyMerchant,
  insertMerchant,
  lockRegistration,
  readMerchant,
  toMerchant,
  toMerchantColumns,
} from '../merchant.queries.ts';
import { Merchant, MerchantCreation } from '../merchant.schemas.ts';
import { recordMerchantTransition } from '../transition-merchant.ts';

export const createMerchant = operation({
  id: 'createMerchant',
  summary: 'Register a merchant',
  description:
    'A merchant sells through the platform. It is ENROLLED immediately, or PENDING if the operator of the service enrols each ' +
    'merchant of the platform. A single-merchant platform has only one merchant.',
  tag: 'Merchants',
  scope: 'admin',
  effect: 'transaction',
  body: MerchantCreation,
  isVersioned: true,
  status: 201,
  response: Merchant,
  problems: ['EXTERNAL_ID_ALREADY_EXISTS', 'MERCHANT_NOT_ALLOWED'],
  example: {
    body: {
      external_id: 'example-merchant',
      legal_name: 'Kaffeerösterei Nordlicht GmbH',
      legal_form: 'LIMITED_COMPANY',
      business_address: {
        street: 'Speicherstadt',
        house: '7',
        postcode: '20457',
        city: 'Hamburg',
        country: 'DE',
      },
      contact_emails: ['office@nordlicht.example'],
    },
  },
  async run(context, { body }) {
    const { db, platformId, caller, vault, now } = context;
    assertPlatformWide(caller);
    const platform = (await findPlatform(db, platformId)) as PlatformRow;
    await assertRoomFor(body.external_id, platform, db);
    const trigger = platform.enrolls_merchants ? 'create' : 'create_pending';
    const transition = transitionOf(merchantLifecycle, null, trigger);
    const row = await insertMerchant(db, {
      platform_id: platformId,
      external_id: body.external_id,
      status: transition.to,
      created_at: now,
      updated_at: now,
      ...toMerchantColumns(vault, body.external_id, readMerchant(body)),
    });
    if (!row) throw refusal('EXTERNAL_ID_ALREADY_EXISTS', 'A merchant with this external_id already exists');
    await recordMerchantTransition(context, row, transition, null);
    return { body: toMerchant(row, vault), version: row.version };
  },
});

/** Throws MERCHANT_NOT_ALLOWED for a second merchant of a single-merchant platform. The insert refuses the same merchant again. */
async function assertRoomFor(externalId: string, platform: PlatformRow, db: Db): Promise<void> {
  if (!platform.is_single_merchant) return;
  await lockRegistration(db, platform.platform_id);
  const only = await findOnlyMerchant(db, platform.platform_id);
  if (!only || only.external_id === externalId) return;
  throw refusal('MERCHANT_NOT_ALLOWED', 'This platform allows a single merchant, which already exists');
}
