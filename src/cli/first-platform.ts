/** The first platform of an installation: with the demo in a sandbox, without it in production or with --empty. */
import { inTransaction } from '#infra/database/transaction';
import { type ApiKeyText, deriveApiKey, formatApiKey, secretMatches } from '#kernel/api-key';
import { createPlatform, findApiKey, findFirstPlatform, issueApiKey } from '#modules/platforms';
import type { Installation } from '../installation.ts';
import { demoPlatform, isDemoSeeded, seedDemo } from './demo.ts';

/** Creates the first platform if there is none, in one transaction. In production only with TRADELINE_BOOTSTRAP_API_KEY. */
export async function ensureFirstPlatform(
  installation: Installation,
  { isEmpty, report }: { isEmpty: boolean; report: (sentence: string) => void },
): Promise<void> {
  const { settings, db, vault, clock } = installation;
  if (settings.environment === 'production' && settings.bootstrapApiKey === null) return;
  const hasDemo = settings.environment === 'sandbox' && !isEmpty;
  await inTransaction(db, async (transaction) => {
    if (await findFirstPlatform(transaction)) return;
    const now = clock.now();
    const platform = await createPlatform(transaction, vault, now, demoPlatform(hasDemo));
    // Undefined if another process has just created it.
    if (!platform) return;
    await issueApiKey(transaction, platform.platform_id, now, {
      name: 'first key',
      environment: settings.environment,
      key: settings.bootstrapApiKey ?? demoApiKey(installation),
    });
    if (!hasDemo) return;
    await seedDemo({ db: transaction, platform, vault, now });
    report(
      'Created a demo marketplace: 3 merchants, 7 buyers, 21 orders, 5 invoices. (--empty leaves it out.)',
    );
  });
}

/** An API key that works now, and whether its platform has the demo. */
export interface ShownApiKey {
  apiKey: string;
  hasDemo: boolean;
}

/** The bootstrap key or the demo key, if it works; null if neither does. */
export async function findShownApiKey(installation: Installation): Promise<ShownApiKey | null> {
  const { settings, db, clock } = installation;
  const candidates = [
    settings.bootstrapApiKey,
    settings.environment === 'sandbox' ? demoApiKey(installation) : null,
  ];
  for (const key of candidates) {
    const row = key && (await findApiKey(db, key.keyId));
    const isGood =
      row &&
      secretMatches(key.secret, row.secret_sha256) &&
      row.revoked_at === null &&
      row.disabled_at === null &&
      (row.expires_at ?? Infinity) > clock.now();
    if (isGood) return { apiKey: formatApiKey(key), hasDemo: await isDemoSeeded(db, row.platform_id) };
  }
  return null;
}

/** Derived from the master key, so that every start can show it although only its hash is stored. */
function demoApiKey({ settings, vault }: Installation): ApiKeyText {
  return deriveApiKey(settings.environment, vault.derive('demo-api-key', 128));
}
