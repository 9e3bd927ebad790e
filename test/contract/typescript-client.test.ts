/** A TypeScript client generated from the description. `npm run check:clients` does the same in other languages. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPENAPI_FILE } from '#test/api-document';
import { buyerBody, merchantBody } from '#test/bodies';
import { createWorld, type World } from '#test/world';
import { ROUND_TRIP_GROSS } from '../../scripts/clients/check.ts';
import { typescript } from '../../scripts/clients/typescript.ts';

let world: World;
let folder: string;
beforeAll(async () => {
  world = await createWorld();
  folder = await mkdtemp(join(tmpdir(), 'tradeline-client-'));
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true });
});

it('compiles and reads an amount above 2^31', async () => {
  await world.post('/v1/merchants', merchantBody({ external_id: 'client-merchant' }));
  await world.post('/v1/buyers', buyerBody({ external_id: 'client-buyer' }));
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const workplace = { openapi: fileURLToPath(OPENAPI_FILE), folder, root };
  await typescript.generate(workplace, folder);
  await typescript.compile(workplace, folder);
  expect(await typescript.roundTrip(workplace, world, folder)).toBe(ROUND_TRIP_GROSS);
});
