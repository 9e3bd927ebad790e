/** The checkout of the demo story: a link to walk through, and a way back that leads somewhere without a network. */
import { createLink, linkUrl } from '#modules/checkout';
import { findOrder } from '#modules/orders';
import { changePlatform, findPlatformByCode } from '#modules/platforms';
import type { Installation } from '../app.ts';
import { checkoutDrafts } from './story-cast.ts';

const DEMO_CODE = 'demo';
/** As the story or an earlier start has set it. */
const OWN_REFERENCE = /^http:\/\/[^/]+\/docs$/;

/**
 * A new link to the first draft of the story that nobody has completed; null where there is none left. The buyer comes back
 * to the reference of this service, wherever it listens this time: unless somebody set another way back.
 */
export async function openDemoCheckout({ db, clock }: Installation, baseUrl: string): Promise<string | null> {
  const platform = await findPlatformByCode(db, DEMO_CODE);
  if (!platform || platform.disabled_at !== null) return null;
  const redirectUrl = `${baseUrl}/docs`;
  if (OWN_REFERENCE.test(platform.redirect_url ?? '') && platform.redirect_url !== redirectUrl)
    await changePlatform(db, platform, clock.now(), { redirect_url: redirectUrl });
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
