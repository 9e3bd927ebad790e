import { createHash, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileStore } from '#infra/files/file-store';
import type { Log } from '#infra/log';
import { createSmtp } from '#infra/mail/smtp';
import type { MailKind } from '#kernel/mail-kind';
import { mailExamples } from '#modules/notifications';
import { merchantBody } from '#test/bodies';
import { testAuthority, testAuthorityPath } from '#test/certificates';
import { type MailServer, startMailServer } from '#test/mail-server';
import { mailsOf, queueMailFor, untilSent } from '#test/mails';
import { eventually } from '#test/until';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { createMailer } from './mailer.ts';

let server: MailServer;
let world: World;
beforeEach(async () => {
  server = await startMailServer();
});
afterEach(async () => {
  await world?.close();
  await server.close();
});

const open = async (settings: Record<string, string> = {}) => {
  world = await createWorld({
    settings: {
      SMTP_URL: server.url,
      SMTP_FROM: 'fallback@example.com',
      SMTP_CA_FILE: testAuthorityPath,
      TRADELINE_BASE_URL: 'https://credit.example.com',
      ...settings,
    },
  });
};

const queue = (to = 'jane.doe@secret.example', kind: MailKind = 'order_pending') =>
  queueMailFor(world, world.platform.platform_id, {
    cause: randomUUID(),
    kind,
    to,
    ...{ language: 'EN', formality: 'NEUTRAL' },
    content: mailExamples[kind],
    now: world.clock.now(),
  });

const attempted = (attempts: number) =>
  eventually(async () => {
    const [mail] = await mailsOf(world);
    expect(mail?.attempts).toBe(attempts);
    return mail;
  });

const waits = async () => {
  const [row] = await world.sql<{ seconds: number }>(
    'select extract(epoch from next_attempt_at - now())::float8 as seconds from mails',
  );
  return row?.seconds;
};

const letTimePass = () => world.sql('update mails set next_attempt_at = now()');

describe('a mail that waits', () => {
  it('is sent at the next poll, and is SENT when the mail server has it', async () => {
    await open();
    await queue();
    const [taken] = await server.waitFor(1);
    const [mail] = await untilSent(world);
    expect(mail).toMatchObject({ status: 'SENT', attempts: 1, failure: null, sentAt: expect.any(Number) });
    expect(taken?.parsed.messageId).toBe(`<${mail?.mailId}@credit.example.com>`);
    expect(taken).toMatchObject({ from: 'fallback@example.com', isEncrypted: true });
    expect(taken?.parsed.subject).toBe(mail?.subject);
  });

  it('is sent again unchanged, with the same id, when the server defers it', async () => {
    await open();
    server.answerRecipient = () => 450;
    await queue();
    expect(await attempted(1)).toMatchObject({ status: 'PENDING', failure: 'DEFERRED 450', sentAt: null });
    expect(await waits()).toBeGreaterThan(5);
    expect(await waits()).toBeLessThanOrEqual(10);
    // The server accepts it without answering: the mail arrives twice, with the same id.
    server.answerRecipient = () => 250;
    server.answerData = () => {
      server.answerData = () => 250;
      return 451;
    };
    await letTimePass();
    expect(await attempted(2)).toMatchObject({ failure: 'DEFERRED 451' });
    await letTimePass();
    const [mail] = await untilSent(world);
    expect(mail).toMatchObject({ status: 'SENT', attempts: 3, failure: null });
    expect(server.taken[0]?.parsed.messageId).toBe(`<${mail?.mailId}@credit.example.com>`);
  });

  it('arrives again, with the same id, when the last reply of the server is lost', async () => {
    await open();
    server.answerData = () => {
      server.answerData = () => 250;
      server.cut();
      return 250;
    };
    await queue();
    expect(await attempted(1)).toMatchObject({ status: 'PENDING', failure: 'CONNECTION' });
    await letTimePass();
    const [mail] = await untilSent(world);
    expect(mail).toMatchObject({ status: 'SENT', attempts: 2 });
    const ids = server.taken.map(({ parsed }) => parsed.messageId);
    expect(ids).toEqual(Array(2).fill(`<${mail?.mailId}@credit.example.com>`));
  });

  it('is FAILED at once when the recipient is refused permanently', async () => {
    await open();
    server.answerRecipient = () => 550;
    await queue();
    expect(await attempted(1)).toMatchObject({
      status: 'FAILED',
      failure: 'RECIPIENT_REFUSED 550',
      sentAt: null,
    });
    expect(await world.sql('select 1 as marked from refused_addresses')).toEqual([{ marked: 1 }]);
  });

  it('ends the mark of a refused address when the server accepts a mail to it', async () => {
    await open();
    server.answerRecipient = () => 550;
    await queue();
    await attempted(1);
    server.answerRecipient = () => 250;
    await world.sql(`update mails set status = 'PENDING', attempts = 0, next_attempt_at = now()`);
    await eventually(async () => expect(await world.sql('select from refused_addresses')).toEqual([]));
  });

  it.each([
    ['order_pending', '23 hours 50 minutes', 13, 'FAILED'],
    ['order_pending', '20 hours', 3, 'PENDING'],
    ['order_pending', '20 hours', 13, 'FAILED'],
    ['checkout_code', '9 minutes 50 seconds', 2, 'FAILED'],
    ['checkout_code', '5 minutes', 2, 'PENDING'],
  ] as const)('of %s that waits since %s is after attempt %i %s', async (kind, age, attempts, status) => {
    await open({ TRADELINE_WORKER: 'off' });
    server.answerRecipient = () => 450;
    await queue(undefined, kind);
    await world.sql('update mails set attempts = $1, waiting_since = now() - $2::interval', [attempts, age]);
    const { mailer, close } = await openMailer();
    await mailer.dispatch();
    expect(await attempted(attempts + 1)).toMatchObject({ status, failure: 'DEFERRED 450' });
    await close();
  });
});

describe('a mail with files', () => {
  const bytes = Buffer.from('%PDF-1.7 invoice', 'latin1');
  const fileId = randomUUID();
  const attach = () =>
    queueMailFor(world, world.platform.platform_id, {
      ...{ cause: randomUUID(), kind: 'order_confirmed', content: mailExamples.order_confirmed },
      ...{ to: 'jane.doe@secret.example', language: 'EN', formality: 'NEUTRAL', now: world.clock.now() },
      files: [{ fileId, name: 'Rechnung\r\n№ 7.pdf', mediaType: 'application/pdf' }],
    });

  it('has them attached, and stores no copy of them', async () => {
    await open();
    const { db, vault } = world.installation;
    const { platform_id: platformId, code, data_key_wrapped } = world.platform;
    const content = { platformId, fileId, bytes, sha256: createHash('sha256').update(bytes).digest() };
    await createFileStore(null).putFile(db, vault.forPlatform(code, data_key_wrapped), content, 1);
    await attach();
    const [taken] = await server.waitFor(1);
    const [attached] = taken?.parsed.attachments ?? [];
    expect(attached).toMatchObject({ filename: 'Rechnung № 7.pdf', mimeType: 'application/pdf' });
    expect(Buffer.from(attached?.content as ArrayBuffer)).toEqual(bytes);
    const [mail] = await untilSent(world);
    expect(JSON.stringify(mail)).not.toContain(bytes.toString('base64').slice(0, 12));
  });

  it('is FAILED where one was deleted, and tells nobody half of it', async () => {
    await open();
    await attach();
    expect(await attempted(1)).toMatchObject({ status: 'FAILED', failure: 'FILE_MISSING' });
    expect(server.requested).toEqual([]);
  });
});

describe('without a mail server', () => {
  it('a sandbox delivers to its mailbox', async () => {
    await open({ SMTP_URL: '', SMTP_FROM: '' });
    await queue();
    expect(await untilSent(world)).toMatchObject([{ status: 'SENT', attempts: 1 }]);
    expect(server.requested).toEqual([]);
  });

  it('mails of production wait until there is one', async () => {
    await open({
      SMTP_URL: '',
      SMTP_FROM: '',
      TRADELINE_ENVIRONMENT: 'production',
      TRADELINE_BASE_URL: '',
      TRADELINE_LOG_LEVEL: 'error',
    });
    await queue();
    await world.post('/v1/merchants', merchantBody({}));
    // When the event has its number, the worker has run.
    await eventually(async () =>
      expect(await world.sql('select from events where position = 1')).toHaveLength(1),
    );
    expect(await mailsOf(world)).toMatchObject([{ status: 'PENDING', attempts: 0 }]);
    const { mailer, close } = await openMailer();
    await mailer.dispatch();
    await server.waitFor(1);
    await close();
    expect(await mailsOf(world)).toMatchObject([{ status: 'SENT' }]);
  });
});

async function openMailer(log?: Log) {
  const { close, ...parts } = await openWorkerProcess(world);
  const smtp = createSmtp({
    server: { host: '127.0.0.1', port: server.port, isSecure: false, user: null, password: null },
    from: 'fallback@example.com',
    extraCa: testAuthority,
  });
  let turns = Promise.resolve();
  const mailer = createMailer({
    ...parts,
    ...(log && { log }),
    smtp,
    host: 'localhost',
    onSlotFree: () => void dispatch(),
  });
  /** As in the worker, one claim waits for the other. */
  const dispatch = () => {
    turns = turns.then(() => mailer.dispatch());
    return turns;
  };
  return {
    mailer: { ...mailer, dispatch },
    async close() {
      await mailer.stop();
      await turns;
      await close();
    },
  };
}

describe('several workers', () => {
  it('send each mail once', async () => {
    await open({ TRADELINE_WORKER: 'off' });
    const addresses = Array.from({ length: 60 }, (_, index) => `n${index}@example.com`);
    await Promise.all(addresses.map((to) => queue(to)));
    const mailers = await Promise.all([openMailer(), openMailer(), openMailer()]);
    await Promise.all(mailers.map(({ mailer }) => mailer.dispatch()));
    await untilSent(world);
    expect(server.taken.map(({ recipients }) => recipients[0]).sort()).toEqual(addresses.sort());
    for (const { close } of mailers) await close();
  });
});

describe('a worker that stops', () => {
  it('releases the mails of a mail server that hangs; five were in progress, and five next', async () => {
    await open({ TRADELINE_WORKER: 'off' });
    server.answerRecipient = () => new Promise(() => {});
    for (let n = 0; n < 11; n++) await queue(`n${n}@example.com`);
    const { mailer, close } = await openMailer();
    await mailer.dispatch();
    await eventually(() => expect(server.requested).toHaveLength(5));
    expect(await world.sql('select from mails where next_attempt_at > now()')).toHaveLength(10);
    await close();
    expect(await world.sql('select from mails where next_attempt_at <= now() and attempts = 0')).toHaveLength(
      11,
    );
  });
});

describe('the log', () => {
  it('contains no recipient, whatever the mail server replies', async () => {
    await open({ TRADELINE_WORKER: 'off' });
    const lines: string[] = [];
    const note = (...parts: unknown[]) =>
      void lines.push(
        JSON.stringify(parts, (_, value) => (value instanceof Error ? `${value.stack}` : value)),
      );
    const log = { debug: note, info: note, warn: note, error: note, isLevelEnabled: () => true } as never;
    const { mailer, close } = await openMailer(log);
    server.answerRecipient = (address) => (address.startsWith('jane') ? 550 : 250);
    await queue();
    await queue('not an address');
    await mailer.dispatch();
    await eventually(async () => {
      const statuses = (await mailsOf(world)).map(({ status }) => status);
      expect(statuses).toEqual(['FAILED', 'FAILED']);
    });
    await close();
    expect(lines).toHaveLength(2);
    expect(lines.join()).toContain('RECIPIENT_REFUSED');
    expect(lines.join()).not.toMatch(/jane|secret\.example|no such person/);
  });
});
