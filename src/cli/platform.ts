/** `tradeline platform create|list` */
import { parseArgs } from 'node:util';
import { inTransaction } from '#infra/transaction';
import { isCountry } from '#kernel/country';
import { CURRENCIES, type Currency } from '#kernel/currency';
import { isEmail } from '#kernel/email';
import { LANGUAGES, type Language } from '#kernel/language';
import { StartRefused } from '#kernel/start-refused';
import { isBlank, isPlainLine } from '#kernel/text';
import { createPlatform, issueApiKey, listPlatforms, type NewPlatform } from '#modules/platforms';
import { withInstallation } from './installation.ts';
import { required } from './options.ts';
import { printTable } from './table.ts';

export async function run([verb, ...args]: string[]): Promise<void> {
  if (verb === 'create') return create(args);
  if (verb === 'list') return list(args);
  throw new StartRefused('Say what to do: tradeline platform create, or tradeline platform list.');
}

async function create(args: string[]): Promise<void> {
  const platform = readPlatform(args);
  await withInstallation(async ({ db, vault, clock, settings }) => {
    // Both or none: a platform without a key would look made, and its code would be taken.
    const apiKey = await inTransaction(db, async (transaction) => {
      const made = await createPlatform(transaction, vault, clock.now(), platform);
      if (!made) throw new StartRefused(`There is a platform with the code ${platform.code} already.`);
      return issueApiKey(transaction, made.platform_id, clock.now(), {
        name: 'first key',
        environment: settings.environment,
      });
    });
    console.log(`Platform ${platform.code} created. Its API key, shown only now:\n\n  ${apiKey}\n`);
  });
}

async function list(args: string[]): Promise<void> {
  parseArgs({ args });
  await withInstallation(async ({ db }) => {
    const platforms = await listPlatforms(db);
    printTable(
      platforms.map((platform) => ({
        code: platform.code,
        name: platform.name,
        country: platform.country,
        currency: platform.currency,
        merchants: platform.is_single_merchant ? 'one' : 'many',
        created: new Date(platform.created_at * 1_000).toISOString(),
      })),
      'There is no platform yet: make one with `tradeline platform create`.',
    );
  });
}

function readPlatform(args: string[]): NewPlatform {
  const { values } = parseArgs({
    args,
    options: {
      code: { type: 'string' },
      name: { type: 'string' },
      country: { type: 'string' },
      currency: { type: 'string' },
      language: { type: 'string', default: 'EN' },
      'single-merchant': { type: 'boolean', default: false },
      'support-email': { type: 'string', multiple: true, default: [] },
    },
  });
  const isOneOf = (known: readonly string[]) => (text: string) => known.includes(text);
  return {
    code: required(
      values.code,
      '--code',
      (text) => /^[a-z0-9-]{1,50}$/.test(text),
      'lower-case letters, digits and hyphens, at most 50',
    ),
    name: required(
      values.name,
      '--name',
      (text) => isPlainLine(text) && !isBlank(text) && text.length <= 255,
      'the name that buyers read, one line of at most 255 characters',
    ),
    country: required(values.country, '--country', isCountry, 'an ISO 3166-1 alpha-2 code, such as DE'),
    currency: required(
      values.currency,
      '--currency',
      isOneOf(CURRENCIES),
      `one of ${CURRENCIES.join(', ')}`,
    ) as Currency,
    language: required(
      values.language,
      '--language',
      isOneOf(LANGUAGES),
      `one of ${LANGUAGES.join(', ')}`,
    ) as Language,
    isSingleMerchant: values['single-merchant'],
    supportEmails: values['support-email'].map((email) =>
      required(email, '--support-email', isEmail, 'an e-mail address'),
    ),
  };
}
