/** A world with the demo data, always created at the same instant. */
import { EXAMPLE_ENTRY_ID, numberEntries } from '#modules/ledger';
import { issueApiKey } from '#modules/platforms';
import { EXAMPLE_DECISION_ID } from '#modules/underwriting';
import { EXAMPLE_EVENT_ID } from '#modules/webhooks';
import { demoPlatform, loadDemoRegistry, seedDemo } from '../../src/cli/demo.ts';
import { nameDecision } from './decisions.ts';
import { recordNamedEvent } from './events.ts';
import { postNamed } from './ledger.ts';
import { namePayout } from './payout-rows.ts';
import {
  createWorld,
  type Method,
  type Reply,
  type RequestOptions,
  type World,
  type WorldOptions,
} from './world.ts';

/** 2025-11-20 12:00 UTC. */
export const STORY_SEEDED_AT = 1_763_640_000;

/**
 * Uses the key of the story's platform. Nothing is delivered, because its receivers do not exist. The ledger begins with the entry of the
 * examples, unless the books must be those of the demo alone.
 */
export async function createStoryWorld(
  settings: Record<string, string> = {},
  { hasExampleEntry = true, ...more }: { hasExampleEntry?: boolean } & WorldOptions = {},
): Promise<World> {
  const world = await createWorld({ settings: { TRADELINE_WORKER: 'off', ...settings }, ...more });
  world.clock.set(STORY_SEEDED_AT);
  const { platform, apiKey } = await world.addPlatform(demoPlatform(true));
  const {
    db,
    vault,
    settings: { environment },
  } = world.installation;
  // First, so that its number and its hash are always the same.
  if (hasExampleEntry) await postNamed(world, platform.platform_id, EXAMPLE_ENTRY_ID, 'cafe-morgenrot');
  await numberEntries(db, vault);
  await loadDemoRegistry(world.installation);
  await seedDemo({ db, platform, vault, now: STORY_SEEDED_AT });
  // The ids of decisions are random, but the examples of openapi.json need a known one.
  await nameDecision(world, platform.platform_id, 'cafe-morgenrot', EXAMPLE_DECISION_ID);
  await recordNamedEvent(world, platform.platform_id, EXAMPLE_EVENT_ID, 'cafe-morgenrot', 'BUYER.UPDATED');
  // No payouts are formed in the examples, because they have no bank.
  const ofRoastery = {
    merchant: 'roastery-north',
    instruction: 'nordlicht-account',
    invoice: 'invoice-1010',
  };
  if (hasExampleEntry)
    await namePayout(world, platform.platform_id, { externalId: 'example-payout', ...ofRoastery });
  const send = (method: Method, path: string, more: RequestOptions = {}): Promise<Reply> =>
    world.send(method, path, { key: apiKey, ...more });
  return {
    ...world,
    platform,
    apiKey,
    send,
    get: (path, more) => send('GET', path, more),
    post: (path, body, more) => send('POST', path, { ...more, ...(body !== undefined && { body }) }),
    put: (path, body, more) => send('PUT', path, { ...more, ...(body !== undefined && { body }) }),
    delete: (path, more) => send('DELETE', path, more),
    addKey: (options) =>
      issueApiKey(db, platform.platform_id, STORY_SEEDED_AT, { name: 'test', environment, ...options }),
  };
}
