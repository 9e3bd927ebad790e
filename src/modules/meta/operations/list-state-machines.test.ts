import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lifecycle } from '#kernel/lifecycle';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';

const PATH = '/v1/meta/state_machines';
const MODULES = fileURLToPath(new URL('../..', import.meta.url));

describe('GET /v1/meta/state_machines', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  });
  afterAll(() => world.close());

  it('lists every lifecycle with its transitions', async () => {
    const files = readdirSync(MODULES, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.lifecycle.ts'),
    );
    expect(files.length).toBeGreaterThan(4);
    const reply = await world.get(PATH);
    expect(reply.status).toBe(200);
    const seen = new Map<string, unknown>(
      reply.body.state_machines.map((machine: { name: string }) => [machine.name, machine]),
    );
    for (const file of files) {
      const exported: Record<string, unknown> = await import(join(MODULES, file));
      const [lifecycle] = Object.values(exported).filter(isLifecycle);
      const transitions = lifecycle?.transitions.map((transition) => ({
        guard: null,
        credit: null,
        ...transition,
      }));
      expect(seen.get(lifecycle?.name ?? file), file).toEqual({ ...lifecycle, transitions });
    }
    expect(seen.size).toBe(files.length);
  });

  it('shows how an order begins, and the effect of a cancellation', async () => {
    const { body } = await world.get(PATH);
    const { transitions } = body.state_machines.find(({ name }: { name: string }) => name === 'Order');
    expect(transitions.filter(({ from }: { from: string | null }) => from === null)).toHaveLength(3);
    expect(transitions).toContainEqual({
      from: 'CONFIRMED',
      trigger: 'cancel',
      to: 'CANCELLED',
      guard: 'no live invoice',
      credit: 'release',
      event: 'ORDER.CANCELLED',
      why: 'The order is not delivered.',
    });
  });

  it('is open to every key, whatever its scopes and its merchant', async () => {
    const key = await world.addKey({ scopes: ['webhooks:write'], merchantExternalId: 'm1' });
    expect((await world.get(PATH, { key })).text).toBe((await world.get(PATH)).text);
  });

  it('401 without a key', async () => {
    expectProblem(await world.get(PATH, { key: null }), 'UNAUTHORIZED');
  });
});

function isLifecycle(value: unknown): value is Lifecycle<string, string> {
  return typeof value === 'object' && value !== null && 'states' in value && 'transitions' in value;
}
