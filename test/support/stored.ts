/** What the database holds, beyond what the API shows of it. */
import type { EventEnvelope } from '#kernel/event';
import type { World } from './world.ts';

/** The events of one resource as receivers get them, in the order in which they were recorded. */
export async function recordedEvents(world: World, externalId: string): Promise<EventEnvelope[]> {
  const rows = await world.sql<{ body: string }>(
    'select body from events where resource_external_id = $1 order by ordinal',
    [externalId],
  );
  return rows.map(({ body }) => JSON.parse(body));
}

/** The tables of which some row holds one of the words: in a text, or within bytes, in clear or in base64. */
export async function tablesHolding(world: World, texts: readonly string[]): Promise<string[]> {
  const spellings = texts.flatMap(spellingsOf);
  const tables = await world.sql<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  );
  const holding: string[] = [];
  for (const { name } of tables) {
    const rows = await world.sql<{ row: string }>(`select t::text as row from "${name}" t`);
    const texts = rows.map(({ row }) => row + bytesOf(row));
    if (texts.some((text) => spellings.some((spelling) => text.includes(spelling)))) holding.push(name);
  }
  return holding;
}

/** The columns of type bytea, which a row shows in hexadecimal, one character a byte. */
function bytesOf(row: string): string {
  return [...row.matchAll(/\\x([0-9a-f]+)/g)]
    .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
    .join('\n');
}

/** Base64 depends on where in a group of three bytes the word begins; its edges depend on the neighbours. */
function spellingsOf(word: string): string[] {
  const bytes = Buffer.from(word);
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return text.slice(offset === 0 ? 0 : 4, -4);
  });
  return [word, bytes.toString('latin1'), ...base64];
}
