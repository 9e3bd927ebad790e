/** The demo of a sandbox: a marketplace with merchants, buyers, credit and orders, all invented, and a registry. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Static } from 'typebox';
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Vault } from '#infra/secrets/vault';
import { DAY_SECONDS } from '#kernel/day';
import { addBankAccount } from '#modules/banking';
import {
  type BuyerCreation,
  createBuyer,
  createContact,
  findBuyer,
  replaceBuyerSettings,
} from '#modules/buyers';
import { createLink, linkUrl } from '#modules/checkout';
import { createFacility } from '#modules/facilities';
import { MAIN_BANK_ACCOUNT } from '#modules/ledger';
import { createMandate } from '#modules/mandates';
import { createMerchant, findMerchant } from '#modules/merchants';
import { auditKeyOf, INSTALLATION, recordAudit } from '#modules/operators';
import { createDraftOrder, findOrder } from '#modules/orders';
import {
  changePlatform,
  findFirstPlatform,
  findPlatformByCode,
  type NewPlatform,
  type PlatformRow,
} from '#modules/platforms';
import { type ImportSummary, ImportUnderWay, importRegistry, nameRegistryFile } from '#modules/registry';
import { runOperation } from '#operation/run-operation';
import type { Installation } from '../installation.ts';
import {
  buyers,
  checkoutDrafts,
  contacts,
  drafts,
  facilities,
  invited,
  mandates,
  merchants,
  settings,
} from './demo-cast.ts';
import { financedSteps } from './demo-financing.ts';
import { orderSteps } from './demo-orders.ts';
import { addPayoutInstructions } from './demo-payees.ts';
import { EXAMPLE_IBAN } from './demo-statement.ts';
import { contextOf } from './operation-context.ts';
import { registryImportRecord } from './registry-record.ts';

const BANK_ACCOUNT_DAYS_AGO = 200;
const DEMO_CODE = 'demo';
const REGISTRY_FILE = fileURLToPath(new URL('../../registry/demo-companies.csv', import.meta.url));
const LOGO_FILE = new URL('./demo-logo.svg', import.meta.url);

export function demoPlatform(hasDemo: boolean): NewPlatform {
  if (!hasDemo) return { code: DEMO_CODE, name: 'Demo platform', country: 'DE', currency: 'EUR' };
  return {
    code: DEMO_CODE,
    name: 'Markthalle – wholesale for gastronomy',
    country: 'DE',
    currency: 'EUR',
    language: 'EN',
    formality: 'FORMAL',
    financing_currencies: ['EUR', 'GBP', 'PLN'],
    collection_currencies: ['EUR', 'GBP', 'PLN'],
    support_emails: ['support@markthalle.example'],
    communication_email: 'credit@markthalle.example',
    // The service's own API reference, so that the return from the checkout works without a network.
    redirect_url: 'http://127.0.0.1:8080/docs',
    checkout_origins: ['https://markthalle.example'],
    logo: { mediaType: 'image/svg+xml', content: readFileSync(LOGO_FILE) },
    account_holder: 'Markthalle GmbH',
    iban: EXAMPLE_IBAN,
    bic: 'COBADEFFXXX',
    account_town: 'Hamburg',
    account_country: 'DE',
  };
}

/** Whether the platform has the buyer and the merchant of the banner's example order. */
export async function isDemoSeeded(db: Db, platformId: number): Promise<boolean> {
  const [buyer, merchant] = await Promise.all([
    findBuyer(db, { platformId, externalId: 'cafe-morgenrot' }),
    findMerchant(db, { platformId, externalId: 'roastery-north' }),
  ]);
  return buyer !== undefined && merchant !== undefined;
}

/**
 * Runs the demo's operations, each as of its day before `now` (Unix seconds). Needs the demo registry, which knows one of
 * the buyers.
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
  await addPayoutInstructions(on);
  await addBankAccount(on(BANK_ACCOUNT_DAYS_AGO), {
    ...{ externalId: MAIN_BANK_ACCOUNT, number: EXAMPLE_IBAN, currency: 'EUR' },
  });
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
  for (const { daysAgo, buyer: external_id, ...body } of mandates)
    await runOperation(createMandate, { context: on(daysAgo), input: { params: { external_id }, body } });
  for (const { daysAgo, ...body } of drafts)
    await runOperation(createDraftOrder, { context: on(daysAgo), input: { body } });
  const steps = [...financedSteps, ...orderSteps].sort((one, other) => other.daysAgo - one.daysAgo);
  for (const { daysAgo, take } of steps) await take(on(daysAgo));
}

/** Only the fields that the registry does not know, and the identifier to look it up by. */
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

/** Imports registry/demo-companies.csv, or resumes its import. Returns null if it was imported before. */
export async function loadDemoRegistry({
  db,
  clock,
}: Pick<Installation, 'db' | 'clock'>): Promise<ImportSummary | null> {
  const request = { path: REGISTRY_FILE, format: 'csv', refusedPath: null, isRestarted: false } as const;
  try {
    const summary = await importRegistry(db, clock, {
      ...request,
      onProgress: () => {},
      signal: new AbortController().signal,
    });
    return summary.outcome === 'FINISHED' ? summary : null;
  } catch (error) {
    // Another server is importing it. That server has already committed the beginning of the file, with the companies that the demo needs.
    if (!(error instanceof ImportUnderWay)) throw error;
    return null;
  }
}

async function setRedirectUrl(
  { db, vault, clock }: Installation,
  platform: PlatformRow,
  redirectUrl: string,
): Promise<void> {
  const platformVault = vault.forPlatform(platform.code, platform.data_key_wrapped);
  const at = clock.now() + platform.clock_ahead_seconds;
  const made = { at, actor: INSTALLATION, approvedBy: null, reason: 'The service has another address.' };
  await inTransaction(db, (transaction) =>
    changePlatform({ db: transaction, vault: platformVault }, platform, { redirect_url: redirectUrl }, made),
  );
}

/** Records in the audit log of the first platform that the start imported the demo registry. */
export async function recordDemoRegistry(
  { db, vault, clock }: Installation,
  summary: ImportSummary,
): Promise<void> {
  const platform = await findFirstPlatform(db);
  if (!platform) return;
  const file = await nameRegistryFile(db, { path: REGISTRY_FILE, format: 'csv' });
  const now = clock.now() + platform.clock_ahead_seconds;
  await inTransaction(db, (transaction) =>
    recordAudit(
      { db: transaction, platformId: platform.platform_id, actor: INSTALLATION, now },
      auditKeyOf(vault, platform),
      registryImportRecord(file, 'The first start of the sandbox.', summary),
    ),
  );
}

/** A return URL that an earlier start has set. */
const OWN_REFERENCE = /^http:\/\/[^/]+\/docs$/;

/**
 * Creates a link to the demo's first draft that is not completed yet; null if there is none. Points the platform's return URL to the API
 * reference at `baseUrl`, unless it was set to another page.
 */
export async function openDemoCheckout(installation: Installation, baseUrl: string): Promise<string | null> {
  const { db, clock } = installation;
  const platform = await findPlatformByCode(db, DEMO_CODE);
  if (!platform || platform.disabled_at !== null) return null;
  const redirectUrl = `${baseUrl}/docs`;
  if (OWN_REFERENCE.test(platform.redirect_url ?? '') && platform.redirect_url !== redirectUrl)
    await setRedirectUrl(installation, platform, redirectUrl);
  for (const externalId of checkoutDrafts) {
    const order = await findOrder(db, { platformId: platform.platform_id, externalId });
    if (order?.status !== 'DRAFT') continue;
    const now = clock.now() + platform.clock_ahead_seconds;
    const { token } = await createLink(db, {
      platformId: platform.platform_id,
      orderExternalId: externalId,
      now,
    });
    return linkUrl(baseUrl, token);
  }
  return null;
}
