/** `tradeline mail list|notices|preview|retry` */
import { FORMALITIES, LANGUAGES } from '#kernel/language';
import { StartRefused } from '#kernel/start-refused';
import { isUuid } from '#kernel/uuid';
import {
  listMails,
  listNotices,
  mailLifecycle,
  openReply,
  previewMail,
  retryMails,
} from '#modules/notifications';
import { platformLanguage } from '#modules/platforms';
import { readArguments } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { onPlatform } from './installation.ts';
import { ifGiven, mailKindOf, oneOfStates } from './options.ts';
import { printDone, printItems } from './result.ts';
import { instant } from './table.ts';

export const mailCommand = commandOf('mail', { list, notices, preview, retry });

const SHOWN_MAX = 200;
const text = { type: 'string' } as const;

/** Without content and recipients, which do not belong on a terminal. */
async function list(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, status: text } });
  const status =
    values.status === undefined ? undefined : oneOfStates(values.status, '--status', mailLifecycle.states);
  await onPlatform(values.platform, async ({ db, platform: { platform_id: platformId } }) => {
    const stored = await listMails(db, platformId, {
      ...(status !== undefined && { status }),
      limit: SHOWN_MAX,
      offset: 0,
    });
    const mails = stored.map(({ mail_id, created_at, kind, status, attempts, failure, cause }) => ({
      ...{ mail_id, created_at, kind, status, attempts, failure, cause },
    }));
    const rowOf = (mail: (typeof mails)[number]) => ({
      mail: mail.mail_id,
      created: instant(mail.created_at),
      kind: mail.kind,
      status: mail.status,
      attempts: String(mail.attempts),
      failure: mail.failure ?? '',
      cause: mail.cause,
    });
    printItems(values.json, mails, rowOf, 'There are no such mails.');
  });
}

/** Lists the records of mails with legal consequences. Recipients are masked. */
async function notices(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, buyer: text } });
  const page = { buyer: values.buyer ?? null, limit: SHOWN_MAX, offset: 0 };
  await onPlatform(values.platform, async ({ db, platform, vault }) => {
    const ofPlatform = vault.forPlatform(platform.code, platform.data_key_wrapped);
    const { items } = await listNotices(db, platform.platform_id, page);
    const kept = items.map(({ reply_sealed, text_sha256, ...notice }) => ({
      ...notice,
      text_sha256: text_sha256.toString('hex'),
      reply: openReply(ofPlatform, { notice_id: notice.notice_id, reply_sealed }),
    }));
    const rowOf = (notice: (typeof kept)[number]) => ({
      notice: notice.notice_id,
      created: instant(notice.created_at),
      kind: notice.kind,
      buyer: notice.buyer_external_id ?? '',
      recipient: notice.recipient_masked,
      'handed over': notice.handed_over_at === null ? '' : instant(notice.handed_over_at),
      reply: notice.reply ?? '',
      text: notice.text_sha256,
    });
    printItems(values.json, kept, rowOf, 'There are no such notices.');
  });
}

/** Shows a mail of a kind with made-up content. */
async function preview(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text, language: text, formality: text, html: { type: 'boolean', default: false } },
  });
  const kind = mailKindOf(positionals[0]);
  await onPlatform(values.platform, async ({ platform }) => {
    const language = oneOfStates(values.language ?? platformLanguage(platform), '--language', LANGUAGES);
    const formality = oneOfStates(values.formality ?? platform.formality, '--formality', FORMALITIES);
    const mail = await previewMail(platform, kind, { language, formality });
    const shown = values.html ? mail.html : `${mail.subject}\n\n${mail.text}`;
    printDone(values.json, { kind, language, formality, ...mail }, shown);
  });
}

async function retry(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, mail: text } });
  const expected = 'an id that `tradeline mail list` shows';
  const mail = ifGiven(values.mail, '--mail', isUuid, expected);
  await onPlatform(values.platform, async (on) => {
    const { code } = on.platform;
    const count = await asOperator(on, { role: 'ADMIN' }, async ({ db, platformId }) => {
      const answer = await retryMails(db, platformId, mail);
      const audit = { action: 'MAILS_RETRIED', subject: 'mails', details: { mail, count: answer } };
      return { answer, audit: answer === 0 ? null : audit };
    });
    if (count === 0 && mail !== null)
      throw new StartRefused(`${code} has no failed mail ${mail} that can be sent again.`);
    const waiting = count === 1 ? 'mail waits' : 'mails wait';
    printDone(values.json, { mails: count }, `${count} ${waiting} to be sent again.`);
  });
}
