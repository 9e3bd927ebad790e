import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { liveRegistries, named } from '#test/live-registries';
import { LEI } from '#test/registry-lei-records';
import { type Api, json, type RegistryServers, startRegistryServers } from '#test/registry-servers';
import { createWorld, type Reply, type World } from '#test/world';

let servers: RegistryServers;
let world: World;
beforeEach(async () => {
  servers = await startRegistryServers();
});
afterEach(async () => {
  await world.close();
  await servers.close();
});

const begin = async (requested: Api[]) => {
  world = await createWorld({ settings: liveRegistries(servers, requested) });
};
const idsOf = ({ body }: Reply) => body.items?.map(({ id }: { id: string }) => id);

describe('many searches at once', () => {
  it('for one company send one query', async () => {
    await begin(['gleif']);
    const path = named('Nordlicht Werkzeugbau', 'DE');
    const limits = (index: number) => `${path}&limit=${1 + (index % 9)}`;
    const replies = await Promise.all(Array.from({ length: 50 }, (_, index) => world.get(limits(index))));
    expect(new Set(replies.map((reply) => `${reply.status} ${idsOf(reply)}`))).toEqual(
      new Set([`200 GLEIF-${LEI.german}`]),
    );
    expect(servers.requests).toHaveLength(1);
    // Every attempt to insert takes a number, even if it fails: the response was written once.
    const [sequence] = await world.sql<{ last_value: string }>(
      "select last_value from pg_sequences where sequencename like 'registry_companies%'",
    );
    expect(sequence?.last_value).toBe('1');
  });

  it('whose answers share companies, in any order, all find theirs', async () => {
    await begin(['companies-house']);
    const titles = Array.from(
      { length: 30 },
      (_, index) => `ALDER ${String.fromCharCode(65 + index)}X MILLS LTD`,
    );
    const items = titles.map((title, index) => ({
      title,
      company_number: String(10_000_000 + index),
      company_status: 'active',
      company_type: 'ltd',
      address: { locality: 'Leeds', country: 'England' },
    }));
    let turn = 0;
    servers.behave('companies-house', (request, response) => {
      turn += 7;
      const turned = [...items.slice(turn % 30), ...items.slice(0, turn % 30)];
      json({ items: turn % 2 ? turned : turned.toReversed() })(request, response);
    });
    const texts = Array.from({ length: 24 }, (_, index) => String.fromCharCode(65 + index));
    const replies = await Promise.all(texts.map((body) => world.get(named(`Alder ${body}x Mills`, 'GB'))));
    const found = replies.map((reply) => `${reply.status} ${reply.body.items?.[0]?.legal_name}`);
    expect(found).toEqual(texts.map((body) => `200 ALDER ${body}X MILLS LTD`));
  });

  it('for what a slow registry should know leave the connections of the database to others', async () => {
    await begin(['companies-house']);
    const waiting: ServerResponse[] = [];
    servers.behave('companies-house', (_request, response) => void waiting.push(response));
    const searches = Array.from({ length: 14 }, (_, index) => world.get(named(`Nobody ${index}`, 'GB')));
    await servers.arrived(searches.length);
    expect((await world.get('/v1/buyers')).status).toBe(200);
    for (const response of waiting) response.end('{"items":[]}');
    for (const { status } of await Promise.all(searches)) expect(status).toBe(200);
  });
});
