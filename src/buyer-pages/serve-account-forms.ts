/** Receives the forms of the code, the settings and the credit limit. */
import type { FastifyInstance } from 'fastify';
import { formOf, typedIn } from '#http/form-body';
import { answerForm } from './answer-form.ts';
import { type BuyerPageRoutes, forgetBuyerSession, keepBuyerSession, pageSenderOf } from './browser-visit.ts';
import { settingsPage } from './page/settings-page.ts';

export function serveAccountForms(app: FastifyInstance, routes: BuyerPageRoutes): void {
  const { page } = routes;
  app.post('/:token/code/send', async (request, reply) => {
    const { newSession, ...result } = await page.sendCode(pageSenderOf(request));
    if (newSession !== null) keepBuyerSession(routes, request, reply, newSession);
    return answerForm(routes, request, reply, { result, next: 'code' });
  });
  app.post('/:token/code', async (request, reply) => {
    const result = await page.enterCode(pageSenderOf(request), typedIn(formOf(request.body), 'code'));
    return answerForm(routes, request, reply, { result, next: './' });
  });
  app.post('/:token/leave', async (request, reply) => {
    const result = await page.leave(pageSenderOf(request));
    forgetBuyerSession(routes, request, reply);
    return answerForm(routes, request, reply, { result, next: 'code' });
  });
  app.post('/:token/settings', async (request, reply) => {
    const form = formOf(request.body);
    const typed = { language: typedIn(form, 'language'), formality: typedIn(form, 'formality') };
    const result = await page.changeSettings(pageSenderOf(request), typed);
    return answerForm(
      routes,
      request,
      reply,
      { result, next: 'settings?saved', form },
      ({ scene, account }) => settingsPage(scene, account, { isSaved: false }),
    );
  });
  app.post('/:token/credit/review', async (request, reply) => {
    const result = await page.requestReview(pageSenderOf(request));
    return answerForm(routes, request, reply, { result, next: 'credit' });
  });
}
