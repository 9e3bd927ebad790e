/** `tradeline key create|list|rotate|revoke` */
import { parseArgs } from 'node:util';
import { parseApiKey, SCOPES, type Scope } from '#kernel/api-key';
import { DAY_SECONDS } from '#kernel/day';
import { StartRefused } from '#kernel/start-refused';
import { isBlank, isPlainLine } from '#kernel/text';
import { findMerchant } from '#modules/merchants';
import { expireApiKey, issueApiKey, listApiKeys, revokeApiKey } from '#modules/platforms';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { type OnNamedPlatform, onNamedPlatform } from './on-named-platform.ts';
import { required, wholeNumber } from './options.ts';
import { printTable } from './table.ts';

export const keyCommand = commandOf('key', {
  create: onNamedPlatform(create),
  list: onNamedPlatform(list),
  rotate: onNamedPlatform(rotate),
  revoke: onNamedPlatform(revoke),
});

const HOUR_SECONDS = 3_600;
/** What a merchant needs to sell. */
const MERCHANT_SCOPES: readonly Scope[] = ['read', 'orders:write'];

const platform = { type: 'string' } as const;

function create(args: string[]): OnNamedPlatform {
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
  const ofAll = values.merchant === undefined ? SCOPES : MERCHANT_SCOPES;
  const scopes = values.scopes === undefined ? ofAll : readScopes(values.scopes);
  const days = values['expires-in-days'];
  const lifetimeSeconds = days === undefined ? null : wholeNumber(days, '--expires-in-days', 1) * DAY_SECONDS;
  return {
    platform: values.platform,
    async act(on) {
      const { clock, settings, platform: of } = on;
      const { code } = of;
      const merchantExternalId = values.merchant ?? null;
      const apiKey = await asOperator(on, { role: 'ADMIN' }, async ({ db, platformId }) => {
        if (
          merchantExternalId !== null &&
          !(await findMerchant(db, { platformId, externalId: merchantExternalId }))
        )
          throw new StartRefused(`There is no merchant ${merchantExternalId} on the platform ${code}.`);
        const now = clock.now();
        const answer = await issueApiKey(db, platformId, now, {
          name,
          environment: settings.environment,
          scopes,
          merchantExternalId,
          expiresAt: lifetimeSeconds === null ? null : now + lifetimeSeconds,
        });
        const details = { name, scopes, merchant_external_id: merchantExternalId };
        return { answer, audit: { action: 'API_KEY_ISSUED', subject: keySubject(idOf(answer)), details } };
      });
      console.log(`The new API key of ${code}, shown only now:\n\n  ${apiKey}\n`);
    },
  };
}

function list(args: string[]): OnNamedPlatform {
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
function rotate(args: string[]): OnNamedPlatform {
  const { values } = parseArgs({
    args,
    options: { platform, key: { type: 'string' }, 'overlap-hours': { type: 'string', default: '24' } },
  });
  const overlapHours = wholeNumber(values['overlap-hours'], '--overlap-hours', 0);
  return {
    platform: values.platform,
    async act(on) {
      const { clock, settings, platform: of } = on;
      const { key: keyId = '' } = values;
      const apiKey = await asOperator(on, { role: 'ADMIN' }, async ({ db, platformId }) => {
        const now = clock.now();
        const old = (await listApiKeys(db, platformId)).find((key) => key.key_id === keyId);
        if (!old) throw unknownKey(of.code);
        if (old.revoked_at !== null || (old.expires_at ?? Infinity) <= now)
          throw new StartRefused(
            `The key ${keyId} has ended already: issue a new one with tradeline key create.`,
          );
        await expireApiKey(db, platformId, keyId, now + overlapHours * HOUR_SECONDS);
        const answer = await issueApiKey(db, platformId, now, {
          name: old.name,
          environment: settings.environment,
          scopes: old.scopes as Scope[],
          merchantExternalId: old.merchant_external_id,
          // The successor gets the same lifetime.
          expiresAt: old.expires_at === null ? null : now + old.expires_at - old.created_at,
        });
        const details = { successor: idOf(answer), overlap_hours: overlapHours };
        return { answer, audit: { action: 'API_KEY_ROTATED', subject: keySubject(keyId), details } };
      });
      console.log(
        `The successor of ${keyId}, shown only now; the old key works for ${overlapHours} more hours at most:\n\n  ${apiKey}\n`,
      );
    },
  };
}

function revoke(args: string[]): OnNamedPlatform {
  const { values } = parseArgs({ args, options: { platform, key: { type: 'string' } } });
  return {
    platform: values.platform,
    async act(on) {
      const { key = '' } = values;
      await asOperator(on, { role: 'ADMIN' }, async ({ db, platformId }) => {
        if (!(await revokeApiKey(db, platformId, key, on.clock.now()))) throw unknownKey(on.platform.code);
        return { answer: undefined, audit: { action: 'API_KEY_REVOKED', subject: keySubject(key) } };
      });
      console.log(`Key ${key} is revoked; it stops working within 5 seconds.`);
    },
  };
}

const keySubject = (keyId: string) => `API key ${keyId}`;
const idOf = (apiKey: string) => parseApiKey(apiKey)?.keyId ?? '';

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
