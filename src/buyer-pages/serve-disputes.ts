/** Serves the form of a dispute, which can contain files, and the button that withdraws a dispute. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { typedIn } from '#http/form-body';
import { multipartOf, readMultipartBodies } from '#http/multipart-body';
import { endWithAnswer, hasBody, limitTime } from '#http/protocol-guard';
import { createUploadSlots } from '#http/upload-slots';
import { notFound } from '#kernel/problem';
import { isUuid } from '#kernel/uuid';
import { amountFieldOf, FORM_FILES_BYTES_MAX, type SentDispute } from '#modules/buyer-page';
import { FILE_BODY } from '#operation/file-body';
import { redirectTo } from '#pages/redirect';
import { sendPage } from '#pages/send-page';
import { type AnsweredForm, answerForm } from './answer-form.ts';
import { type BuyerPageRoutes, linksOf, pageSenderOf, visitOf } from './browser-visit.ts';
import { idIn } from './id-in-path.ts';
import { disputePage } from './page/dispute-page.ts';

/** The limit for the rest of the body: the fields, and the separators of the parts. */
const FIELDS_BYTES_MAX = 256 * 1024;

export function serveDisputes(app: FastifyInstance, routes: BuyerPageRoutes): void {
  const { page } = routes;
  const slots = createUploadSlots();
  readMultipartBodies(app, FORM_FILES_BYTES_MAX + FIELDS_BYTES_MAX);

  /** Refuses files to a page that no code has opened, and limits concurrent uploads. */
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    const visit = await visitOf(routes, request);
    if (visit.kind === 'LOCKED') {
      endWithAnswer(request.raw, reply.raw);
      return redirectTo(reply, linksOf(request), 'code');
    }
    if (!hasBody(request.headers)) return;
    const { platformId } = visit.account;
    slots.take(platformId);
    reply.raw.once('close', () => slots.release(platformId));
    limitTime(request.raw, FILE_BODY.secondsMax, '');
  };

  app.get('/:token/invoices/:invoice/dispute', async (request, reply) => {
    const visit = await visitOf(routes, request);
    if (visit.kind === 'LOCKED') return redirectTo(reply, linksOf(request), 'code');
    const formId = randomUUID();
    const invoiceId = idIn(request, 'invoice');
    const form = await visit.account.disputeForm(invoiceId, formId);
    if (form === null) throw notFound();
    if (form.availableMinor === 0) return redirectTo(reply, linksOf(request), `invoices/${invoiceId}`);
    return sendPage(request, reply, { html: disputePage(visit.scene, form, formId) });
  });
  app.post('/:token/invoices/:invoice/dispute', { onRequest: admit }, async (request, reply) => {
    const invoice = idIn(request, 'invoice');
    const { fields } = multipartOf(request.body);
    const formId = isUuid(typedIn(fields, 'form')) ? typedIn(fields, 'form') : randomUUID();
    const result = await page.openDispute(pageSenderOf(request), sentDispute(request, { invoice, formId }));
    const answered: AnsweredForm = { result, next: `invoices/${invoice}?disputed`, form: fields };
    return answerForm(routes, request, reply, answered, async ({ scene, account }) => {
      const form = await account.disputeForm(invoice, formId);
      return form && disputePage(scene, form, formId);
    });
  });
  app.post('/:token/invoices/:invoice/disputes/:dispute/withdraw', async (request, reply) => {
    const invoiceExternalId = idIn(request, 'invoice');
    const named = { invoiceExternalId, externalId: idIn(request, 'dispute') };
    const result = await page.withdrawDispute(pageSenderOf(request), named);
    return answerForm(routes, request, reply, { result, next: `invoices/${invoiceExternalId}` });
  });
}

function sentDispute(
  { body }: FastifyRequest,
  { invoice, formId }: { invoice: string; formId: string },
): SentDispute {
  const { fields, files, isCutOff } = multipartOf(body);
  const kept = fields.getAll('kept');
  return {
    ...{ invoiceExternalId: invoice, formId },
    typed: {
      ...{
        about: typedIn(fields, 'about'),
        amount: typedIn(fields, 'amount'),
        lines: fields.getAll('lines'),
      },
      ...{ reason: typedIn(fields, 'reason'), comment: typedIn(fields, 'comment') },
      amountOfLine: (number) => typedIn(fields, amountFieldOf(number)),
    },
    files: { files, isCutOff, unwantedIds: fields.getAll('held').filter((id) => !kept.includes(id)) },
  };
}
