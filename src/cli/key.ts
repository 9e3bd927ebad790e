/** `tradeline key create|list|rotate|revoke` */
import { parseArgs } from 'node:util';
import { readSettings } from '#config';
import { SCOPES, type Scope } from '#kernel/api-key';
import { StartRefused } from '#kernel/start-refused';
import { findMerchant } from '#modules/merchants';
import {
  expireApiKey,
  findPlatformByCode,
  issueApiKey,
  listApiKeys,
  type PlatformRow,
  revokeApiKey,
} from '#modules/platforms';
import { type Installation, openInstallation } from '../app.ts';

const VERBS = { create, list, rotate, revoke };

const OPTIONS = {
  platform: { type: 'string' },
  key: { type: 'string' },
  name: { type: 'string' },
  scopes: { type: 'string' },
  merchant: { type: 'string' },
  'expires-in-days': { type: 'string' },
  'overlap-hours': { type: 'string', default: '24' },
} as const;

interface Wish {
  installation: Installation;
  platform: PlatformRow;
  values: ReturnType<typeof readOptions>;
}

export async function run([verb = '', ...args]: string[]): Promise<void> {
  const act = VERBS[verb as keyof typeof VERBS];
  if (!act) throw new StartRefused('Say what to do: tradeline key create, list, rotate or revoke.');
  const values = readOptions(args);
  if (!values.platform) throw new StartRefused('--platform is required: the code of the platform.');
  const installation = await openInstallation(readSettings(), { say: () => {}, mayAttach: true });
  try {
    const platform = await findPlatformByCode(installation.db, values.platform);
    if (!platform) throw new StartRefused(`There is no platform with the code ${values.platform}.`);
    await act({ installation, platform, values });
  } finally {
    await installation.close();
  }
}

function readOptions(args: string[]) {
  return parseArgs({ args, options: OPTIONS }).values;
}

async function create({ installation: { db, clock, settings }, platform, values }: Wish): Promise<void> {
  const scopes = values.scopes?.split(',').map(readScope) ?? SCOPES;
  const days = values['expires-in-days'];
  if (
    values.merchant !== undefined &&
    !(await findMerchant(db, { platformId: platform.platform_id, externalId: values.merchant }))
  ) {
    throw new StartRefused(`There is no merchant ${values.merchant} on this platform.`);
  }
  const apiKey = await issueApiKey(db, platform.platform_id, clock.now(), {
    name: values.name ?? 'key',
    environment: settings.environment,
    scopes,
    merchantExternalId: values.merchant ?? null,
    expiresAt: days === undefined ? null : clock.now() + wholeNumber(days, '--expires-in-days') * 86_400,
  });
  console.log(`The new API key of ${platform.code}, shown only now:\n\n  ${apiKey}\n`);
}

async function list({ installation: { db }, platform }: Wish): Promise<void> {
  const day = (at: number | null) => (at === null ? '' : new Date(at * 1_000).toISOString());
  const keys = await listApiKeys(db, platform.platform_id);
  console.table(
    keys.map((key) => ({
      key: key.key_id,
      name: key.name,
      scopes: key.scopes.length === SCOPES.length ? 'all' : key.scopes.join(','),
      merchant: key.merchant_external_id ?? '',
      created: day(key.created_at),
      expires: day(key.expires_at),
      revoked: day(key.revoked_at),
      last_used: day(key.last_used_at),
    })),
  );
}

/** Two keys work during the overlap, so that a rotation has no gap. */
async function rotate({ installation: { db, clock, settings }, platform, values }: Wish): Promise<void> {
  const overlapSeconds = wholeNumber(values['overlap-hours'], '--overlap-hours') * 3_600;
  const old = (await listApiKeys(db, platform.platform_id)).find((key) => key.key_id === values.key);
  if (!old)
    throw new StartRefused(
      `--key must be the id of one of the platform's keys: see tradeline key list --platform ${platform.code}.`,
    );
  const apiKey = await issueApiKey(db, platform.platform_id, clock.now(), {
    name: old.name,
    environment: settings.environment,
    scopes: old.scopes as Scope[],
    merchantExternalId: old.merchant_external_id,
  });
  await expireApiKey(db, platform.platform_id, old.key_id, clock.now() + overlapSeconds);
  console.log(
    `The successor of ${old.key_id}, shown only now; the old key works for ${overlapSeconds / 3_600} more hours:\n\n  ${apiKey}\n`,
  );
}

async function revoke({ installation: { db, clock }, platform, values }: Wish): Promise<void> {
  const isRevoked =
    values.key !== undefined && (await revokeApiKey(db, platform.platform_id, values.key, clock.now()));
  if (!isRevoked)
    throw new StartRefused(
      `--key must be the id of one of the platform's keys: see tradeline key list --platform ${platform.code}.`,
    );
  console.log(`Key ${values.key} is revoked; it stops working within 5 seconds.`);
}

function readScope(text: string): Scope {
  const scope = SCOPES.find((known) => known === text.trim());
  if (!scope) throw new StartRefused(`--scopes: ${text} is not one of ${SCOPES.join(', ')}.`);
  return scope;
}

function wholeNumber(text: string, option: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new StartRefused(`${option} must be a whole number.`);
}
