/** `tradeline platform create|list|show|history|update|mails|disable|enable|return-secret|export|import|relocated` */
import { inTransaction } from '#infra/database/transaction';
import { parseApiKey } from '#kernel/api-key';
import { isCountry } from '#kernel/country';
import { CURRENCIES, type Currency } from '#kernel/currency';
import { StartRefused } from '#kernel/start-refused';
import {
  type AnyChangeKind,
  auditKeyOf,
  INSTALLATION,
  platformControlsChange,
  platformEnabling,
  platformSettingsChange,
  recordAudit,
} from '#modules/operators';
import {
  createPlatform,
  issueApiKey,
  listPlatforms,
  type NewPlatform,
  PLATFORM_CONTROLS,
  type PlatformRow,
  renewReturnSecret,
  returnUrlSecretOf,
  sealedSettings,
  setPlatformDisabled,
} from '#modules/platforms';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { onPlatform, withInstallation } from './installation.ts';
import { askedDay, reasonText, required } from './options.ts';
import { exportPlatform } from './platform-export.ts';
import { printPlatformHistory, printPlatformSettings } from './platform-history.ts';
import { importPlatform } from './platform-import.ts';
import { switchMails } from './platform-mails.ts';
import { relocatedPlatform } from './platform-relocated.ts';
import { type OptionValues, PLATFORM_OPTIONS, readPlatformSettings } from './platform-settings.ts';
import { requestAndPrint } from './request-change.ts';
import { printDone, printItems } from './result.ts';
import { instant } from './table.ts';

export const platformCommand = commandOf('platform', {
  create,
  list,
  show,
  history,
  update,
  mails: switchMails,
  disable,
  enable,
  'return-secret': returnSecret,
  export: exportPlatform,
  import: importPlatform,
  relocated: relocatedPlatform,
});

async function create(args: string[]): Promise<void> {
  const { platform, isJson } = readPlatform(args);
  await withInstallation(async ({ db, vault, clock, settings }) => {
    // One transaction: a platform without a key would block its code.
    const apiKey = await inTransaction(db, async (transaction) => {
      const made = await createPlatform(transaction, vault, clock.now(), platform);
      if (!made) throw new StartRefused(`A platform with the code ${platform.code} already exists.`);
      const platformId = made.platform_id;
      const now = clock.now();
      const { environment } = settings;
      const firstKey = await issueApiKey(transaction, platformId, now, { name: 'first key', environment });
      const context = { db: transaction, platformId, actor: INSTALLATION, now };
      await recordAudit(context, auditKeyOf(vault, made), {
        action: 'PLATFORM_CREATED',
        subject: `platform ${made.code}`,
        details: { api_key: parseApiKey(firstKey)?.keyId },
      });
      return firstKey;
    });
    printDone(
      isJson,
      { code: platform.code, api_key: apiKey },
      `Platform ${platform.code} created. Its API key, shown only now:\n\n  ${apiKey}\n`,
    );
  });
}

async function list(args: string[]): Promise<void> {
  const { values } = readArguments({ args });
  await withInstallation(async ({ db }) => {
    const platforms = (await listPlatforms(db)).map((platform) => ({
      code: platform.code,
      name: platform.name,
      country: platform.country,
      currency: platform.currency,
      is_single_merchant: platform.is_single_merchant,
      disabled_at: platform.disabled_at,
      relocating_since: platform.relocating_since,
      created_at: platform.created_at,
    }));
    const rowOf = (platform: (typeof platforms)[number]) => ({
      code: platform.code,
      name: platform.name,
      country: platform.country,
      currency: platform.currency,
      merchants: platform.is_single_merchant ? 'one' : 'many',
      requests: requestsOf(platform),
      created: instant(platform.created_at),
    });
    const whenEmpty = 'There is no platform yet: create one with `tradeline platform create`.';
    printItems(values.json, platforms, rowOf, whenEmpty);
  });
}

function requestsOf({ disabled_at: disabledAt, relocating_since: relocatingSince }: Takes): string {
  if (disabledAt !== null) return 'refused';
  return relocatingSince === null ? 'taken' : 'only read';
}

type Takes = Pick<PlatformRow, 'disabled_at' | 'relocating_since'>;

async function show(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { at: { type: 'string' } },
  });
  const day = askedDay(values.at);
  await onPlatform(codeOf(positionals, 'show'), (on) => printPlatformSettings(on, day, values.json));
}

async function history(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({ args, allowPositionals: true });
  await onPlatform(codeOf(positionals, 'history'), (on) => printPlatformHistory(on, values.json));
}

/** The subject in the audit log. */
const SETTINGS_SUBJECT = 'settings of the platform';

/** Omitted options keep their value; an empty text clears it. */
async function update(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: {
      ...PLATFORM_OPTIONS,
      'no-logo': { type: 'boolean', default: false },
      reason: { type: 'string' },
    },
  });
  const code = codeOf(positionals, 'update');
  const { 'no-logo': isLogoless, json: isJson, reason, ...others } = values;
  const given: OptionValues = others;
  if (isLogoless && given.logo !== undefined) throw new WrongUsage('Give --logo or --no-logo, not both.');
  const changed = [...Object.keys(given), ...(isLogoless ? ['logo'] : [])];
  if (changed.length === 0)
    throw new WrongUsage(
      `Say what to change: some of ${Object.keys(PLATFORM_OPTIONS)
        .map((name) => `--${name}`)
        .join(', ')} and --no-logo.`,
    );
  const settings = { ...readPlatformSettings(given), ...(isLogoless && { logo: null }) };
  const controls = Object.keys(settings).filter((name) =>
    PLATFORM_CONTROLS.some((control) => control === name),
  );
  if (controls.length > 0 && controls.length < changed.length)
    throw new WrongUsage(
      'Set payment term, currencies, payouts, financing reviews and enrolment in a separate command: loosening them takes two operators.',
    );
  const why = reasonText(reason, '--reason');
  const kind: AnyChangeKind = controls.length > 0 ? platformControlsChange : platformSettingsChange;
  await onPlatform(code, (on) => {
    const platformVault = on.vault.forPlatform(on.platform.code, on.platform.data_key_wrapped);
    return requestAndPrint(on, {
      kind,
      // The account number is encrypted before the change is requested, because a change can wait for approval.
      payload: sealedSettings(platformVault, settings),
      reason: why,
      isJson,
      made: `Platform ${code} changed: ${changed.join(', ')}.`,
    });
  });
}

async function disable(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({ args, allowPositionals: true });
  const code = codeOf(positionals, 'disable');
  await onPlatform(code, async (on) => {
    const isNew = await asOperator(on, { role: 'ADMIN' }, async ({ db, platformId }) => {
      const answer = await setPlatformDisabled(db, platformId, on.clock.now());
      return { answer, audit: answer ? { action: 'PLATFORM_DISABLED', subject: SETTINGS_SUBJECT } : null };
    });
    printDone(
      values.json,
      { code, is_disabled: true },
      isNew
        ? `Platform ${code} is disabled: within 5 seconds its API keys are refused and its checkouts are closed. Due transitions continue.`
        : `Platform ${code} is already disabled.`,
    );
  });
}

/** Requires two operators. */
async function enable(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { reason: { type: 'string' } },
  });
  const code = codeOf(positionals, 'enable');
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(code, async (on) => {
    if (on.platform.disabled_at === null)
      return printDone(values.json, { code, is_disabled: false }, `Platform ${code} is already enabled.`);
    await requestAndPrint(on, {
      ...{ kind: platformEnabling, payload: {}, reason, isJson: values.json },
      made: `Platform ${code} is enabled: within 5 seconds its API keys are accepted again.`,
    });
  });
}

/** Prints the secret that signs return URLs. It is derived, so it can be printed again. Its holder can forge return URLs. */
async function returnSecret(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { renew: { type: 'boolean', default: false } },
  });
  const code = codeOf(positionals, 'return-secret');
  await onPlatform(code, async (on) => {
    const current = values.renew
      ? await asOperator(on, { role: 'ADMIN' }, async ({ db, platformId }) => ({
          answer: await renewReturnSecret(db, platformId),
          audit: { action: 'RETURN_SECRET_RENEWED', subject: SETTINGS_SUBJECT },
        }))
      : on.platform;
    const secret = returnUrlSecretOf(on.vault, current);
    printDone(values.json, { code, return_secret: secret }, secret);
  });
}

function codeOf([code, ...more]: string[], verb: string): string {
  if (code === undefined) throw new WrongUsage(`Name one platform: tradeline platform ${verb} CODE.`);
  if (more.length > 0)
    throw new WrongUsage(`Name only one platform: ${JSON.stringify(more[0])} is one too many.`);
  return code;
}

function readPlatform(args: string[]): { platform: NewPlatform; isJson: boolean } {
  const { values } = readArguments({
    args,
    options: {
      ...PLATFORM_OPTIONS,
      code: { type: 'string' },
      country: { type: 'string' },
      currency: { type: 'string' },
      'single-merchant': { type: 'boolean', default: false },
    },
  });
  const { code, country, currency, 'single-merchant': isSingleMerchant, json: isJson, ...given } = values;
  const isCurrency = (text: string) => CURRENCIES.some((known) => known === text);
  const isCode = (text: string) => /^[a-z0-9-]{1,50}$/.test(text);
  const settings = readPlatformSettings(given);
  const platform = {
    ...settings,
    code: required(code, '--code', isCode, 'lower-case letters, digits and hyphens, at most 50'),
    name: required(settings.name, '--name', () => true, 'the name that buyers read'),
    country: required(country, '--country', isCountry, 'an ISO 3166-1 alpha-2 code, such as DE'),
    currency: required(currency, '--currency', isCurrency, `one of ${CURRENCIES.join(', ')}`) as Currency,
    is_single_merchant: isSingleMerchant,
  };
  return { platform, isJson };
}
