import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEGAL_FORMS } from '#kernel/fields';
import { LANGUAGES } from '#kernel/language';
import { issuesOf } from '#test/paging';
import { createWorld, type World } from '#test/world';

interface Item {
  name: string;
  display_name: string;
  local_forms: { code: string; display_name: string; elf_code: string | null }[];
}

describe('GET /v1/legal_forms', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  const itemsOf = async (query: string): Promise<Item[]> => {
    const { status, body } = await world.get(`/v1/legal_forms?${query}`);
    expect(status).toBe(200);
    return body.items;
  };
  const formsOf = async (query: string) => (await itemsOf(query)).flatMap(({ local_forms }) => local_forms);

  describe('200', () => {
    it('has the seven values in their order, each with its local forms', async () => {
      const { status, body, headers } = await world.get('/v1/legal_forms?country=DE&language=DE');
      expect(status).toBe(200);
      expect(headers.get('etag')).toBeNull();
      expect(Object.keys(body)).toEqual(['items']);
      expect(body.items.map(({ name }: Item) => name)).toEqual([...LEGAL_FORMS]);
      expect(body.items[0]).toEqual({
        name: 'LIMITED_COMPANY',
        display_name: 'Gesellschaft mit beschränkter Haftung',
        local_forms: [
          { code: 'DE_GMBH', display_name: 'Gesellschaft mit beschränkter Haftung (GmbH)', elf_code: '2HBR' },
          {
            code: 'DE_UG',
            display_name: 'Unternehmergesellschaft, UG (haftungsbeschränkt)',
            elf_code: '63KS',
          },
          {
            code: 'DE_GGMBH',
            display_name: 'Gemeinnützige Gesellschaft mit beschränkter Haftung (gGmbH)',
            elf_code: 'SCE1',
          },
        ],
      });
    });

    it('names the values in English without a language, and the forms in their own language', async () => {
      const [limited] = await itemsOf('country=PL');
      expect(limited?.display_name).toBe('Limited company');
      expect(limited?.local_forms[0]).toEqual({
        code: 'PL_SPZOO',
        display_name: 'Spółka z ograniczoną odpowiedzialnością (sp. z o.o.)',
        elf_code: 'O7XB',
      });
    });

    it('names the forms of a multilingual country in the requested language, or in its main one', async () => {
      const agIn = async (query: string) =>
        (await formsOf(query)).find(({ code }) => code === 'CH_AG')?.display_name;
      expect(await agIn('country=CH&language=FR')).toBe('Société anonyme (SA)');
      expect(await agIn('country=CH&language=IT')).toBe('Società anonima (SA)');
      expect(await agIn('country=CH&language=EN')).toBe('Aktiengesellschaft (AG)');
      expect(await agIn('country=CH')).toBe('Aktiengesellschaft (AG)');
    });

    it.each(LANGUAGES)('speaks %s', async (language) => {
      const names = (await itemsOf(`country=JP&language=${language}`)).map(
        ({ display_name }) => display_name,
      );
      expect(new Set(names).size).toBe(7);
    });

    it('has null for a form without an ELF code', async () => {
      const forms = await formsOf('country=US');
      expect(forms.find(({ code }) => code === 'US_LLC')).toEqual({
        code: 'US_LLC',
        display_name: 'Limited liability company (LLC)',
        elf_code: null,
      });
    });

    it('has the seven values without local forms for a country that is not described', async () => {
      const items = await itemsOf('country=BR&language=PT');
      expect(items.map(({ name }) => name)).toEqual([...LEGAL_FORMS]);
      expect(items.every(({ local_forms }) => local_forms.length === 0)).toBe(true);
      expect(items[1]?.display_name).toBe('Empresário em nome individual');
    });

    it('is the same for every platform', async () => {
      const { apiKey } = await world.addPlatform();
      const [own, other] = [
        await world.get('/v1/legal_forms?country=FR'),
        await world.get('/v1/legal_forms?country=FR', { key: apiKey }),
      ];
      expect(other.text).toBe(own.text);
    });
  });

  describe('400', () => {
    it.each([
      ['', 'REQUIRED query.country'],
      ['language=DE', 'REQUIRED query.country'],
      ['country=', 'INVALID_FORMAT query.country'],
      ['country=de', 'INVALID_FORMAT query.country'],
      ['country=XX', 'INVALID_VALUE query.country'],
      ['country=DEU', 'INVALID_FORMAT query.country'],
      ['country=DE&language=de', 'INVALID_ENUM query.language'],
      ['country=DE&language=', 'INVALID_ENUM query.language'],
      ['country=DE&language=XX', 'INVALID_ENUM query.language'],
      ['country=DE&limit=10', 'UNRECOGNIZED_KEYS query.limit'],
    ])('?%s is %s', async (query, issue) => {
      const { status, body } = await world.get(`/v1/legal_forms?${query}`);
      expect(status).toBe(400);
      expect(issuesOf(body)).toEqual([issue]);
    });

    it('returns every issue at once', async () => {
      const { body } = await world.get('/v1/legal_forms?country=XX&language=XX');
      expect(issuesOf(body).sort()).toEqual(['INVALID_ENUM query.language', 'INVALID_VALUE query.country']);
    });
  });

  describe('401 and 403', () => {
    it('refuses a request without a key', async () => {
      expect((await world.get('/v1/legal_forms?country=DE', { key: null })).status).toBe(401);
    });

    it('answers no key without the scope read', async () => {
      const key = await world.addKey({ scopes: ['orders:write'] });
      const { status, body } = await world.get('/v1/legal_forms?country=DE', { key });
      expect(status).toBe(403);
      expect(body).toMatchObject({ reason: 'INSUFFICIENT_SCOPE', details: { scope: 'read' } });
    });
  });
});
