import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '#test/world';
import { activePolicy, insertActivation, insertPolicy, listPolicies } from './credit-policy.queries.ts';
import { defaultPolicy } from './policy/default-policy.ts';
import { sha256Of } from './policy/evaluate-policy.ts';
import type { PolicyGraph } from './policy.schemas.ts';

const NOW = 1_763_640_000;
const FILE = new URL('../../../test/fixtures/former-default-policy.json', import.meta.url);
const former = JSON.parse(readFileSync(FILE, 'utf8')) as PolicyGraph;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** A platform on which this actor has activated the former default. */
async function platformFromBefore(by: string): Promise<number> {
  const { db } = world.installation;
  const { platform_id: platformId } = (await world.addPlatform()).platform;
  const stored = {
    platformId,
    name: 'default',
    graph: former,
    sha256: sha256Of(former),
    createdAt: 1,
    createdBy: 'Tradeline',
  };
  const version = (await insertPolicy(db, stored)) as number;
  await insertActivation(db, { platformId, version, activatedAt: 1, activatedBy: by, approvedBy: null });
  return platformId;
}

const versionsOf = async (platformId: number) =>
  (await listPolicies(world.installation.db, platformId)).map(({ version, is_active, activated_by }) => ({
    version,
    is_active,
    activated_by,
  }));

describe('a former default policy', () => {
  it('is replaced by the present one at the next decision, once, and is kept', async () => {
    const platformId = await platformFromBefore('Tradeline');
    const all = await Promise.all(
      Array.from({ length: 6 }, () => activePolicy(world.installation.db, platformId, NOW)),
    );
    const now = await activePolicy(world.installation.db, platformId, NOW);
    expect(now).toMatchObject({ version: 2, sha256: defaultPolicy().sha256 });
    expect(all.every(({ version }) => version === 2 || version === 1)).toBe(true);
    expect(await versionsOf(platformId)).toEqual([
      { version: 2, is_active: true, activated_by: 'Tradeline' },
      { version: 1, is_active: false, activated_by: 'Tradeline' },
    ]);
  });

  it('stays in force for a platform that activated it itself', async () => {
    const platformId = await platformFromBefore('anna');
    expect((await activePolicy(world.installation.db, platformId, NOW)).version).toBe(1);
    expect(await versionsOf(platformId)).toEqual([{ version: 1, is_active: true, activated_by: 'anna' }]);
  });

  it('stays for a decision of before another policy was activated, and that one stays in force', async () => {
    const { db } = world.installation;
    const platformId = await platformFromBefore('Tradeline');
    const own = { platformId, name: 'own', ...defaultPolicy(), createdAt: NOW, createdBy: 'anna' };
    const version = (await insertPolicy(db, own)) as number;
    await insertActivation(db, {
      ...{ platformId, version, activatedAt: NOW, activatedBy: 'anna', approvedBy: 'ben' },
    });
    expect((await activePolicy(db, platformId, NOW - 1)).version).toBe(1);
    expect((await activePolicy(db, platformId, NOW)).version).toBe(2);
    expect((await versionsOf(platformId))[0]).toEqual({ version: 2, is_active: true, activated_by: 'anna' });
  });
});
