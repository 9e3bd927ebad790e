import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import { testAuthorityPath } from '#test/certificates';
import { type MailServer, startMailServer } from '#test/mail-server';
import { mailsOf, queueMailFor } from '#test/mails';
import { eventually } from '#test/until';
import { createWorld, type World } from '#test/world';
import { insertMails, openMail, sealMail } from './mail.queries.ts';
import { mailExamples } from './mail-examples.ts';
import { composeMail, type MailRequest } from './queue-mail.ts';

const [JANE, ARCHIVE] = ['jane@secret.example', 'archive@m.example'];

let server: MailServer;
let world: World;
beforeAll(async () => {
  server = await startMailServer();
  world = await createWorld({
    settings: { SMTP_URL: server.url, SMTP_FROM: 'fallback@example.com', SMTP_CA_FILE: testAuthorityPath },
  });
});
afterAll(async () => {
  await world.close();
  await server.close();
});

const MAIL: Omit<MailRequest<'order_cancelled'>, 'cause'> = {
  ...{ kind: 'order_cancelled', content: mailExamples.order_cancelled, to: JANE },
  ...{ language: 'EN', formality: 'NEUTRAL', now: 1_763_640_000 },
};

/** Queues a mail as an earlier release did, in which copies were not separate mails. */
async function queueWithCopy(cause: string): Promise<void> {
  const { db, vault } = world.installation;
  const platform = (await findPlatform(db, world.platform.platform_id)) as PlatformRow;
  const ofPlatform = vault.forPlatform(platform.code, platform.data_key_wrapped);
  const mails = await composeMail(vault, platform, { ...MAIL, cause });
  await insertMails(
    db,
    mails.map((row) => {
      const content = openMail(ofPlatform, { mail_id: row.mailId, content_sealed: row.contentSealed });
      return { ...row, contentSealed: sealMail(ofPlatform, row.mailId, { ...content, bcc: ARCHIVE }) };
    }),
  );
}

const mailOf = async (wanted: string) => (await mailsOf(world)).find(({ cause }) => cause === wanted);

/** The recipients of mails since the last call. */
const reached = () => server.taken.splice(0).map(({ recipients }) => recipients);

describe('the copy of a mail', () => {
  it('arrives once while the mail server defers the recipient alone', async () => {
    await world.sql('update platforms set communication_bcc_email = $1', [ARCHIVE]);
    server.answerRecipient = (address) => (address === ARCHIVE ? 250 : 450);
    await queueMailFor(world, world.platform.platform_id, { ...MAIL, cause: 'copied' });
    for (const attempts of [1, 2, 3]) {
      await eventually(async () =>
        expect(await mailOf('copied')).toMatchObject({ attempts, failure: 'DEFERRED 450' }),
      );
      if (attempts === 3) server.answerRecipient = () => 250;
      await world.sql('update mails set next_attempt_at = now()');
    }
    await eventually(async () => expect(await mailOf('copied')).toMatchObject({ status: 'SENT' }));
    expect(reached()).toEqual([[ARCHIVE], [JANE]]);
    await world.sql('update platforms set communication_bcc_email = null');
  });
});

describe('a mail of an earlier release, which names its copy', () => {
  it('is copied once, when the mail server has taken it', async () => {
    server.answerRecipient = (address) => (address === ARCHIVE ? 250 : 450);
    await queueWithCopy('deferred');
    await eventually(async () => expect(await mailOf('deferred')).toMatchObject({ attempts: 1 }));
    expect(reached()).toEqual([]);
    server.answerRecipient = () => 250;
    await world.sql('update mails set next_attempt_at = now()');
    await eventually(async () => expect(await mailOf('deferred')).toMatchObject({ status: 'SENT' }));
    expect(reached()).toEqual([[JANE], [ARCHIVE]]);
  });

  it('is SENT where the copy is refused', async () => {
    server.answerRecipient = (address) => (address === ARCHIVE ? 450 : 250);
    await queueWithCopy('refused');
    await eventually(async () => expect(await mailOf('refused')).toMatchObject({ status: 'SENT' }));
    expect(reached()).toEqual([[JANE]]);
  });
});
