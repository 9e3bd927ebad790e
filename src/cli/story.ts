/** The demo story: a marketplace, three merchants, seven buyers, six of them known and in six countries, their credit and their orders. All invented. */
import { readFileSync } from 'node:fs';
import type { Static } from 'typebox';
import type { Db } from '#infra/database/database';
import type { Vault } from '#infra/secrets/vault';
import { DAY_SECONDS } from '#kernel/day';
import {
  type BuyerCreation,
  createBuyer,
  createContact,
  findBuyer,
  replaceBuyerSettings,
} from '#modules/buyers';
import { createFacility } from '#modules/facilities';
import { createMerchant, findMerchant } from '#modules/merchants';
import { createDraftOrder } from '#modules/orders';
import type { NewPlatform, PlatformRow } from '#modules/platforms';
import { runOperation } from '#operation/run-operation';
import { contextOf } from './operation-context.ts';
import { buyers, contacts, drafts, facilities, invited, merchants, settings } from './story-cast.ts';
import { orderSteps } from './story-orders.ts';

const LOGO_FILE = new URL('./demo-logo.svg', import.meta.url);

export function demoPlatform(hasStory: boolean): NewPlatform {
  if (!hasStory) return { code: 'demo', name: 'Demo platform', country: 'DE', currency: 'EUR' };
  return {
    code: 'demo',
    name: 'Markthalle – wholesale for gastronomy',
    country: 'DE',
    currency: 'EUR',
    language: 'EN',
    formality: 'FORMAL',
    financingCurrencies: ['EUR', 'GBP', 'PLN'],
    collectionCurrencies: ['EUR', 'GBP', 'PLN'],
    supportEmails: ['support@markthalle.example'],
    communicationEmail: 'credit@markthalle.example',
    // Without a network the buyer still comes back to something: the reference of the service itself.
    redirectUrl: 'http://127.0.0.1:8080/docs',
    checkoutOrigins: ['https://markthalle.example'],
    logo: { mediaType: 'image/svg+xml', content: readFileSync(LOGO_FILE) },
  };
}

/** Whether the companies that the banner's order is between are on this platform. */
export async function isDemoSeeded(db: Db, platformId: number): Promise<boolean> {
  const [buyer, merchant] = await Promise.all([
    findBuyer(db, { platformId, externalId: 'cafe-morgenrot' }),
    findMerchant(db, { platformId, externalId: 'roastery-north' }),
  ]);
  return buyer !== undefined && merchant !== undefined;
}

/**
 * Plays the story through the same operations the API has, each on its day, counted back from `now`. The demo register
 * has been loaded before: one of the buyers is known from there.
 */
export async function seedDemo({
  db,
  platform,
  vault,
  now,
}: {
  db: Db;
  platform: PlatformRow;
  vault: Vault;
  now: number;
}): Promise<void> {
  const on = (daysAgo: number) =>
    contextOf({ db, vault }, { platform, actor: 'api_key:demo-story', now: now - daysAgo * DAY_SECONDS });
  for (const { daysAgo, ...body } of merchants)
    await runOperation(createMerchant, { context: on(daysAgo), input: { body } });
  for (const { daysAgo, isFromRegistry, ...body } of buyers)
    await runOperation(createBuyer, {
      context: on(daysAgo),
      input: { body: isFromRegistry ? byIdentifier(body) : body },
    });
  for (const { daysAgo, ...body } of invited)
    await runOperation(createBuyer, { context: on(daysAgo), input: { body } });
  for (const { daysAgo, ...body } of contacts)
    await runOperation(createContact, { context: on(daysAgo), input: { body } });
  for (const { daysAgo, external_id, ...body } of settings)
    await runOperation(replaceBuyerSettings, {
      context: on(daysAgo),
      input: { params: { external_id }, body },
    });
  for (const { daysAgo, external_id, ...body } of facilities)
    await runOperation(createFacility, { context: on(daysAgo), input: { params: { external_id }, body } });
  for (const { daysAgo, ...body } of drafts)
    await runOperation(createDraftOrder, { context: on(daysAgo), input: { body } });
  for (const { daysAgo, take } of orderSteps) await take(on(daysAgo));
}

/** Without what the register knows. */
function byIdentifier({
  legal_name: _name,
  legal_form: _form,
  trading_name: _trading,
  incorporated_at: _incorporated,
  business_address: _address,
  business_identifiers: identifiers = [],
  ...rest
}: Static<typeof BuyerCreation>): Static<typeof BuyerCreation> {
  return { ...rest, business_identifiers: identifiers.slice(0, 1) };
}
