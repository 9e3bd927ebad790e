/** The mailbox of a sandbox: shows every mail of a platform, so that no mail has to be sent. */
import { readFile } from 'node:fs/promises';
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formOf, readFormBodies, typedIn } from '#http/form-body';
import { assertOwnOrigin } from '#http/own-origin';
import type { Db } from '#infra/database/database';
import type { Vault } from '#infra/secrets/vault';
import { findMail, listMails, type MailContent, type MailRow, openMail } from '#modules/notifications';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import type { Caller } from '#operation/caller';
import { MAILBOX_PATH, mailboxToken, platformOfToken } from './access.ts';
import { type ListedMail, mailListPage, messagePage, missingPage, signInPage } from './pages.ts';

const COOKIE = 'tl_mailbox';
const PAGE_SIZE = 50;
const PAGES_MAX = 100_000;
const FORM_BYTES_MAX = 4_096;

export interface MailboxOptions {
  db: Db;
  vault: Vault;
  /** The configured address; null for http://host:port. */
  baseUrl: string | null;
  /** The address for the client of a request; null for the one of its Host. */
  baseUrlOf(request: FastifyRequest): string | null;
  /** The sender address of platforms without their own. */
  smtpFrom: string | null;
  authenticate(authorization: string | undefined): Promise<Caller | null> | Caller | null;
}

const SHARED_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
};

const PAGE_HEADERS = {
  ...SHARED_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  // Our own forms send their origin; other sites do not learn the address.
  'referrer-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/** A mail contains foreign text: it runs no script and loads nothing foreign, even when it is opened directly. */
const MAIL_HEADERS = {
  ...SHARED_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; " +
    'sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation',
};

export async function mailbox(app: FastifyInstance, options: MailboxOptions): Promise<void> {
  const root = `${pathOf(options.baseUrl)}${MAILBOX_PATH}`;
  await app.register(cookie);
  readFormBodies(app, FORM_BYTES_MAX);
  app.get(`${MAILBOX_PATH}/style.css`, async (_, reply) =>
    reply
      .headers({ ...SHARED_HEADERS, 'cache-control': 'no-cache', 'content-type': 'text/css; charset=utf-8' })
      .send(await readFile(new URL('./style.css', import.meta.url))),
  );
  serveList(app, root, options);
  serveSignIn(app, root, options);
  serveMessages(app, root, options);
}

function serveList(app: FastifyInstance, root: string, options: MailboxOptions): void {
  app.get<{ Querystring: Record<string, unknown> }>(MAILBOX_PATH, async (request, reply) => {
    const { access, page: requested } = request.query;
    if (typeof access === 'string') {
      const isValid = (await platformOfToken(options, access)) !== null;
      return isValid ? letIn(reply, access, root, options) : requestKey(reply, root, true);
    }
    const platform = await readerOf(request, options);
    if (!platform) return requestKey(reply, root, false);
    const page = pageOf(requested);
    const rows = await listMails(options.db, platform.platform_id, {
      limit: PAGE_SIZE + 1,
      offset: (page - 1) * PAGE_SIZE,
    });
    const mails = rows.slice(0, PAGE_SIZE).map((row) => opened(options, platform, row));
    const hasMore = rows.length > PAGE_SIZE;
    return show(reply, await mailListPage({ root, platformName: platform.name, mails, page, hasMore }));
  });
}

function serveSignIn(app: FastifyInstance, root: string, options: MailboxOptions): void {
  app.post(MAILBOX_PATH, async (request, reply) => {
    assertOwnOrigin(request, options.baseUrlOf(request));
    const key = typedIn(formOf(request.body), 'api_key');
    const caller = await options.authenticate(`Bearer ${key.trim()}`);
    // Mails concern the whole platform, so a key restricted to one merchant may not read them.
    const mayRead = caller !== null && caller.merchantExternalId === null && caller.scopes.has('read');
    const platform = mayRead ? await findPlatform(options.db, caller.platformId) : undefined;
    if (!platform) return requestKey(reply, root, true);
    return letIn(reply, mailboxToken(options.vault, platform), root, options);
  });
}

function serveMessages(app: FastifyInstance, root: string, options: MailboxOptions): void {
  const findMessage = async (platform: PlatformRow, mailId: string): Promise<ListedMail | null> => {
    const row = UUID.test(mailId) ? await findMail(options.db, platform.platform_id, mailId) : undefined;
    return row ? opened(options, platform, row) : null;
  };

  app.get<{ Params: { mailId: string } }>(`${MAILBOX_PATH}/:mailId`, async (request, reply) => {
    const platform = await readerOf(request, options);
    if (!platform) return requestKey(reply, root, false);
    const { name: platformName } = platform;
    const mail = await findMessage(platform, request.params.mailId);
    if (!mail) return show(reply, await missingPage({ root, platformName }), 404);
    const sender = mail.content.from.address ?? options.smtpFrom;
    return show(reply, await messagePage({ root, platformName, mail, sender }));
  });

  app.get<{ Params: { mailId: string } }>(`${MAILBOX_PATH}/:mailId/html`, async (request, reply) => {
    const platform = await readerOf(request, options);
    const mail = platform && (await findMessage(platform, request.params.mailId));
    if (!mail) return reply.code(404).headers(MAIL_HEADERS).send('');
    return reply.headers(MAIL_HEADERS).send(inTopWindow(mail.content));
  });
}

function readerOf(request: FastifyRequest, options: MailboxOptions): Promise<PlatformRow | null> {
  return platformOfToken(options, request.cookies[COOKIE] ?? '');
}

function opened({ vault }: MailboxOptions, platform: PlatformRow, row: MailRow): ListedMail {
  return { row, content: openMail(vault.forPlatform(platform.code, platform.data_key_wrapped), row) };
}

function show(reply: FastifyReply, page: string, status = 200): FastifyReply {
  return reply.code(status).headers(PAGE_HEADERS).send(page);
}

async function requestKey(reply: FastifyReply, root: string, isRefused: boolean): Promise<FastifyReply> {
  return show(reply, await signInPage({ root, isRefused }), isRefused ? 403 : 200);
}

function letIn(
  reply: FastifyReply,
  token: string,
  root: string,
  { baseUrlOf }: MailboxOptions,
): FastifyReply {
  const secure = baseUrlOf(reply.request)?.startsWith('https:') ?? false;
  return reply
    .setCookie(COOKIE, token, { httpOnly: true, sameSite: 'lax', path: root, secure })
    .headers(PAGE_HEADERS)
    .redirect(root, 303);
}

/** The path prefix of a proxy, without a trailing slash. */
function pathOf(baseUrl: string | null): string {
  return baseUrl === null ? '' : new URL(baseUrl).pathname.replace(/\/$/, '');
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Links of a mail open in a new window. In this frame, they open in the top window instead. */
function inTopWindow({ html }: MailContent): string {
  return html.replaceAll(' target="_blank"', ' target="_top"');
}

/** A page number from 1; 1 for any other text. */
function pageOf(requested: unknown): number {
  const page = /^\d{1,6}$/.test(String(requested)) ? Number(requested) : 1;
  return Math.min(Math.max(page, 1), PAGES_MAX);
}
