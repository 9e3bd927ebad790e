/** `tradeline mail list|retry` */
import { parseArgs } from 'node:util';
import { StartRefused } from '#kernel/start-refused';
import { listMails, mailLifecycle, retryMails } from '#modules/notifications';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { type OnNamedPlatform, onNamedPlatform } from './on-named-platform.ts';
import { printTable } from './table.ts';

export const mailCommand = commandOf('mail', { list: onNamedPlatform(list), retry: onNamedPlatform(retry) });

const SHOWN_MAX = 200;
const platform = { type: 'string' } as const;

/** Without content and recipients, which do not belong on a terminal. */
function list(args: string[]): OnNamedPlatform {
  const { values } = parseArgs({ args, options: { platform, status: { type: 'string' } } });
  const status = mailLifecycle.states.find((state) => state === values.status);
  if (values.status !== undefined && status === undefined)
    throw new StartRefused(`--status must be one of ${mailLifecycle.states.join(', ')}.`);
  return {
    platform: values.platform,
    async act({ db, platform: { platform_id: platformId } }) {
      const mails = await listMails(db, platformId, {
        ...(status !== undefined && { status }),
        limit: SHOWN_MAX,
        offset: 0,
      });
      printTable(
        mails.map((mail) => ({
          mail: mail.mail_id,
          created: new Date(mail.created_at * 1_000).toISOString(),
          kind: mail.kind,
          status: mail.status,
          attempts: String(mail.attempts),
          failure: mail.failure ?? '',
          cause: mail.cause,
        })),
        'There are no such mails.',
      );
    },
  };
}

function retry(args: string[]): OnNamedPlatform {
  const { values } = parseArgs({ args, options: { platform, mail: { type: 'string' } } });
  const { mail } = values;
  if (mail !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(mail))
    throw new StartRefused('--mail must be an id that `tradeline mail list` shows.');
  return {
    platform: values.platform,
    async act(on) {
      const { code } = on.platform;
      const count = await asOperator(on, { role: 'ADMIN' }, async ({ db, platformId }) => {
        const answer = await retryMails(db, platformId, mail ?? null);
        const audit = {
          action: 'MAILS_RETRIED',
          subject: 'mails',
          details: { mail: mail ?? null, count: answer },
        };
        return { answer, audit: answer === 0 ? null : audit };
      });
      if (count === 0 && mail !== undefined)
        throw new StartRefused(`There is no mail ${mail} of ${code} that failed.`);
      console.log(`${count} ${count === 1 ? 'mail waits' : 'mails wait'} to be sent again.`);
    },
  };
}
