/** The buyer's own page as a browser sees it, over HTTP. */
import { createPageToken, type PageLink, recipientMacOf } from '#modules/buyers';
import { buyerBody } from './bodies.ts';
import { mailsOf } from './mails.ts';
import type { World } from './world.ts';

const FAR = 4_102_444_800;

export interface PageReply {
  status: number;
  text: string;
  headers: Headers;
}

/** A browser that opened one link. It keeps its cookie. */
export interface PageBrowser {
  token: string;
  get(page: string): Promise<PageReply>;
  /** Sends a form of the page. */
  post(page: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<PageReply>;
  /** Sends a form with files, which can have several values of one name. */
  send(page: string, fields: [string, string | File][], headers?: Record<string, string>): Promise<PageReply>;
  cookie(): string | null;
}

export function pageToken(
  { installation, platform }: World,
  buyerExternalId: string,
  more: Partial<PageLink> & { to?: string; of?: World['platform'] } = {},
): string {
  const { to, of = platform, ...link } = more;
  const vault = installation.vault.forPlatform(of.code, of.data_key_wrapped);
  return createPageToken(vault, of.platform_id, {
    ...{ buyerExternalId, invoiceExternalId: null, expiresAt: FAR },
    recipientMac: to === undefined ? null : recipientMacOf(vault, to),
    ...link,
  });
}

export function pageBrowser({ baseUrl }: Pick<World, 'baseUrl'>, token: string): PageBrowser {
  let cookie: string | null = null;
  const send = async (path: string, init: RequestInit): Promise<PageReply> => {
    const headers = { ...(init.headers as object), ...(cookie !== null && { cookie }) };
    const answer = await fetch(`${baseUrl}/buyer/${token}${path}`, {
      ...{ redirect: 'manual', ...init, headers },
    });
    for (const set of answer.headers.getSetCookie()) cookie = (set.split(';')[0] as string) || null;
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  return {
    token,
    cookie: () => cookie,
    get: (page) => send(page === '' ? '' : `/${page}`, {}),
    post: (page, fields = {}, headers = { 'sec-fetch-site': 'same-origin' }) =>
      send(`/${page}`, {
        ...{ method: 'POST', body: new URLSearchParams(fields).toString() },
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
    send: (page, fields, headers = { 'sec-fetch-site': 'same-origin' }) => {
      const body = new FormData();
      for (const [name, value] of fields) body.append(name, value);
      return send(`/${page}`, { method: 'POST', body, headers });
    },
  };
}

/** The codes mailed to an address, oldest first. */
export async function pageCodes(world: World, to: string): Promise<string[]> {
  const mails = await mailsOf(world, { to });
  return mails.filter(({ kind }) => kind === 'page_code').map(({ subject }) => subject.slice(0, 6));
}

/** A browser that has entered the code mailed to `to`. */
export async function openedPage(
  world: World,
  buyer: string,
  to: string,
  more: Partial<PageLink> = {},
): Promise<PageBrowser> {
  const browser = pageBrowser(world, pageToken(world, buyer, { to, ...more }));
  await browser.post('code/send');
  const code = (await pageCodes(world, to)).at(-1) ?? '';
  const { status, text } = await browser.post('code', { code });
  if (status !== 303) throw new Error(`The code did not open the page: ${status} ${text}`);
  return browser;
}

/** A buyer with the language English. */
export function englishBuyer<T extends object>(more: T) {
  return {
    ...buyerBody({ legal_form: 'LIMITED_COMPANY' as const }),
    business_address: { postcode: 'EC1A 1BB', city: 'London', country: 'GB' },
    ...more,
  };
}
