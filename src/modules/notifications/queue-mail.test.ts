import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { MAIL_KIND_NAMES, type MailKind, traitsOf } from '#kernel/mail-kind';
import { openPageToken, PAGE_LINK_SECONDS, recipientMacOf } from '#modules/buyers';
import { buyerBody } from '#test/bodies';
import { mailsOf, queueMailFor } from '#test/mails';
import { createWorld, type World } from '#test/world';
import { openMail } from './mail.queries.ts';
import { finishMail } from './mail-attempt.queries.ts';
import { mailExamples } from './mail-examples.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({
    settings: { TRADELINE_WORKER: 'off' },
    platform: { name: 'Markthalle\r\nBcc: eve@example.com' },
  });
});
afterAll(() => world.close());

const NOW = 1_763_640_000;

const queue = (
  cause: string,
  {
    platformId = world.platform.platform_id,
    ...more
  }: { platformId?: number; to?: string; baseUrl?: string } = {},
  db = world.installation.db,
) =>
  queueMailFor(
    world,
    platformId,
    {
      cause,
      kind: 'order_confirmed',
      to: `${cause}@example.com`,
      language: 'EN',
      formality: 'NEUTRAL',
      content: mailExamples.order_confirmed,
      now: NOW,
      ...more,
    },
    db,
  );

describe('a mail', () => {
  it('is queued with its content rendered', async () => {
    expect(await queue('first')).toBe(true);
    expect(await mailsOf(world, { to: 'first@example.com' })).toMatchObject([
      {
        kind: 'order_confirmed',
        status: 'PENDING',
        attempts: 0,
        createdAt: NOW,
        sentAt: null,
        from: { name: 'Markthalle Bcc: eve@example.com', address: null },
        bcc: null,
        replyTo: null,
        locale: 'en-GB',
        direction: 'ltr',
        subject: 'Your Markthalle Bcc: eve@example.com order order-1009 is confirmed',
        text: expect.stringContaining('€1,234.56'),
        html: expect.stringContaining('€1,234.56'),
      },
    ]);
  });

  it('has the sender that the platform has set, and a copy', async () => {
    const { platform } = await world.addPlatform();
    await world.sql(
      `update platforms set communication_email = 'orders@m.example', communication_bcc_email = 'archive@m.example',
        logo_url = '/checkout/logos/m-0123456789abcdef.png' where platform_id = $1`,
      [platform.platform_id],
    );
    await queueMailFor(world, platform.platform_id, {
      cause: 'own',
      kind: 'order_cancelled',
      to: 'own@example.com',
      language: 'EN',
      formality: 'NEUTRAL',
      content: mailExamples.order_cancelled,
      now: NOW,
      baseUrl: 'https://credit.example.com',
    });
    const [mail] = await mailsOf(world, { to: 'own@example.com' });
    expect(mail).toMatchObject({
      from: { address: 'orders@m.example' },
      replyTo: 'orders@m.example',
      bcc: null,
    });
    const { subject, text, html } = mail as NonNullable<typeof mail>;
    expect(await mailsOf(world, { to: 'archive@m.example' })).toMatchObject([
      { cause: 'own/copy', bcc: null, from: { address: 'orders@m.example' }, subject, text, html },
    ]);
    expect(mail?.html).toContain('src="https://credit.example.com/checkout/logos/m-0123456789abcdef.png"');
  });

  it('has its code and its link for the recipient alone: the copy is a mail without them', async () => {
    const { platform } = await world.addPlatform();
    const platformId = platform.platform_id;
    await world.sql('update platforms set communication_bcc_email = $1 where platform_id = $2', [
      'copy@m.example',
      platformId,
    ]);
    const shared = { language: 'EN', formality: 'NEUTRAL', now: NOW } as const;
    const kinds = ['checkout_code', 'checkout_invitation', 'order_confirmed', 'order_pending'] as const;
    for (const kind of kinds)
      await queueMailFor(world, platformId, {
        ...{ ...shared, kind, cause: kind, content: mailExamples[kind] },
        to: 'only@example.com',
      });
    const [code, invitation] = await mailsOf(world, { to: 'only@example.com' });
    expect([code?.bcc, invitation?.bcc]).toEqual([null, null]);
    expect(code?.subject).toContain('493027');
    const { url } = mailExamples.checkout_invitation;
    expect(invitation?.text).toContain(url);
    const copies = await mailsOf(world, { to: 'copy@m.example' });
    expect(copies.map(({ kind, cause }) => [kind, cause])).toEqual(
      kinds.map((kind) => [kind, `${kind}/copy`]),
    );
    for (const { subject, text, html } of copies) {
      expect(`${subject}${text}${html}`).not.toMatch(/493027|\/checkout\/[wx]/);
      expect(text).toContain('order-1009');
    }
    expect(copies[0]?.subject).toContain('••••••');
    // The platform may be the recipient itself.
    await queueMailFor(world, platformId, {
      ...{ ...shared, kind: 'checkout_code', cause: 'self', content: mailExamples.checkout_code },
      to: 'copy@m.example',
    });
    expect(await mailsOf(world, { to: 'copy@m.example' })).toHaveLength(5);
  });

  it('has the link to the buyer’s page for the recipient alone, in every kind that has one', async () => {
    const { platform, apiKey: key } = await world.addPlatform();
    await world.post('/v1/buyers', buyerBody({}), { key });
    await world.sql('update platforms set communication_bcc_email = $1 where platform_id = $2', [
      'all@m.example',
      platform.platform_id,
    ]);
    const kinds = MAIL_KIND_NAMES.filter((kind) => traitsOf(kind).audience === 'BUYER');
    for (const kind of kinds)
      await queueMailFor(world, platform.platform_id, {
        ...{ kind, cause: `page/${kind}`, content: mailExamples[kind], buyer: 'buyer', invoice: 'invoice' },
        ...{ to: 'reader@example.com', language: 'EN', formality: 'NEUTRAL', now: NOW },
        baseUrl: 'https://credit.example.com',
      });
    const sent = await mailsOf(world, { to: 'reader@example.com' });
    expect(sent.map(({ kind }) => kind).sort()).toEqual(kinds.toSorted());
    expect(sent.some(({ text }) => text.includes('/buyer/'))).toBe(true);
    for (const { kind, text, html, bcc } of sent) {
      const hasLink = traitsOf(kind as MailKind).isBeforeDebt !== true;
      const [, token] = /https:\/\/credit\.example\.com\/buyer\/([\w-]+)$/m.exec(text) ?? [];
      expect([kind, token !== undefined]).toEqual([kind, hasLink]);
      if (token === undefined) continue;
      expect(html).toContain(`href="https://credit.example.com/buyer/${token}"`);
      expect(bcc).toBeNull();
      const vault = world.installation.vault.forPlatform(platform.code, platform.data_key_wrapped);
      expect(openPageToken(vault, token)).toEqual({
        ...{ buyerExternalId: 'buyer', invoiceExternalId: 'invoice', expiresAt: NOW + PAGE_LINK_SECONDS },
        recipientMac: recipientMacOf(vault, 'reader@example.com'),
      });
    }
    for (const { text, html } of await mailsOf(world, { to: 'all@m.example' }))
      expect(`${text}${html}`).not.toContain('/buyer/');
  });

  // service.md §2, Platform: "communication_bcc_email: optional address blind-copied on all outgoing buyer communication".
  it('is copied to communication_bcc_email in every kind to buyers, and in no other', async () => {
    const { platform } = await world.addPlatform();
    const { platform_id: platformId } = platform;
    const set = "update platforms set communication_bcc_email = 'every@m.example' where platform_id = $1";
    await world.sql(set, [platformId]);
    for (const kind of MAIL_KIND_NAMES)
      await queueMailFor(world, platformId, {
        ...{ kind, cause: `every/${kind}`, content: mailExamples[kind], to: `${kind}@example.com` },
        ...{ language: 'EN', formality: 'NEUTRAL', now: NOW },
      });
    const ofBuyers = MAIL_KIND_NAMES.filter((kind) => traitsOf(kind).audience === 'BUYER');
    const copies = await mailsOf(world, { to: 'every@m.example' });
    expect(copies.map(({ cause }) => cause).sort()).toEqual(
      ofBuyers.map((kind) => `every/${kind}/copy`).sort(),
    );
    // A blind copy: the buyer's mail names nobody else.
    for (const kind of ofBuyers) {
      const [mail] = await mailsOf(world, { to: `${kind}@example.com` });
      expect(JSON.stringify(mail)).not.toContain('every@m.example');
    }
  });

  it.each(['https://elsewhere.example/logo.png', '/checkout/logos/m-0123456789abcdef.svg'])(
    'does not show the logo %s, which is foreign or not displayed by mail programs',
    async (logo) => {
      await world.sql('update platforms set logo_url = $1 where platform_id = $2', [
        logo,
        world.platform.platform_id,
      ]);
      await queue(`logo-${logo.length}`, { baseUrl: 'https://credit.example.com' });
      const [mail] = await mailsOf(world, { to: `logo-${logo.length}@example.com` });
      expect(mail?.html).not.toContain('<img');
    },
  );

  it('is encrypted: text and recipient cannot be read, or moved to another mail', async () => {
    await queue('sealed');
    const rows = await world.sql<{ mail_id: string; content_sealed: Buffer; row: string }>(
      'select mail_id, content_sealed, m::text as row from mails m order by waiting_since desc limit 2',
    );
    for (const { row, content_sealed } of rows) {
      expect(row).not.toMatch(/@|order-1009|Rösterei/);
      expect(content_sealed.toString('latin1')).not.toContain('example.com');
    }
    const { code, data_key_wrapped } = world.platform;
    const vault = world.installation.vault.forPlatform(code, data_key_wrapped);
    const [one, other] = rows as [(typeof rows)[0], (typeof rows)[0]];
    expect(() => openMail(vault, { ...one, content_sealed: other.content_sealed })).toThrow();
  });
});

describe('a cause', () => {
  it('has one mail, for repeated and concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => queue('often')));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await queue('often')).toBe(false);
    expect(await mailsOf(world, { to: 'often@example.com' })).toHaveLength(1);
  });

  it('belongs to one platform: another may use the same', async () => {
    const { platform } = await world.addPlatform();
    expect(await queue('shared')).toBe(true);
    expect(await queue('shared', { platformId: platform.platform_id })).toBe(true);
  });

  it('that is rolled back leaves no mail, and can be used later', async () => {
    const { db } = world.installation;
    const failing = inTransaction(db, async (transaction) => {
      await queue('undone', {}, transaction);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await queue('undone')).toBe(true);
  });
});

describe('a kind that the platform has switched off', () => {
  it('is not queued, until it is switched on again', async () => {
    await world.sql("update platforms set mails_off = '{order_confirmed}' where code = $1", [
      world.platform.code,
    ]);
    expect(await queue('unwanted')).toBe(false);
    await world.sql("update platforms set mails_off = '{}' where code = $1", [world.platform.code]);
    expect(await queue('unwanted')).toBe(true);
  });
});

describe('an attempt whose claim another worker has taken over', () => {
  it('changes nothing: the result of the other attempt stays', async () => {
    await queue('taken-over');
    const [mail] = await mailsOf(world, { to: 'taken-over@example.com' });
    const { db } = world.installation;
    const postponed = {
      platformId: world.platform.platform_id,
      mailId: mail?.mailId as string,
      attempt: 1,
      status: 'PENDING',
      failure: 'DEFERRED 450',
      sentAt: null,
      delaySeconds: 10,
      replySealed: null,
      addressMac: null,
    } as const;
    expect(await finishMail(db, postponed)).toBe(true);
    expect(await finishMail(db, { ...postponed, failure: 'TIMEOUT' })).toBe(false);
    expect(await mailsOf(world, { to: 'taken-over@example.com' })).toMatchObject([
      { attempts: 1, failure: 'DEFERRED 450' },
    ]);
  });
});
