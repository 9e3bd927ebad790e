/** A new installation's first platform: with a story in the sandbox, bare where asked, none in production without a key. */
import { inTransaction } from '#infra/database/transaction';
import { type ApiKeyText, deriveApiKey, formatApiKey, secretMatches } from '#kernel/api-key';
import { createPlatform, findApiKey, findFirstPlatform, issueApiKey } from '#modules/platforms';
import type { Installation } from '../app.ts';
import { demoPlatform, isDemoSeeded, seedDemo } from './story.ts';

/** Makes the first platform where there is none; all of it or nothing, so that a kill in between is healed by the next start. */
export async function foundPlatform(
  installation: Installation,
  { isEmpty, say }: { isEmpty: boolean; say: (sentence: string) => void },
): Promise<void> {
  const { settings, db, vault, clock } = installation;
  if (settings.environment === 'production' && settings.bootstrapApiKey === null) return;
  const hasStory = settings.environment === 'sandbox' && !isEmpty;
  await inTransaction(db, async (transaction) => {
    if (await findFirstPlatform(transaction)) return;
    const now = clock.now();
    const platform = await createPlatform(transaction, vault, now, demoPlatform(hasStory));
    // Undefined where another process has just made it.
    if (!platform) return;
    await issueApiKey(transaction, platform.platform_id, now, {
      name: 'first key',
      environment: settings.environment,
      key: settings.bootstrapApiKey ?? demoApiKey(installation),
    });
    if (!hasStory) return;
    await seedDemo({ db: transaction, platform, vault, now });
    say(
      'Made a demo marketplace: 3 merchants, 7 buyers, 20 orders. (With --empty, a first start goes without.)',
    );
  });
}

/** A key that works now, and what its platform has to try it on. */
export interface ShownApiKey {
  apiKey: string;
  hasStory: boolean;
}

/** The operator's own key, or the demo key, while it works. Null where there is neither. */
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
    if (isGood) return { apiKey: formatApiKey(key), hasStory: await isDemoSeeded(db, row.platform_id) };
  }
  return null;
}

/** Derived from the master key: every start can show it, though only its hash is kept. */
function demoApiKey({ settings, vault }: Installation): ApiKeyText {
  return deriveApiKey(settings.environment, vault.derive('demo-api-key', 128));
}
