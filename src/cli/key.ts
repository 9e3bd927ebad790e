/** `tradeline key create|list|rotate|revoke` */
import { parseApiKey, SCOPES, type Scope } from '#kernel/api-key';
import { DAY_SECONDS } from '#kernel/day';
import { StartRefused } from '#kernel/start-refused';
import { isBlank, isPlainLine } from '#kernel/text';
import { findMerchant } from '#modules/merchants';
import { expireApiKey, issueApiKey, listApiKeys, revokeApiKey } from '#modules/platforms';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { onPlatform } from './installation.ts';
import { required, wholeNumber } from './options.ts';
import { printDone, printItems } from './result.ts';
import { instant } from './table.ts';

export const keyCommand = commandOf('key', { create, list, rotate, revoke });

const HOUR_SECONDS = 3_600;
/** The scopes that a merchant needs to sell. */
const MERCHANT_SCOPES: readonly Scope[] = ['read', 'orders:write'];

const text = { type: 'string' } as const;

async function create(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: {
      platform: text,
      name: { type: 'string', default: 'key' },
      scopes: text,
      merchant: text,
      'expires-in-days': text,
    },
  });
  const isName = (line: string) => isPlainLine(line) && !isBlank(line) && line.length <= 255;
  const name = required(values.name, '--name', isName, 'one line of at most 255 characters');
  const ofAll = values.merchant === undefined ? SCOPES : MERCHANT_SCOPES;
  const scopes = values.scopes === undefined ? ofAll : readScopes(values.scopes);
  const days = values['expires-in-days'];
  const lifetimeSeconds = days === undefined ? null : wholeNumber(days, '--expires-in-days', 1) * DAY_SECONDS;
  await onPlatform(values.platform, async (on) => {
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
    const made = { key_id: idOf(apiKey), api_key: apiKey };
    printDone(values.json, made, `The new API key of ${code}, shown only now:\n\n  ${apiKey}\n`);
  });
}

async function list(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text } });
  await onPlatform(values.platform, async ({ db, platform: { platform_id } }) => {
    const keys = (await listApiKeys(db, platform_id)).map((key) => ({
      key_id: key.key_id,
      name: key.name,
      scopes: key.scopes,
      merchant_external_id: key.merchant_external_id,
      created_at: key.created_at,
      expires_at: key.expires_at,
      revoked_at: key.revoked_at,
      last_used_at: key.last_used_at,
    }));
    const at = (seconds: number | null) => (seconds === null ? '-' : instant(seconds));
    const rowOf = (key: (typeof keys)[number]) => ({
      key: key.key_id,
      name: key.name,
      scopes: key.scopes.length === SCOPES.length ? 'all' : key.scopes.join(','),
      merchant: key.merchant_external_id ?? 'all',
      created: at(key.created_at),
      expires: at(key.expires_at),
      revoked: at(key.revoked_at),
      last_used: at(key.last_used_at),
    });
    printItems(values.json, keys, rowOf, 'The platform has no key: issue one with `tradeline key create`.');
  });
}

/** Both keys work during the overlap, so that a rotation has no gap. */
async function rotate(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: { platform: text, key: text, 'overlap-hours': { type: 'string', default: '24' } },
  });
  const overlapHours = wholeNumber(values['overlap-hours'], '--overlap-hours', 0);
  const keyId = keyIdOf(values.key);
  await onPlatform(values.platform, async (on) => {
    const { clock, settings, platform: of } = on;
    const apiKey = await asOperator(on, { role: 'ADMIN' }, async ({ db, platformId }) => {
      const now = clock.now();
      const old = (await listApiKeys(db, platformId)).find((key) => key.key_id === keyId);
      if (!old) throw unknownKey(of.code);
      if (old.revoked_at !== null || (old.expires_at ?? Infinity) <= now)
        throw new StartRefused(
          `The key ${keyId} has already ended: issue a new one with tradeline key create.`,
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
    printDone(
      values.json,
      { key_id: idOf(apiKey), api_key: apiKey, replaces: keyId },
      `The successor of ${keyId}, shown only now; the old key works for ${overlapHours} more hours at most:\n\n  ${apiKey}\n`,
    );
  });
}

async function revoke(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, key: text } });
  const keyId = keyIdOf(values.key);
  await onPlatform(values.platform, async (on) => {
    await asOperator(on, { role: 'ADMIN' }, async ({ db, platformId }) => {
      if (!(await revokeApiKey(db, platformId, keyId, on.clock.now()))) throw unknownKey(on.platform.code);
      return { answer: undefined, audit: { action: 'API_KEY_REVOKED', subject: keySubject(keyId) } };
    });
    printDone(values.json, { key_id: keyId }, `Key ${keyId} is revoked; it stops working within 5 seconds.`);
  });
}

const keySubject = (keyId: string) => `API key ${keyId}`;
const idOf = (apiKey: string) => parseApiKey(apiKey)?.keyId ?? '';

const keyIdOf = (value: string | undefined) =>
  required(value, '--key', (word) => word !== '', 'the id of a key: see tradeline key list');

/** Does not repeat the argument, which may be a key with its secret. */
const unknownKey = (code: string) =>
  new StartRefused(`There is no key with this id on ${code}: see tradeline key list --platform ${code}.`);

function readScopes(text: string): Scope[] {
  const scopes = text.split(',').map((part) => {
    const scope = SCOPES.find((known) => known === part.trim());
    if (!scope)
      throw new WrongUsage(
        `--scopes must be some of ${SCOPES.join(',')}: ${JSON.stringify(part)} is not a scope.`,
      );
    return scope;
  });
  return [...new Set(scopes)];
}
