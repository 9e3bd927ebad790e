import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RegistryEntry, writeCompanies } from '#modules/registry';
import { liveRegistries, named, numbered } from '#test/live-registries';
import { expectProblem } from '#test/problem';
import { LEI, leiRecord } from '#test/registry-lei-records';
import {
  type Api,
  answers,
  json,
  type RegistryServers,
  reset,
  startRegistryServers,
} from '#test/registry-servers';
import { createWorld, type Reply, type World } from '#test/world';

const ALL: Api[] = ['companies-house', 'vies', 'gleif'];
const down = answers(503);

let servers: RegistryServers;
let world: World;
beforeEach(async () => {
  servers = await startRegistryServers();
});
afterEach(async () => {
  await world.close();
  await servers.close();
});

const begin = async (requested: Api[] = ALL) => {
  world = await createWorld({ settings: liveRegistries(servers, requested) });
};
const idsOf = ({ body }: Reply) => body.items?.map(({ id }: { id: string }) => id);
const requestedOf = () => servers.requests.map(({ api }) => api);
const write = (entry: Partial<RegistryEntry>) => {
  const address = { street: null, house: null, postcode: null, city: null, additional: null, country: 'GB' };
  const nothing = { tradingName: null, otherNames: [], legalForm: null, elfCode: null, identifiers: [] };
  const whole = { registry: 'TEST', registryKey: '1', legalName: 'Test', address, ...nothing };
  const rest = { incorporatedAt: null, website: null, isActive: true };
  return writeCompanies(world.installation.db, [{ ...whole, ...rest, ...entry }], 1_700_000_000);
};

describe('without a live registry', () => {
  it('a search without results is an empty list, and no request is sent', async () => {
    await begin([]);
    const reply = await world.get(named('Nordlicht Werkzeugbau', 'DE'));
    expect([reply.status, reply.body]).toEqual([200, { items: [], limit: 10, total: 0 }]);
    expect(servers.requests).toEqual([]);
  });
});

describe('a company that is not known here', () => {
  it('is found by name at GLEIF, and the second time here', async () => {
    await begin();
    const first = await world.get(named('nordlicht werkzeugbau', 'DE'));
    expect(first.body).toEqual({
      items: [
        {
          id: `GLEIF-${LEI.german}`,
          legal_name: 'Nordlicht Werkzeugbau GmbH',
          trading_name: 'Nordlicht Tools',
          legal_form: null,
          business_address: {
            street: 'Straße des 17. Juni',
            house: '135',
            postcode: '10623',
            city: 'Berlin',
            country: 'DE',
            additional: null,
          },
          business_identifiers: [{ type: 'REGISTER_ID', value: 'HRB 12345', country: 'DE' }],
          incorporated_at: Date.UTC(1998, 2, 2) / 1_000,
          website: null,
        },
      ],
      limit: 10,
      total: 1,
    });
    expect(requestedOf()).toEqual(['gleif']);
    for (const api of ALL) servers.behave(api, down);
    const again = [named('nordlicht werkzeugbau', 'DE'), numbered('REGISTER_ID', 'hrb 012345', 'DE')];
    for (const path of again) expect((await world.get(path)).body).toEqual(first.body);
    expect(servers.requests).toHaveLength(1);
  });

  it.each([
    ['a VAT id at VIES', numbered('VAT_ID', 'nl 9999.99.990 b01', 'NL'), 'VIES-NL999999990B01', ['vies']],
    ['a VAT id of Greece', numbered('VAT_ID', '999999990', 'GR'), 'VIES-EL999999990', ['vies']],
    ['a VAT id of Northern Ireland', numbered('VAT_ID', 'XI999999990', 'GB'), 'VIES-XI999999990', ['vies']],
    [
      'a number at Companies House',
      numbered('REGISTER_ID', '12345', 'GB'),
      'COMPANIES_HOUSE-00012345',
      ['companies-house'],
    ],
    [
      'a number with the country before it',
      numbered('REGISTER_ID', 'UK 00012345', 'GB'),
      'COMPANIES_HOUSE-00012345',
      ['companies-house'],
    ],
    [
      'a name at Companies House',
      named('invented WIDGETS limited', 'GB'),
      'COMPANIES_HOUSE-00012345',
      ['companies-house'],
    ],
    [
      'a number of Sweden at GLEIF',
      numbered('REGISTER_ID', 'SE5560169999', 'SE'),
      `GLEIF-${LEI.swedish}`,
      ['gleif'],
    ],
    [
      'a name in another script',
      named('山田架空製作所', 'JP'),
      `GLEIF-${LEI.japanese}`,
      ['gleif', 'gleif', 'gleif'],
    ],
  ])('is found by %s', async (_what, path, id, requested) => {
    await begin();
    const reply = await world.get(path);
    expect([reply.status, idsOf(reply), reply.body.total]).toEqual([200, [id], 1]);
    expect(requestedOf()).toEqual(requested);
    expect(idsOf(await world.get(path))).toEqual([id]);
    expect(requestedOf()).toEqual(requested);
  });

  it('is searched at the next registry if the first does not have it', async () => {
    await begin();
    servers.behave('companies-house', json({ items: [] }));
    expect(idsOf(await world.get(named('Brightwater Mills', 'GB')))).toEqual([`GLEIF-${LEI.dissolved}`]);
    expect(requestedOf()).toEqual(['companies-house', 'gleif']);
  });

  it('is an empty list if no registry has it, and if no registry covers the country', async () => {
    await begin(['vies', 'companies-house']);
    for (const path of [
      numbered('VAT_ID', 'NL000000000B99', 'NL'),
      named('Nobody at All', 'GB'),
      named('Nordlicht Werkzeugbau', 'DE'),
    ]) {
      const reply = await world.get(path);
      expect([reply.status, reply.body]).toEqual([200, { items: [], limit: 10, total: 0 }]);
    }
    expect(requestedOf()).toEqual(['vies', 'companies-house']);
  });

  it('is not queried if the input can never be found', async () => {
    await begin();
    for (const path of [named('---', 'DE'), numbered('VAT_ID', '..-', 'DE')])
      expect((await world.get(path)).body.items).toEqual([]);
    expect(servers.requests).toEqual([]);
  });

  it('is returned up to the limit, and ranked like any other', async () => {
    await begin();
    const lei = (index: number) => `5299000000INVENTED${20 + index}`;
    const names = ['Windrad Nord Bau', 'Windrad Nord', 'Windrad Nord Service Technik'];
    const records = names.map((legalName, index) =>
      leiRecord(lei(index), {
        legalName: { name: `${legalName} GmbH`, language: 'de' },
        legalAddress: { addressLines: [], city: 'Kiel', country: 'DE', postalCode: '24103' },
      }),
    );
    servers.behave('gleif', json({ data: records }));
    const one = await world.get(named('Windrad Nord', 'DE', { limit: '1' }));
    expect([idsOf(one), one.body.total]).toEqual([[`GLEIF-${lei(1)}`], 3]);
    expect(idsOf(await world.get(named('Windrad Nord', 'DE')))).toEqual(
      [1, 0, 2].map((index) => `GLEIF-${lei(index)}`),
    );
    expect(servers.requests).toHaveLength(1);
  });
});

describe('registries that do not answer', () => {
  it('are reported with 424 if all queried registries failed and nothing is stored', async () => {
    await begin();
    servers.behave('companies-house', down);
    servers.behave('gleif', reset);
    const reply = await world.get(named('Invented Widgets', 'GB'));
    expect(expectProblem(reply, 'FAILED_DEPENDENCY', 'REGISTRY_UNAVAILABLE')).toMatchObject({
      details: {
        registries: [
          { registry: 'COMPANIES_HOUSE', kind: 'SERVER_ERROR' },
          { registry: 'GLEIF', kind: 'CONNECTION' },
        ],
      },
    });
    expect(reply.status).toBe(424);
    for (const api of ALL) servers.behave(api, null);
    expect(idsOf(await world.get(named('Invented Widgets', 'GB')))).toEqual(['COMPANIES_HOUSE-00012345']);
  });

  it('are not hidden by a registry that does not support the query', async () => {
    await begin();
    servers.behave('vies', down);
    const reply = await world.get(numbered('VAT_ID', 'NL999999990B01', 'NL'));
    expect(expectProblem(reply, 'FAILED_DEPENDENCY').details).toMatchObject({
      registries: [{ registry: 'VIES', kind: 'SERVER_ERROR' }],
    });
    expect(requestedOf()).toEqual(['vies']);
  });

  it('are reported for one country if only its own part fails', async () => {
    await begin(['vies']);
    const french = await world.get(numbered('VAT_ID', 'FR00000000200', 'FR'));
    expect(french.body.details.registries).toEqual([{ registry: 'VIES', kind: 'NATIONAL' }]);
    expect(idsOf(await world.get(numbered('VAT_ID', 'NL999999990B01', 'NL')))).toHaveLength(1);
  });

  it('do not matter, and are not queried, if a company is stored', async () => {
    await begin();
    for (const api of ALL) servers.behave(api, down);
    await write({ legalName: 'Invented Widgets Limited' });
    await write({
      registryKey: '2',
      legalName: 'Another Ltd',
      identifiers: [{ type: 'REGISTER_ID', value: '00012345', country: 'GB' }],
    });
    expect(idsOf(await world.get(named('Invented Widgets', 'GB')))).toEqual(['TEST-1']);
    expect(idsOf(await world.get(numbered('REGISTER_ID', '12345', 'GB')))).toEqual(['TEST-2']);
    expect(servers.requests).toEqual([]);
  });

  it('are skipped if another registry has the company', async () => {
    await begin();
    servers.behave('companies-house', down);
    expect(idsOf(await world.get(named('Brightwater Mills', 'GB')))).toEqual([`GLEIF-${LEI.dissolved}`]);
  });

  it('are skipped if another registry answers that it has none', async () => {
    await begin();
    servers.behave('companies-house', down);
    const reply = await world.get(named('Nobody at All', 'GB'));
    expect([reply.status, reply.body.items]).toEqual([200, []]);
  });

  it('are left alone after five failures, and the answer then comes at once', async () => {
    await begin(['vies']);
    servers.behave('vies', down);
    for (let index = 0; index < 7; index++) {
      const reply = await world.get(numbered('VAT_ID', `NL00000000${index}B01`, 'NL'));
      const kind = index < 5 ? 'SERVER_ERROR' : 'CIRCUIT_OPEN';
      expect(reply.body.details.registries).toEqual([{ registry: 'VIES', kind }]);
    }
    expect(servers.requests).toHaveLength(5);
  });
});

describe('what is known here already', () => {
  const stored = () =>
    world.sql<{ legal_name: string; other_names: string[]; refreshed_at: string }>(
      "select legal_name, other_names, refreshed_at from registry_companies where registry = 'COMPANIES_HOUSE'",
    );
  const known = {
    registry: 'COMPANIES_HOUSE',
    registryKey: '00012345',
    otherNames: ['IMAGINARY WIDGETS LIMITED'],
  };
  const identifiers = [{ type: 'REGISTER_ID' as const, value: '00012345', country: 'GB' }];
  const hit = { company_number: '00012345', company_type: 'ltd', address: { locality: 'Leeds' } };

  it('is not replaced by a search that finds less of it', async () => {
    await begin();
    await write({ ...known, legalName: 'INVENTED WIDGETS LIMITED', identifiers });
    const other = { ...hit, title: 'FRESHLY FOUNDED LTD', company_number: '09999999' };
    servers.behave(
      'companies-house',
      json({ items: [other, { ...hit, title: 'INVENTED WIDGETS LIMITED' }] }),
    );
    expect(idsOf(await world.get(named('Freshly Founded', 'GB')))).toEqual(['COMPANIES_HOUSE-09999999']);
    expect((await stored())[0]).toMatchObject({
      other_names: ['IMAGINARY WIDGETS LIMITED'],
      refreshed_at: '1700000000',
    });
  });

  it('is replaced if the registry has a new name', async () => {
    await begin();
    await write({ ...known, legalName: 'INVENTED WIDGETS LIMITED', identifiers });
    servers.behave('companies-house', json({ items: [{ ...hit, title: 'GADGETRY LIMITED' }] }));
    expect(idsOf(await world.get(named('Gadgetry', 'GB')))).toEqual(['COMPANIES_HOUSE-00012345']);
    expect(await stored()).toMatchObject([{ legal_name: 'GADGETRY LIMITED' }]);
  });
});
