/** The demo story: a marketplace, three merchants, six buyers in six countries, and their draft orders. All invented. */
import type { Static, TSchema } from 'typebox';
import type { Context, Operation } from '#http/operation';
import type { Db } from '#infra/database';
import { createPlatformClocks } from '#infra/platform-clocks';
import type { Vault } from '#infra/vault';
import { SCOPES } from '#kernel/api-key';
import { createBuyer, createContact, findBuyer, replaceBuyerSettings } from '#modules/buyers';
import { createMerchant, findMerchant } from '#modules/merchants';
import { createDraftOrder } from '#modules/orders';
import type { NewPlatform, PlatformRow } from '#modules/platforms';
import { buyers, contacts, merchants, orders, settings } from './story-cast.ts';

const DAY_SECONDS = 86_400;

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
  };
}

/** Whether the companies that the banner's order is between are on this platform. */
export async function storyIsTold(db: Db, platformId: number): Promise<boolean> {
  const [buyer, merchant] = await Promise.all([
    findBuyer(db, { platformId, externalId: 'cafe-morgenrot' }),
    findMerchant(db, { platformId, externalId: 'roastery-north' }),
  ]);
  return buyer !== undefined && merchant !== undefined;
}

/** Plays the story through the same operations the API has, each on its day, counted back from `now`. */
export async function tellStory({
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
  const on = (daysAgo: number) => contextOf(db, platform, vault, now - daysAgo * DAY_SECONDS);
  for (const { daysAgo, ...body } of merchants) await act(createMerchant, on(daysAgo), {}, body);
  for (const { daysAgo, ...body } of buyers) await act(createBuyer, on(daysAgo), {}, body);
  for (const { daysAgo, ...body } of contacts) await act(createContact, on(daysAgo), {}, body);
  for (const { daysAgo, external_id, ...body } of settings)
    await act(replaceBuyerSettings, on(daysAgo), { external_id }, body);
  for (const { daysAgo, ...body } of orders) await act(createDraftOrder, on(daysAgo), {}, body);
}

async function act<P, B extends TSchema>(
  // biome-ignore lint/suspicious/noExplicitAny: the story leaves query and response types alone.
  operation: Pick<Operation<any, any, B, any>, 'run'>,
  context: Context,
  params: P,
  body: Static<B>,
): Promise<void> {
  await operation.run(context, { params: params as never, query: {}, body: body as never }, undefined);
}

function contextOf(db: Db, platform: PlatformRow, vault: Vault, now: number): Context {
  const platformVault = vault.forPlatform(platform.code, platform.data_key_wrapped);
  return {
    db,
    platformId: platform.platform_id,
    caller: {
      platformId: platform.platform_id,
      platformCode: platform.code,
      keyId: 'demo-story',
      scopes: new Set(SCOPES),
      merchantExternalId: null,
      vault: platformVault,
    },
    actor: 'api_key:demo-story',
    now,
    clocks: createPlatformClocks({ now: () => now }, true),
    isSandbox: true,
    vault: platformVault,
    outbound: { vet: async () => {} },
    assertVersion: () => {},
  };
}
