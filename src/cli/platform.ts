/** `tradeline platform create|list` */
import { parseArgs } from 'node:util';
import { readSettings } from '#config';
import { isCountry } from '#kernel/country';
import { CURRENCIES, type Currency } from '#kernel/currency';
import { LANGUAGES, type Language } from '#kernel/language';
import { StartRefused } from '#kernel/start-refused';
import { createPlatform, issueApiKey, listPlatforms } from '#modules/platforms';
import { openInstallation } from '../app.ts';

export async function run([verb, ...args]: string[]): Promise<void> {
  if (verb === 'create') return create(args);
  if (verb === 'list') return list();
  throw new StartRefused('Say what to do: tradeline platform create, or tradeline platform list.');
}

async function create(args: string[]): Promise<void> {
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
  const code = required(
    values.code,
    '--code',
    /^[a-z0-9-]{1,50}$/,
    'lower-case letters, digits and hyphens, at most 50',
  );
  const name = required(values.name, '--name', /\S/, 'the name that buyers read');
  const country = required(
    values.country,
    '--country',
    { test: isCountry },
    'an ISO 3166-1 alpha-2 code, such as DE',
  );
  const currency = required(
    values.currency,
    '--currency',
    { test: (text) => CURRENCIES.some((known) => known === text) },
    `one of ${CURRENCIES.join(', ')}`,
  );
  const language = required(
    values.language,
    '--language',
    { test: (text) => LANGUAGES.some((known) => known === text) },
    `one of ${LANGUAGES.join(', ')}`,
  );

  const settings = readSettings();
  const installation = await openInstallation(settings, { say: () => {}, mayAttach: true });
  try {
    const { db, vault, clock } = installation;
    const platform = await createPlatform(db, vault, clock.now(), {
      code,
      name,
      country,
      currency: currency as Currency,
      language: language as Language,
      isSingleMerchant: values['single-merchant'],
      supportEmails: values['support-email'],
    });
    if (!platform) throw new StartRefused(`There is a platform with the code ${code} already.`);
    const apiKey = await issueApiKey(db, platform.platform_id, clock.now(), {
      name: 'first key',
      environment: settings.environment,
    });
    console.log(`Platform ${code} created. Its API key, shown only now:\n\n  ${apiKey}\n`);
  } finally {
    await installation.close();
  }
}

async function list(): Promise<void> {
  const installation = await openInstallation(readSettings(), { say: () => {}, mayAttach: true });
  try {
    const platforms = await listPlatforms(installation.db);
    console.table(
      platforms.map(({ code, name, country, currency, is_single_merchant }) => ({
        code,
        name,
        country,
        currency,
        is_single_merchant,
      })),
    );
  } finally {
    await installation.close();
  }
}

function required(
  value: string | undefined,
  option: string,
  form: { test(text: string): boolean },
  expected: string,
): string {
  if (value !== undefined && form.test(value)) return value;
  throw new StartRefused(`${option} is ${value === undefined ? 'required' : 'not right'}: ${expected}.`);
}
