/** The commands that follow events, each in its own process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#infra/time/clock';
import { signatureHeader } from '#kernel/signature';
import { buyerBody } from '#test/bodies';
import { runHere } from '#test/command';
import { onEachRequest, startRawServer } from '#test/raw-server';
import { type Receiver, startReceiver } from '#test/receiver';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';

/** The limit for one platform in one process. */
const WAITING_MAX = 64;
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

let world: World;
let receiver: Receiver;
beforeAll(async () => {
  [world, receiver] = await Promise.all([createWorld(), startReceiver()]);
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

interface Follower {
  process: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Ends it as Ctrl-C does; returns its exit code. */
  interrupt(): Promise<number | null>;
}
let followers: Follower[] = [];
afterEach(async () => {
  await Promise.all(followers.map((each) => each.interrupt()));
  followers = [];
});

/** Starts a command and waits until it reports that it has begun. */
async function follow(args: string[], baseUrl = world.baseUrl, apiKey = world.apiKey): Promise<Follower> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, TRADELINE_BASE_URL: baseUrl, TRADELINE_API_KEY: apiKey };
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const follower: Follower = {
    process: child,
    stdout: () => stdout,
    stderr: () => stderr,
    async interrupt() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGINT');
        await once(child, 'close');
      }
      return child.exitCode;
    },
  };
  followers.push(follower);
  await until(() => /Events after position/.test(stdout + stderr) || child.exitCode !== null);
  return follower;
}

let made = 0;
const makeBuyer = async () => {
  const external_id = `listened-${++made}`;
  expect((await world.post('/v1/buyers', buyerBody({ external_id }))).status).toBe(201);
  return external_id;
};
const received = (id: string) => receiver.received.filter(({ event }) => event.data.external_id === id);

/** The connection between a command and the service, which can be cut. */
async function startLine() {
  const { port } = new URL(world.baseUrl);
  let isCut = false;
  const sockets = new Set<Socket>();
  const waitsAtMs: number[] = [];
  const server = await startRawServer((socket) => {
    if (isCut) return socket.destroy();
    const onward = connect(Number(port), '127.0.0.1');
    socket.on('data', (chunk) => {
      if (chunk.includes('&wait=')) waitsAtMs.push(performance.now());
    });
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other).on('error', () => one.destroy());
      one.on('close', () => other.destroy());
    }
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    /** The times at which calls that wait for events passed through it. */
    waitsAtMs,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    close: () => server.close(),
  };
}

describe('listen', () => {
  it('hands on what happens from now on, signed with the secret that it prints, and says what became of it', async () => {
    await makeBuyer();
    const listening = await follow(['listen', '--forward-to', receiver.url]);
    const [, secret = ''] = /Signing secret: (tl_whsec_\S+)/.exec(listening.stdout()) ?? [];
    const id = await makeBuyer();
    const [got] = await receiver.waitFor(1, ({ event }) => event.data.external_id === id);
    expect(receiver.received).toHaveLength(1);
    const { headers, raw } = got as (typeof receiver.received)[number];
    const t = Number(headers['webhook-timestamp']);
    expect(headers['service-signature']).toBe(signatureHeader([secret], raw, t));
    expect(Math.abs(systemClock.now() - t)).toBeLessThan(300);
    expect(new Webhook(secret, { format: 'raw' }).verify(raw, headers as Record<string, string>)).toEqual(
      got?.event,
    );
    await until(() =>
      new RegExp(`^BUYER\\.CREATED {2}${id} {2}2\\d\\d {2}\\d+ ms$`, 'm').test(listening.stdout()),
    );
    receiver.answerNext(500);
    const other = await makeBuyer();
    await until(() => listening.stdout().includes(`BUYER.CREATED  ${other}  500  `));
    expect(await listening.interrupt()).toBe(0);
    expect(listening.stdout()).toMatch(/Continue with --after \d+\.\n$/);
  });

  it('hands on the types that are named, prints events for programs, and goes on behind a position', async () => {
    const args = [
      'listen',
      '--forward-to',
      receiver.url,
      '--types',
      'MERCHANT,BUYER.CREATED',
      '--print-json',
    ];
    const first = await follow(args);
    const id = await makeBuyer();
    await world.put(`/v1/buyers/${id}/settings`, { language: 'FR' });
    await until(() => first.stdout() !== '');
    await first.interrupt();
    const [event] = first
      .stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(event).toMatchObject({ type: 'BUYER.CREATED', data: { external_id: id } });
    const missed = await makeBuyer();
    const second = await follow([...args, '--after', String(event.position)]);
    await until(() => received(missed).length === 1);
    expect(received(id).map(({ event: { type } }) => type)).toEqual(['BUYER.CREATED']);
    expect(second.stdout()).not.toContain('BUYER.UPDATED');
  });

  it('says why a request failed, and goes on', async () => {
    const server = await startRawServer((socket) => onEachRequest(socket, () => socket.destroy()));
    const listening = await follow(['listen', '--forward-to', `http://127.0.0.1:${server.port}`]);
    const [one, two] = [await makeBuyer(), await makeBuyer()];
    await until(() => new RegExp(`${one} {2}failed: .+\\n.+${two} {2}failed: `).test(listening.stdout()));
    await server.close();
  });

  it('goes on after a cut, and leaves nothing out', async () => {
    const line = await startLine();
    const listening = await follow(['listen', '--forward-to', receiver.url], line.url);
    line.cut();
    await until(() => listening.stdout().includes('No answer from'));
    const ids = [await makeBuyer(), await makeBuyer()];
    line.mend();
    await until(() => ids.every((id) => received(id).length === 1));
    expect(listening.stdout()).toContain('The service answers again.');
    await listening.interrupt();
    await line.close();
  });

  it('says that too many calls wait already, and asks again once Retry-After has passed', async () => {
    const { apiKey: key } = await world.addPlatform({ code: 'many-calls' });
    const statuses: number[] = [];
    const calls = Array.from({ length: WAITING_MAX + 1 }, async () => {
      statuses.push((await world.get('/v1/events?after=0&wait=30', { key })).status);
    });
    await until(() => statuses[0] === 429);
    const line = await startLine();
    const listening = await follow(['listen', '--forward-to', receiver.url], line.url, key);
    await until(() => line.waitsAtMs.length >= 3);
    const sentence = `The service answered 429 TOO_MANY_REQUESTS: ${WAITING_MAX} calls of this platform are already waiting for events: trying again.`;
    expect(listening.stdout().split(sentence)).toHaveLength(2);
    for (const [nth, atMs] of line.waitsAtMs.slice(0, 2).entries())
      expect((line.waitsAtMs[nth + 1] as number) - atMs).toBeGreaterThan(990);
    await world.post('/v1/buyers', buyerBody({ external_id: 'after-the-calls' }), { key });
    await until(() => received('after-the-calls').length === 1);
    expect(listening.stdout()).toContain('The service answers again.');
    await Promise.all(calls);
    await listening.interrupt();
    await line.close();
  });

  it.each([
    [['listen'], '--forward-to is required'],
    [['listen', '--forward-to', 'localhost:4242'], '--forward-to is required'],
    [['listen', '--forward-to', 'http://localhost:1', '--after', '-1'], '--after'],
    [['events', 'list'], 'tradeline events tail'],
  ])('refuses %j', async (args, part) => {
    const { code, stderr } = await runHere(args, { TRADELINE_API_KEY: world.apiKey });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(part) });
  });

  it('says why the service refuses: an unknown type, a position that nobody has, a key of one merchant', async () => {
    const refused = async (args: string[], key = world.apiKey) => {
      const env = { TRADELINE_BASE_URL: world.baseUrl, TRADELINE_API_KEY: key };
      const { code, stderr } = await runHere(['listen', '--forward-to', receiver.url, ...args], env);
      expect(code).toBe(1);
      return stderr;
    };
    expect(await refused(['--types', 'ODER'])).toContain('query.type');
    expect(await refused(['--after', '999999'])).toMatch(
      /400 .+ The oldest position to start after is 0\.\n$/,
    );
    const key = await world.addKey({ scopes: ['read'], merchantExternalId: 'm1' });
    expect(await refused([], key)).toContain('403 MERCHANT_NOT_ALLOWED');
  });
});

describe('events tail', () => {
  it('prints a line for each event, or the event', async () => {
    const [lines, events] = await Promise.all([
      follow(['events', 'tail', '--types', 'BUYER']),
      follow(['events', 'tail', '--json']),
    ]);
    const id = await makeBuyer();
    await until(() => lines.stdout() !== '' && events.stdout() !== '');
    expect(lines.stdout()).toMatch(new RegExp(`^\\d+ {2}\\S+ {2}BUYER\\.CREATED {2}${id} {2}1\\n$`));
    expect(JSON.parse(events.stdout())).toMatchObject({ type: 'BUYER.CREATED', data: { external_id: id } });
    expect(await lines.interrupt()).toBe(0);
  });

  it('begins behind 0 with the oldest event that is kept', async () => {
    await makeBuyer();
    const firstEvent = async () => (await world.get('/v1/events?limit=1')).body.items[0];
    await until(firstEvent);
    await world.sql('delete from events where position = (select min(position) from events)');
    await makeBuyer();
    const kept = await until(firstEvent);
    const tail = await follow(['events', 'tail', '--after', '0']);
    await until(() => tail.stdout() !== '');
    expect(tail.stderr()).toContain(`Events after position ${kept.position - 1} of`);
    expect(tail.stdout()).toMatch(new RegExp(`^${kept.position} `));
  });
});
