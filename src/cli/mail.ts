/** `tradeline mail list|retry` */
import { parseArgs } from 'node:util';
import { StartRefused } from '#kernel/start-refused';
import { listMails, mailLifecycle, retryMails } from '#modules/notifications';
import { type OnPlatform, onPlatform } from './installation.ts';
import { printTable } from './table.ts';

type Verb = (args: string[]) => {
  platform: string | undefined;
  act(on: OnPlatform): Promise<void>;
};

const VERBS: Record<string, Verb> = { list, retry };
const SHOWN_MAX = 200;
const platform = { type: 'string' } as const;

export async function mailCommand([verb = '', ...args]: string[]): Promise<void> {
  const read = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!read) throw new StartRefused('Say what to do: tradeline mail list or retry.');
  const { platform: code, act } = read(args);
  if (code === undefined) throw new StartRefused('--platform is required: the code of the platform.');
  await onPlatform(code, act);
}

/** Without content and recipients, which do not belong on a terminal. */
function list(args: string[]): ReturnType<Verb> {
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

function retry(args: string[]): ReturnType<Verb> {
  const { values } = parseArgs({ args, options: { platform, mail: { type: 'string' } } });
  const { mail } = values;
  if (mail !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(mail))
    throw new StartRefused('--mail must be an id that `tradeline mail list` shows.');
  return {
    platform: values.platform,
    async act({ db, platform: { platform_id: platformId, code } }) {
      const count = await retryMails(db, platformId, mail ?? null);
      if (count === 0 && mail !== undefined)
        throw new StartRefused(`There is no mail ${mail} of ${code} that failed.`);
      console.log(`${count} ${count === 1 ? 'mail waits' : 'mails wait'} to be sent again.`);
    },
  };
}
