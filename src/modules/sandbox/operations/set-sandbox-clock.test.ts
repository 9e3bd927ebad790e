import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { expectProblem } from '#test/problem';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';
import { AHEAD_SECONDS_MAX } from '../clock.schemas.ts';

const PATH = '/v1/sandbox/clock';
/** 2025-11-20 12:00 UTC. */
const REAL = 1_763_640_000;
const DAY = 86_400;

describe('POST /v1/sandbox/clock', () => {
  let world: World;
  /** A platform of its own, whose clock shows the real time. */
  let key: string;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    world.clock.set(REAL);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    ({ apiKey: key } = await world.addPlatform());
  });

  const set = (body: unknown, headers = {}) => world.post(PATH, body, { key, headers });
  const shown = async (apiKey = key) => (await world.get(PATH, { key: apiKey })).body.now;

  it('sets the clock to an instant', async () => {
    const reply = await set({ now: REAL + 5 * DAY });
    expect(reply).toMatchObject({
      status: 200,
      body: { now: REAL + 5 * DAY, previous: REAL, transitions: [], transitions_total: 0 },
    });
    expect(await shown()).toBe(REAL + 5 * DAY);
  });

  it('sets it forward by so many seconds, from where it was', async () => {
    await set({ advance_seconds: 100 });
    expect((await set({ advance_seconds: 1 })).body).toMatchObject({ now: REAL + 101, previous: REAL + 100 });
    expect(await shown()).toBe(REAL + 101);
  });

  it('takes the instant it shows already', async () => {
    expect((await set({ now: REAL })).body).toMatchObject({ now: REAL, previous: REAL });
  });

  it('lets the clock go on from there', async () => {
    await set({ advance_seconds: DAY });
    world.clock.set(REAL + 60);
    expect(await shown()).toBe(REAL + DAY + 60);
    world.clock.set(REAL);
  });

  it('is the time of everything that follows, and of its events', async () => {
    await set({ advance_seconds: 30 * DAY });
    const made = await world.post('/v1/buyers', buyerBody({ external_id: 'late' }), { key });
    expect(made.body).toMatchObject({ created_at: REAL + 30 * DAY });
    const [event] = await recordedEvents(world, 'late');
    expect(event?.occurred_at).toBe(REAL + 30 * DAY);
  });

  it('does not change the time of other platforms, or the expiry of a key', async () => {
    const key = await world.addKey({ expiresAt: REAL + DAY });
    await world.post(PATH, { advance_seconds: 300 * DAY });
    expect(await shown(key)).toBe(REAL + 300 * DAY);
    const { apiKey: other } = await world.addPlatform();
    expect(await shown(other)).toBe(REAL);
  });

  it('is known to other processes within three seconds', async () => {
    const { elapsedMs } = world.clock;
    expect(await shown()).toBe(REAL);
    // As another process would.
    await world.sql(
      'update platforms set clock_ahead_seconds = 1000 where platform_id = (select max(platform_id) from platforms)',
    );
    expect(await shown()).toBe(REAL);
    world.clock.elapsedMs = () => elapsedMs() + 3_000;
    expect(await shown()).toBe(REAL + 1_000);
    world.clock.elapsedMs = elapsedMs;
  });

  describe('Idempotency-Key', () => {
    const headers = { 'idempotency-key': 'forward' };

    it('advances once, and repeats its answer', async () => {
      const first = await set({ advance_seconds: DAY }, headers);
      const again = await set({ advance_seconds: DAY }, headers);
      expect(again.text).toBe(first.text);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await shown()).toBe(REAL + DAY);
    });

    it('is refused while the first call is running', async () => {
      await set({ advance_seconds: DAY }, headers);
      await world.sql("update idempotency_keys set finishing_until = now() + interval '10 seconds'");
      expectProblem(await set({ advance_seconds: DAY }, headers), 'CONFLICT', 'IDEMPOTENCY_IN_PROGRESS');
      expect(await shown()).toBe(REAL + DAY);
    });

    it('finishes what a call that died had begun, without going forward again', async () => {
      const first = await set({ advance_seconds: DAY }, headers);
      await world.sql("update idempotency_keys set finishing_until = now() - interval '1 second'");
      const next = await set({ advance_seconds: DAY }, headers);
      expect(next.text).toBe(first.text);
      expect(next.headers.has('idempotency-replayed')).toBe(false);
      expect((await set({ advance_seconds: DAY }, headers)).headers.has('idempotency-replayed')).toBe(true);
      expect(await shown()).toBe(REAL + DAY);
    });
  });

  it('adds up what many calls add at once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => set({ advance_seconds: 10 })));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const steps = replies.map(({ body }) => [body.previous, body.now]).sort();
    expect(steps).toEqual(Array.from({ length: 20 }, (_, nth) => [REAL + nth * 10, REAL + nth * 10 + 10]));
    expect(await shown()).toBe(REAL + 200);
  });

  describe('409', () => {
    it('never goes back, and returns the current time', async () => {
      await set({ advance_seconds: DAY });
      const reply = await set({ now: REAL + DAY - 1 });
      expectProblem(reply, 'CONFLICT', 'CLOCK_BACKWARDS');
      expect(reply.body.details.now).toBe(REAL + DAY);
      expect(await shown()).toBe(REAL + DAY);
    });
  });

  describe('400', () => {
    it.each([
      ['nothing', {}, 'REQUIRED', 'body'],
      ['both', { now: REAL + DAY, advance_seconds: 1 }, 'INVALID_VALUE', 'body'],
      ['something else', { days: 3 }, 'UNRECOGNIZED_KEYS', 'body.days'],
      ['null', { now: null }, 'INVALID_TYPE', 'body.now'],
      ['a text', { now: String(REAL + DAY) }, 'INVALID_TYPE', 'body.now'],
      ['half a second', { advance_seconds: 0.5 }, 'INVALID_TYPE', 'body.advance_seconds'],
      ['no step', { advance_seconds: 0 }, 'TOO_SMALL', 'body.advance_seconds'],
      ['a step back', { advance_seconds: -1 }, 'TOO_SMALL', 'body.advance_seconds'],
      ['a negative instant', { now: -1 }, 'TOO_SMALL', 'body.now'],
      ['an instant beyond ten years', { now: REAL + AHEAD_SECONDS_MAX + 1 }, 'TOO_BIG', 'body.now'],
      [
        'a step beyond ten years',
        { advance_seconds: AHEAD_SECONDS_MAX + 1 },
        'TOO_BIG',
        'body.advance_seconds',
      ],
    ])('refuses %s', async (_, body, code, path) => {
      const reply = await set(body);
      expectProblem(reply, 'BAD_REQUEST');
      expect(reply.body.issues).toMatchObject([{ code, path }]);
      expect(await shown()).toBe(REAL);
    });

    it('goes ten years ahead in total, and not a second further', async () => {
      expect((await set({ now: REAL + AHEAD_SECONDS_MAX })).status).toBe(200);
      const reply = await set({ advance_seconds: 1 });
      expect(reply.body.issues).toMatchObject([{ code: 'TOO_BIG', path: 'body.advance_seconds' }]);
      expect(await shown()).toBe(REAL + AHEAD_SECONDS_MAX);
    });
  });

  describe('403', () => {
    it('needs the scope admin', async () => {
      const reading = await world.addKey({ scopes: ['read', 'orders:write'] });
      expectProblem(
        await world.post(PATH, { advance_seconds: 1 }, { key: reading }),
        'FORBIDDEN',
        'INSUFFICIENT_SCOPE',
      );
    });

    it('needs a key of the whole platform', async () => {
      const restricted = await world.addKey({ merchantExternalId: 'm1' });
      expectProblem(
        await world.post(PATH, { advance_seconds: 1 }, { key: restricted }),
        'FORBIDDEN',
        'MERCHANT_NOT_ALLOWED',
      );
    });
  });
});

describe('in production', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_ENVIRONMENT: 'production' } });
  });
  afterAll(() => world.close());

  it.each(['GET', 'POST', 'PUT'] as const)('%s is answered like any unknown path', async (method) => {
    const said = async (path: string) => {
      const { status, headers, body } = await world.send(method, path, method === 'GET' ? {} : { body: {} });
      return { status, allow: headers.get('allow'), code: body.code };
    };
    expect(await said(PATH)).toEqual({ status: 404, allow: null, code: 'NOT_FOUND' });
    expect(await said(PATH)).toEqual(await said('/v1/sandbox/nothing'));
  });

  it('a platform is never ahead, whatever its row contains', async () => {
    const key = await world.addKey();
    await world.sql('update platforms set clock_ahead_seconds = 1000000');
    const made = await world.post('/v1/buyers', buyerBody({ external_id: 'now' }), { key });
    expect(Math.abs(made.body.created_at - Date.now() / 1_000)).toBeLessThan(100_000);
  });
});
