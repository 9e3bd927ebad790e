/** The guarantees of every operation that accepts `If-Match`. */
import { describe, expect, it } from 'vitest';
import type { Reply, RequestOptions, World } from './world.ts';

export interface Conditional {
  world(): World;
  /** Creates a resource with version 1, and returns its path. */
  make(): Promise<string>;
  /** Changes the resource; each `nth` makes a different change. */
  change(path: string, nth: number, more: RequestOptions): Promise<Reply>;
}

/** The version in an answer's ETag, without the part after it. */
export const versionIn = ({ headers }: Reply) => /^"(\d+)/.exec(headers.get('etag') ?? '')?.[1];

const PRECONDITION_FAILED = {
  error: 'Precondition failed',
  code: 'PRECONDITION_FAILED',
  details: { docs: expect.stringMatching(/#PRECONDITION_FAILED$/) },
};

export function describeIfMatch({ world, make, change }: Conditional) {
  describe('If-Match', () => {
    it.each(['"1"', '*', ' "1" ', '"7", "1"', 'W/"1", "1"', '"1","7"'])(
      'lets %j through',
      async (ifMatch) => {
        const path = await make();
        const reply = await change(path, 1, { headers: { 'if-match': ifMatch } });
        expect(reply.status).toBe(200);
      },
    );

    it.each(['"1-br"', '"1-gzip"', '"1-0123456789ab"', '"1-0123456789ab-br"'])(
      'lets the version of %j through, which names more than the version',
      async (ifMatch) => {
        const path = await make();
        expect((await change(path, 1, { headers: { 'if-match': ifMatch } })).status).toBe(200);
      },
    );

    it('is the ETag that reading showed', async () => {
      const path = await make();
      const etag = (await world().get(path)).headers.get('etag') as string;
      expect((await change(path, 1, { headers: { 'if-match': etag } })).status).toBe(200);
    });
  });

  describe('412', () => {
    it.each(['"2"', '"0"', 'W/"1"', '1', '"1', '""', '', '"01"', '"2", "3"', '"*"', 'rubbish', ', ,'])(
      'answers If-Match: %s and changes nothing',
      async (ifMatch) => {
        const path = await make();
        const before = await world().get(path);
        const events = await eventCount(world());
        const reply = await change(path, 1, { headers: { 'if-match': ifMatch } });
        expect(reply.status).toBe(412);
        expect(reply.body).toEqual(PRECONDITION_FAILED);
        const after = await world().get(path);
        expect(after.text).toBe(before.text);
        expect(after.headers.get('etag')).toBe('"1"');
        expect(await eventCount(world())).toBe(events);
      },
    );

    it('goes to all but one of those who change the same version at the same time', async () => {
      const path = await make();
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, nth) => change(path, nth + 1, { headers: { 'if-match': '"1"' } })),
      );
      const statuses = replies.map(({ status }) => status).sort();
      expect(statuses[0]).toBe(200);
      // If the change is a deletion, later requests find nothing to compare with.
      expect(statuses.slice(1).every((status) => status === 412 || status === 404)).toBe(true);
    });
  });
}

async function eventCount(world: World): Promise<string> {
  const [row] = await world.sql<{ count: string }>('select count(*) from events');
  return row?.count ?? '';
}
