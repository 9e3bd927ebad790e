/** The data of a platform that can be compared between two databases. */
import { v1 } from '#api/v1';
import { createWorld, type World } from './world.ts';

/** A world on another database, to which platforms of `source` can move: both have the same master key. */
export const createTargetWorld = ({ installation }: World, settings: Record<string, string> = {}) =>
  createWorld({
    settings: {
      TRADELINE_WORKER: 'off',
      TRADELINE_MASTER_KEY: installation.settings.masterKey?.toString('base64') ?? '',
      ...settings,
    },
  });

/** The paths of all reading operations, with the names in their examples, and of everything that lists show. */
export async function everyPath(world: World): Promise<string[]> {
  const paths = v1.flatMap(([method, path, { example }]) => {
    if (method !== 'GET') return [];
    const { params = {}, query = {} } = example as Record<'params' | 'query', Record<string, string>>;
    const filled = Object.entries(params).reduce(
      (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
      path,
    );
    return [`${filled}?${new URLSearchParams(query)}`];
  });
  const shown: string[] = [];
  for (const list of ['buyers', 'orders', 'invoices', 'merchants', 'disputes', 'payouts']) {
    const { body } = await world.get(`/v1/${list}?limit=100`);
    for (const { external_id } of body.items ?? []) shown.push(`/v1/${list}/${external_id}`);
  }
  return [...paths, ...shown];
}

/** The answers of the service, without its own address. */
export async function answersOf({ get, baseUrl }: World, paths: string[], key: string) {
  const answers: Record<string, string> = {};
  for (const path of paths) {
    const { status, text } = await get(path, { key });
    answers[path] = `${status} ${text.replaceAll(baseUrl, 'BASE')}`;
  }
  return answers;
}

/** The number of rows of the platform in each table. */
export async function rowsOf(world: World, platformId: number): Promise<Record<string, number>> {
  const tables = await world.sql<{ name: string }>(
    "select table_name::text as name from information_schema.columns where table_schema = 'public' and column_name = 'platform_id' order by 1",
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await world.sql<{ count: number }>(
      `select count(*)::int as count from ${name} where platform_id = $1`,
      [platformId],
    );
    counts[name] = row?.count ?? 0;
  }
  return counts;
}
