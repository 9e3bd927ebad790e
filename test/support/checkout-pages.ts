/** A browser without scripts in a checkout: its pages and forms over HTTP. */
import { mailsOf } from './mails.ts';
import type { World } from './world.ts';

export interface Answer {
  status: number;
  text: string;
  /** The step that a redirect leads to; null without a redirect. */
  step: string | null;
}

export interface CheckoutPages {
  page(step: string): Promise<Answer>;
  /** Sends a form with the hidden fields of its page. */
  fill(step: string, fields: Record<string, string>): Promise<Answer>;
  /** Enters the last code mailed for this order. */
  enterCode(): Promise<Answer>;
  /** Sends the form that mails a code to the address on file, and enters it. */
  openFile(): Promise<Answer>;
}

export async function openPages(
  world: World,
  { id, token }: { id: string; token: string },
): Promise<CheckoutPages> {
  const at = `${world.baseUrl}/checkout/${token}`;
  let cookie = '';
  const send = async (path: string, form?: Record<string, string>): Promise<Answer> => {
    const answer = await fetch(at + path, {
      redirect: 'manual',
      headers: { cookie, ...(form && { origin: world.baseUrl }) },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    const [kept] = answer.headers.getSetCookie();
    if (kept !== undefined) cookie = kept.split(';')[0] as string;
    const location = answer.headers.get('location');
    const step = location && (new URL(location, at + path).pathname.split('/').at(-1) as string);
    return { status: answer.status, text: await answer.text(), step };
  };
  const page = (step: string) => send(`/${step}`);
  const fill: CheckoutPages['fill'] = async (step, fields) =>
    send(`/${step}`, { ...hiddenIn((await page(step)).text), ...fields });
  const enterCode = async () => fill('code', { code: await lastCodeOf(world, id) });
  await send('');
  return {
    page,
    fill,
    enterCode,
    async openFile() {
      await send('/code/send', hiddenIn((await page('code')).text));
      return enterCode();
    },
  };
}

/** The version of the checkout, and of the terms. */
function hiddenIn(html: string): Record<string, string> {
  const fields = html.matchAll(/<input type="hidden" name="(version|termsVersion)" value="([^"]*)">/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value] as [string, string]));
}

async function lastCodeOf(world: World, orderExternalId: string): Promise<string> {
  const mails = await mailsOf(world);
  const ours = mails.filter(({ cause }) => cause.startsWith(`checkout/${orderExternalId}/code/`));
  const code = /^\d{6}/.exec(ours.at(-1)?.subject ?? '')?.[0];
  if (code === undefined) throw new Error('No code was mailed.');
  return code;
}
