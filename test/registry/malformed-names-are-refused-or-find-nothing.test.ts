import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCompanies } from '#modules/registry';
import { handMadeRegistry } from '#test/hand-made-registry';
import { createWorld, type World } from '#test/world';
import { searchByName } from '../../src/modules/registry/search-by-name.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await writeCompanies(world.installation.db, handMadeRegistry, 1_700_000_000);
});
afterAll(() => world.close());

const byName = (name: string, country = 'DE') =>
  world.get(
    `/v1/businesses/search?${new URLSearchParams({ search_type: 'name_address', country, name, limit: '100' })}`,
  );

describe('a name is refused', () => {
  it.each([
    ['of 10 KB', 'Morgenrot '.repeat(1_024), 'TOO_LONG'],
    ['of 256 letters', 'm'.repeat(256), 'TOO_LONG'],
    ['with a line break', 'Morgen\nrot', 'INVALID_VALUE'],
    ['with NUL', 'Morgen\0rot', 'INVALID_VALUE'],
    ['with an escape', '\u001b[31mMorgenrot', 'INVALID_VALUE'],
    ['with a right-to-left override', '\u202eCafé Morgenrot', 'INVALID_VALUE'],
    ['of nothing but spaces', ' \t\u00a0', 'INVALID_VALUE'],
    ['that is empty', '', 'TOO_SHORT'],
  ])('%s', async (_, name, code) => {
    const { status, body } = await byName(name);
    expect(status).toBe(400);
    expect(body.issues).toEqual([expect.objectContaining({ path: 'query.name' })]);
    expect([code, 'TOO_SHORT']).toContain(body.issues[0].code);
  });
});

describe('a name finds nothing', () => {
  it.each([
    ['of wildcards', '%%%***___???'],
    ['of the characters of regular expressions', '^(.*)+$[a-z]{1,9}\\|.?'.slice(0, 8)],
    ['of backslashes', '\\\\\\'],
    ['of quotes', '\'"`´’'],
    ['of pictures', '🙂🙃🏢'],
    ['of braces', '{"}{,}'],
    ['of invisible characters between signs', '-\u200b-\u200d-'],
    ['of a conjunction', 'und'],
    ['of conjunctions', 'and & et + y'],
    ['of a legal form', 'GmbH & Co. KG'],
    ['of letters on their own', 'x x x x x x x x x x x x'],
    ['of 255 equal letters', 'm'.repeat(255)],
    ['of a marked key', '=cafemorgenrot @berlin'.slice(0, 1)],
    ['of a hundred unknown words', 'qa wb ec rd te yf '.repeat(14)],
  ])('%s', async (_, name) => {
    const { status, body } = await byName(name);
    expect(status).toBe(200);
    expect(body).toEqual({ items: [], limit: 100, total: 0 });
  });
});

describe('a name is what is left', () => {
  it.each([
    ['of wildcards around a word', '%Morgenrot%'],
    ['of a regular expression', '^Café (Morgenrot)+$'],
    ['of SQL', "Café Morgenrot'; drop table --"],
    ['of separators of ours', 'café|morgenrot'],
    ['of decomposed accents', 'Cafe\u0301 Morgenrot'],
    ['of a hundred words that all mean something', 'Café Morgenrot '.repeat(17)],
  ])('%s', async (_, name) => {
    const { status, body } = await byName(name);
    expect(status).toBe(200);
    expect(body.items[0]?.id).toBe('HANDMADE-de-cafe');
  });
});

it('sends a bounded number of statements for any number of words', async () => {
  const texts = handMadeRegistry
    .flatMap(({ legalName }) => legalName.split(' '))
    .filter((word) => word.length > 3);
  const name = texts.slice(0, 40).join(' ').slice(0, 255);
  expect((await byName(name)).status).toBe(200);
  const statements: string[] = [];
  const { db } = world.installation;
  const listening = db.withPlugin({
    transformQuery: ({ node }) => {
      statements.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await searchByName(listening, { country: 'DE', name, limit: 100 });
  expect(statements.length).toBeGreaterThanOrEqual(2);
  expect(statements.length).toBeLessThanOrEqual(5);
});
