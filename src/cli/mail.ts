/** `tradeline mail list|retry` */
import { StartRefused } from '#kernel/start-refused';
import { isUuid } from '#kernel/uuid';
import { listMails, mailLifecycle, retryMails } from '#modules/notifications';
import { readArguments } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { onPlatform } from './installation.ts';
import { oneOfStates, required } from './options.ts';
import { printDone, printItems } from './result.ts';
import { instant } from './table.ts';

export const mailCommand = commandOf('mail', { list, retry });

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

async function retry(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, mail: text } });
  const expected = 'an id that `tradeline mail list` shows';
  const mail = values.mail === undefined ? null : required(values.mail, '--mail', isUuid, expected);
  await onPlatform(values.platform, async (on) => {
    const { code } = on.platform;
    const count = await asOperator(on, { role: 'ADMIN' }, async ({ db, platformId }) => {
      const answer = await retryMails(db, platformId, mail);
      const audit = { action: 'MAILS_RETRIED', subject: 'mails', details: { mail, count: answer } };
      return { answer, audit: answer === 0 ? null : audit };
    });
    if (count === 0 && mail !== null)
      throw new StartRefused(`There is no mail ${mail} of ${code} that failed.`);
    const waiting = count === 1 ? 'mail waits' : 'mails wait';
    printDone(values.json, { mails: count }, `${count} ${waiting} to be sent again.`);
  });
}
