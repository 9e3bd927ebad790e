import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MailKind } from '#kernel/mail-kind';
import { testAuthorityPath } from '#test/certificates';
import { type MailServer, startMailServer } from '#test/mail-server';
import { mailsOf, queueMailFor, untilSent } from '#test/mails';
import { createWorld, type World } from '#test/world';
import { mailExamples } from './mail-examples.ts';
import { listNotices, openReply, pruneNotices } from './notice.queries.ts';

const NOW = 1_763_640_000;

let server: MailServer;
let world: World;
beforeAll(async () => {
  server = await startMailServer();
  world = await createWorld({
    settings: {
      SMTP_URL: server.url,
      SMTP_FROM: 'fallback@example.com',
      SMTP_CA_FILE: testAuthorityPath,
    },
    platform: { communication_bcc_email: 'archive@m.example' },
  });
  world.clock.set(NOW);
  await world.post('/v1/buyers', { external_id: 'refused', contact_email: 'jane@secret.example' });
});
afterAll(async () => {
  await world.close();
  await server.close();
});

const queue = (cause: string, kind: MailKind = 'credit_refused') =>
  queueMailFor(world, world.platform.platform_id, {
    ...{ cause, kind, content: mailExamples[kind], buyer: 'refused' },
    ...{ to: 'jane@secret.example', language: 'DE', formality: 'NEUTRAL', now: NOW },
  });

const list = async (buyer: string | null = null) =>
  (await listNotices(world.installation.db, world.platform.platform_id, { buyer, limit: 10, offset: 0 }))
    .items;

const vault = () =>
  world.installation.vault.forPlatform(world.platform.code, world.platform.data_key_wrapped);

describe('a refusal', () => {
  it('is kept with its text as a hash, its recipient masked, and the reply of the mail server', async () => {
    expect(await queue('refusal')).toBe(true);
    const [mail] = await untilSent(world, { to: 'jane@secret.example' });
    const [notice] = await list('refused');
    expect(notice).toMatchObject({
      notice_id: mail?.mailId,
      ...{ cause: 'refusal', kind: 'credit_refused', buyer_external_id: 'refused', language: 'DE' },
      ...{ recipient_masked: 'j•••@s•••.example', created_at: NOW, handed_over_at: NOW },
      text_sha256: createHash('sha256')
        .update(mail?.text ?? '')
        .digest(),
    });
    expect(notice && openReply(vault(), notice)).toMatch(/^250 /);
    expect(await list('nobody')).toEqual([]);
    // The copy for the platform is not a notice.
    expect((await mailsOf(world)).map(({ cause }) => cause).sort()).toEqual(['refusal', 'refusal/copy']);
    expect(await list()).toHaveLength(1);
  });

  it('is queued once, also after its mail was deleted', async () => {
    expect(await queue('refusal')).toBe(false);
    await world.sql('delete from mails');
    expect(await queue('refusal')).toBe(false);
    expect((await mailsOf(world)).filter(({ cause }) => cause === 'refusal')).toEqual([]);
    expect(await list()).toHaveLength(1);
  });

  it('of an earlier release, whose mail is there, is not repeated', async () => {
    await queue('before');
    await untilSent(world, { to: 'jane@secret.example' });
    await world.sql("delete from notices where cause = 'before'");
    expect(await queue('before')).toBe(false);
    expect((await list()).map(({ cause }) => cause)).toEqual(['refusal']);
  });

  it('that the mail server did not take has no proof', async () => {
    server.answerRecipient = () => 550;
    await queue('lost');
    await untilSent(world);
    expect((await list()).find(({ cause }) => cause === 'lost')).toMatchObject({
      ...{ handed_over_at: null, reply_sealed: null },
    });
    server.answerRecipient = () => 250;
  });
});

describe('any other mail', () => {
  it('leaves no notice', async () => {
    const before = (await list()).length;
    await queue('order', 'order_confirmed');
    await untilSent(world);
    expect(await list()).toHaveLength(before);
  });
});

describe('notices', () => {
  it('are never changed', async () => {
    const { db } = world.installation;
    await expect(db.updateTable('notices').set({ cause: 'x' }).execute()).rejects.toThrow(
      'permission denied',
    );
  });

  it('are deleted after the years of the setting, with their proof', async () => {
    const { db } = world.installation;
    const kept = await list();
    await world.sql(
      "update notices set recorded_at = now() - interval '10 years' - interval '1 day' where cause = 'refusal'",
    );
    expect(await pruneNotices(db, { keptYears: 11, batchSizeMax: 10 })).toBe(0);
    expect(await pruneNotices(db, { keptYears: 10, batchSizeMax: 10 })).toBe(1);
    expect((await list()).map(({ cause }) => cause)).toEqual(
      kept.map(({ cause }) => cause).filter((cause) => cause !== 'refusal'),
    );
  });
});
