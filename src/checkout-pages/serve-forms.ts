/** What the forms of the pages send. Every one ends with a page to look at, so that going back or reloading sends nothing. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formOf, typedIn } from '#http/form-body';
import type { CheckoutForms, CheckoutStep, FieldError, FormResult, FormSender } from '#modules/checkout';
import { drawStep } from './draw-step.ts';
import { relativeLinksOf } from './relative-links.ts';
import { sendPage } from './send-page.ts';
import { sessionOf } from './session-cookie.ts';
import { readCompanyInput, readDeliveryInput, readPersonInput, readVersionInput } from './typed-entries.ts';
import {
  goTo,
  isReached,
  leadTo,
  type PageDeps,
  refuseUnknown,
  tokenOf,
  type Visit,
  whenOpen,
} from './visit.ts';

type Send = (forms: CheckoutForms, sender: FormSender, form: URLSearchParams) => Promise<FormResult>;

interface Form {
  /** The step whose page shows what is wrong. */
  step: CheckoutStep;
  /** Where a form that is done leads without a look at the checkout; a step that is not reached leads on by itself. */
  next?: CheckoutStep;
  send: Send;
}

/** By the path. */
const FORMS: Record<string, Form> = {
  code: { step: 'code', send: (forms, sender, form) => forms.enterCode(sender, typedIn(form, 'code')) },
  'code/send': { step: 'code', send: (forms, sender) => forms.sendCode(sender) },
  company: {
    step: 'company',
    next: 'details',
    send(forms, sender, form) {
      const businessId = typedIn(form, 'businessId');
      return businessId === ''
        ? forms.enterCompany(sender, readCompanyInput(form))
        : forms.chooseCompany(sender, businessId);
    },
  },
  details: {
    step: 'details',
    send: (forms, sender, form) =>
      forms.enterDetails(sender, { person: readPersonInput(form), delivery: readDeliveryInput(form) }),
  },
  payment: {
    step: 'payment',
    next: 'review',
    send: (forms, sender, form) => forms.choosePayment(sender, typedIn(form, 'term')),
  },
  review: {
    step: 'review',
    next: 'outcome',
    send: (forms, sender, form) =>
      forms.placeOrder(sender, {
        isGiven: typedIn(form, 'consent') === 'yes',
        termsVersion: typedIn(form, 'termsVersion'),
      }),
  },
  cancel: { step: 'outcome', send: (forms, sender) => forms.cancelOrder(sender) },
};

export function serveForms(app: FastifyInstance, deps: PageDeps): void {
  for (const [path, { step, next, send }] of Object.entries(FORMS))
    app.post(`/:token/${path}`, async (request, reply) => {
      const form = formOf(request.body);
      const withCheckoutLock = await send(deps.forms, senderOf(request, form), form);
      if (withCheckoutLock.kind === 'UNKNOWN') return refuseUnknown(request, deps.countGuess);
      if (withCheckoutLock.kind === 'DECIDED') return leadTo(reply, relativeLinksOf(request.url), 'payment');
      if (withCheckoutLock.kind === 'DONE' && next) return leadTo(reply, relativeLinksOf(request.url), next);
      return whenOpen(deps, request, reply, (visit) =>
        answer(visit, { withCheckoutLock, step, form, request, reply }),
      );
    });
  app.post('/:token/language', async (request, reply) => {
    const form = formOf(request.body);
    const chosen = await deps.forms.chooseLanguage(senderOf(request, form), typedIn(form, 'language'));
    if (chosen.kind === 'UNKNOWN') return refuseUnknown(request, deps.countGuess);
    // Whatever became of it, the page says it: and a page of a step that is not reached leads to the one that is.
    return whenOpen(deps, request, reply, (visit) => {
      const at = typedIn(form, 'at');
      return goTo(reply, visit, RETURNS.has(at) ? at : visit.view.step);
    });
  });
}

/** Pages on which the language can be changed. */
const RETURNS: ReadonlySet<string> = new Set([
  'code',
  'company',
  'details',
  'payment',
  'review',
  'outcome',
  'terms',
  'cancel',
]);

function senderOf(request: FastifyRequest, form: URLSearchParams): FormSender {
  return { token: tokenOf(request), session: sessionOf(request), version: readVersionInput(form) };
}

interface Sent {
  withCheckoutLock: Exclude<FormResult, { kind: 'DECIDED' }>;
  step: CheckoutStep;
  form: URLSearchParams;
  request: FastifyRequest;
  reply: FastifyReply;
}

const CHANGED: FieldError = { field: null, error: 'error.changed' };
const NO_COOKIES: FieldError = { field: null, error: 'error.cookies' };

function answer(visit: Visit, { withCheckoutLock, step, form, request, reply }: Sent) {
  const { view } = visit;
  const refuse = (status: number, errors: FieldError[], typed: URLSearchParams | null) => {
    // The page that it was sent from may have had its turn: then its fields are not there to lead to.
    const isThere = isReached(view, step);
    const shown = isThere ? errors : errors.map((error) => ({ ...error, field: null }));
    const html = drawStep(visit, isThere ? step : view.step, {
      refused: { errors: shown, typed: isThere ? typed : null },
    });
    return sendPage(request, reply, { status, html, origins: view.platform.origins });
  };
  switch (withCheckoutLock.kind) {
    case 'DONE':
      return goTo(reply, visit, view.step);
    case 'STALE':
      if (view.outcome !== null) return goTo(reply, visit, view.step);
      return refuse(409, [CHANGED], null);
    case 'NO_SESSION':
      return refuse(403, [NO_COOKIES], form);
    case 'REFUSED':
      return refuse(422, withCheckoutLock.errors, form);
    case 'UNKNOWN':
      throw new Error('A checkout cannot be unknown and open.');
  }
}
