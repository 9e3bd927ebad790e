/** Serves the pages, which change nothing. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendFile } from '#http/file-answer';
import { notFound } from '#kernel/problem';
import type { PageAccount } from '#modules/buyer-page';
import type { AnsweredFile } from '#operation/file-body';
import { redirectTo } from '#pages/redirect';
import { COMMON_HEADERS } from '#pages/security-headers';
import { sendPage } from '#pages/send-page';
import { type AccountScene, type BuyerPageRoutes, linksOf, visitOf } from './browser-visit.ts';
import { firstPageOf } from './first-page.ts';
import { idIn } from './id-in-path.ts';
import { buyerCodePage } from './page/buyer-code-page.ts';
import { creditPage } from './page/credit-page.ts';
import { invoicePage } from './page/invoice-page.ts';
import { openItemsPage, settledItemsPage } from './page/items-page.ts';
import { settingsPage } from './page/settings-page.ts';
import { statementsPage } from './page/statements-page.ts';

interface Opened {
  scene: AccountScene;
  account: PageAccount;
  request: FastifyRequest;
  reply: FastifyReply;
}

export function serveAccount(app: FastifyInstance, routes: BuyerPageRoutes): void {
  const open = (path: string, answer: (opened: Opened) => Promise<FastifyReply> | FastifyReply) =>
    app.get(path, async (request, reply) => {
      const visit = await visitOf(routes, request);
      if (visit.kind === 'LOCKED') return redirectTo(reply, linksOf(request), 'code');
      return answer({ scene: visit.scene, account: visit.account, request, reply });
    });
  const page = (path: string, render: (opened: Opened) => Promise<string> | string) =>
    open(path, async (opened) => sendPage(opened.request, opened.reply, { html: await render(opened) }));

  // Without a trailing slash, relative links start one folder higher.
  app.get<{ Params: { token: string } }>('/:token', async (request, reply) => {
    await visitOf(routes, request);
    return redirectTo(reply, linksOf(request), `${encodeURIComponent(request.params.token)}/`);
  });
  open('/:token/', ({ account, reply, scene }) => redirectTo(reply, scene.links, firstPageOf(account)));
  app.get('/:token/code', async (request, reply) => {
    const visit = await visitOf(routes, request);
    if (visit.kind === 'OPEN') return redirectTo(reply, visit.scene.links, firstPageOf(visit.account));
    return sendPage(request, reply, { html: buyerCodePage(visit.scene, visit.code) });
  });
  page('/:token/invoices', async ({ scene, account, request }) =>
    openItemsPage(scene, account, await account.openItems(pageOf(request))),
  );
  page('/:token/past', async ({ scene, account, request }) =>
    settledItemsPage(scene, account, await account.settledItems(pageOf(request))),
  );
  page('/:token/invoices/:invoice', async ({ scene, account, request }) => {
    const invoice = await account.invoice(idIn(request, 'invoice'));
    if (invoice === null) throw notFound();
    return invoicePage(scene, invoice, { isDisputed: request.url.endsWith('?disputed') });
  });
  page('/:token/credit', async ({ scene, account }) => creditPage(scene, account, await account.credit()));
  page('/:token/settings', ({ scene, account, request }) =>
    settingsPage(scene, account, { isSaved: request.url.endsWith('?saved') }),
  );
  page('/:token/statements', async ({ scene, account }) =>
    statementsPage(scene, account, await account.statements()),
  );
  const download = (path: string, find: (opened: Opened) => Promise<AnsweredFile | null>) =>
    open(path, async (opened) => {
      const file = await find(opened);
      if (file === null) throw notFound();
      return sendFile(opened.request, opened.reply.headers(COMMON_HEADERS), file);
    });
  download('/:token/invoices/:invoice/files/:file', ({ account, request }) =>
    account.file(idIn(request, 'invoice'), idIn(request, 'file')),
  );
  download('/:token/invoices/:invoice/documents/:document', ({ account, request }) =>
    account.sentDocument(idIn(request, 'invoice'), idIn(request, 'document')),
  );
  download('/:token/statements/:statement', ({ account, request }) =>
    account.statement(idIn(request, 'statement')),
  );
}

const PAGES_MAX = 10_000;

/** From 0; 0 for any text that is not a page number. */
function pageOf({ url }: FastifyRequest): number {
  const typed = new URLSearchParams(url.split('?')[1] ?? '').get('page') ?? '';
  const page = /^\d{1,5}$/.test(typed) ? Number(typed) - 1 : 0;
  return page >= 0 && page < PAGES_MAX ? page : 0;
}
