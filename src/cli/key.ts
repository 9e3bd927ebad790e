/** `tradeline key create|list|rotate|revoke` */
import { parseArgs } from 'node:util';
import { inTransaction } from '#infra/database/transaction';
import { SCOPES, type Scope } from '#kernel/api-key';
import { DAY_SECONDS } from '#kernel/day';
import { StartRefused } from '#kernel/start-refused';
import { isBlank, isPlainLine } from '#kernel/text';
import { findMerchant } from '#modules/merchants';
import { expireApiKey, issueApiKey, listApiKeys, revokeApiKey } from '#modules/platforms';
import { type OnPlatform, onPlatform } from './installation.ts';
import { required, wholeNumber } from './options.ts';
import { printTable } from './table.ts';

type Verb = (args: string[]) => { platform: string | undefined; act: (on: OnPlatform) => Promise<void> };

const VERBS: Record<string, Verb> = { create, list, rotate, revoke };

const HOUR_SECONDS = 3_600;

const platform = { type: 'string' } as const;

export async function keyCommand([verb = '', ...args]: string[]): Promise<void> {
  const read = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!read) throw new StartRefused('Say what to do: tradeline key create, list, rotate or revoke.');
  const { platform: code, act } = read(args);
  if (code === undefined) throw new StartRefused('--platform is required: the code of the platform.');
  await onPlatform(code, act);
}

function create(args: string[]): ReturnType<Verb> {
  const { values } = parseArgs({
    args,
    options: {
      platform,
      name: { type: 'string', default: 'key' },
      scopes: { type: 'string' },
      merchant: { type: 'string' },
      'expires-in-days': { type: 'string' },
    },
  });
  const name = required(
    values.name,
    '--name',
    (text) => isPlainLine(text) && !isBlank(text) && text.length <= 255,
    'one line of at most 255 characters',
  );
  const scopes = values.scopes === undefined ? SCOPES : readScopes(values.scopes);
  const days = values['expires-in-days'];
  const lifetimeSeconds = days === undefined ? null : wholeNumber(days, '--expires-in-days', 1) * DAY_SECONDS;
  return {
    platform: values.platform,
    async act({ db, clock, settings, platform: { platform_id: platformId, code } }) {
      const merchantExternalId = values.merchant ?? null;
      if (
        merchantExternalId !== null &&
        !(await findMerchant(db, { platformId, externalId: merchantExternalId }))
      )
        throw new StartRefused(`There is no merchant ${merchantExternalId} on the platform ${code}.`);
      const now = clock.now();
      const apiKey = await issueApiKey(db, platformId, now, {
        name,
        environment: settings.environment,
        scopes,
        merchantExternalId,
        expiresAt: lifetimeSeconds === null ? null : now + lifetimeSeconds,
      });
      console.log(`The new API key of ${code}, shown only now:\n\n  ${apiKey}\n`);
    },
  };
}

function list(args: string[]): ReturnType<Verb> {
  const { values } = parseArgs({ args, options: { platform } });
  const instant = (at: number | null) => (at === null ? '-' : new Date(at * 1_000).toISOString());
  return {
    platform: values.platform,
    async act({ db, platform: { platform_id } }) {
      const keys = await listApiKeys(db, platform_id);
      printTable(
        keys.map((key) => ({
          key: key.key_id,
          name: key.name,
          scopes: key.scopes.length === SCOPES.length ? 'all' : key.scopes.join(','),
          merchant: key.merchant_external_id ?? 'all',
          created: instant(key.created_at),
          expires: instant(key.expires_at),
          revoked: instant(key.revoked_at),
          last_used: instant(key.last_used_at),
        })),
        'The platform has no key: issue one with `tradeline key create`.',
      );
    },
  };
}

/** Both keys work during the overlap, so that a rotation has no gap. */
function rotate(args: string[]): ReturnType<Verb> {
  const { values } = parseArgs({
    args,
    options: { platform, key: { type: 'string' }, 'overlap-hours': { type: 'string', default: '24' } },
  });
  const overlapHours = wholeNumber(values['overlap-hours'], '--overlap-hours', 0);
  return {
    platform: values.platform,
    async act({ db, clock, settings, platform: { platform_id, code } }) {
      const now = clock.now();
      const old = (await listApiKeys(db, platform_id)).find((key) => key.key_id === values.key);
      if (!old) throw unknownKey(code);
      if (old.revoked_at !== null || (old.expires_at ?? Infinity) <= now)
        throw new StartRefused(
          `The key ${old.key_id} has ended already: issue a new one with tradeline key create.`,
        );
      const apiKey = await inTransaction(db, async (transaction) => {
        await expireApiKey(transaction, platform_id, old.key_id, now + overlapHours * HOUR_SECONDS);
        return issueApiKey(transaction, platform_id, now, {
          name: old.name,
          environment: settings.environment,
          scopes: old.scopes as Scope[],
          merchantExternalId: old.merchant_external_id,
          // The successor gets the same lifetime.
          expiresAt: old.expires_at === null ? null : now + old.expires_at - old.created_at,
        });
      });
      console.log(
        `The successor of ${old.key_id}, shown only now; the old key works for ${overlapHours} more hours at most:\n\n  ${apiKey}\n`,
      );
    },
  };
}

function revoke(args: string[]): ReturnType<Verb> {
  const { values } = parseArgs({ args, options: { platform, key: { type: 'string' } } });
  return {
    platform: values.platform,
    async act({ db, clock, platform: { platform_id, code } }) {
      const { key = '' } = values;
      if (!(await revokeApiKey(db, platform_id, key, clock.now()))) throw unknownKey(code);
      console.log(`Key ${key} is revoked; it stops working within 5 seconds.`);
    },
  };
}

function unknownKey(code: string): StartRefused {
  return new StartRefused(
    `--key must be the id of one of the platform's keys: see tradeline key list --platform ${code}.`,
  );
}

function readScopes(text: string): Scope[] {
  const scopes = text.split(',').map((part) => {
    const scope = SCOPES.find((known) => known === part.trim());
    if (!scope)
      throw new StartRefused(
        `--scopes must be some of ${SCOPES.join(',')}: ${JSON.stringify(part)} is none.`,
      );
    return scope;
  });
  return [...new Set(scopes)];
}
