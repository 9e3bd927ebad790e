/** A world in which the demo story has been told, always at the same instant. */
import { issueApiKey } from '#modules/platforms';
import { loadDemoRegister } from '../../src/cli/demo-register.ts';
import { demoPlatform, tellStory } from '../../src/cli/story.ts';
import { type Ask, createWorld, type Method, type Reply, type World } from './world.ts';

/** 2025-11-20 12:00 UTC. */
export const STORY_TOLD_AT = 1_763_640_000;

/** Asks with the key of the story's platform. Nothing is delivered: its receivers do not exist. */
export async function createStoryWorld(settings: Record<string, string> = {}): Promise<World> {
  const world = await createWorld({ settings: { TRADELINE_WORKER: 'off', ...settings } });
  world.clock.set(STORY_TOLD_AT);
  const { platform, apiKey } = await world.addPlatform(demoPlatform(true));
  const {
    db,
    vault,
    settings: { environment },
  } = world.installation;
  await loadDemoRegister(world.installation);
  await tellStory({ db, platform, vault, now: STORY_TOLD_AT });
  const ask = (method: Method, path: string, more: Ask = {}): Promise<Reply> =>
    world.ask(method, path, { key: apiKey, ...more });
  return {
    ...world,
    platform,
    apiKey,
    ask,
    get: (path, more) => ask('GET', path, more),
    post: (path, body, more) => ask('POST', path, { ...more, ...(body !== undefined && { body }) }),
    put: (path, body, more) => ask('PUT', path, { ...more, ...(body !== undefined && { body }) }),
    delete: (path, more) => ask('DELETE', path, more),
    addKey: (wish) =>
      issueApiKey(db, platform.platform_id, STORY_TOLD_AT, { name: 'test', environment, ...wish }),
  };
}
