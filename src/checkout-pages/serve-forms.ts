/** Receives the forms of the pages. Every form ends with a redirect or an error page, so that reloading resends nothing. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formOf, typedIn } from '#http/form-body';
import type { CheckoutForms, CheckoutStep, FieldError, FormResult, FormSender } from '#modules/checkout';
import { refuseUnknown } from '#pages/guess-limit';
import { redirectTo } from '#pages/redirect';
import { relativeLinksOf } from '#pages/relative-links';
import { sendPage } from '#pages/send-page';
import { sessionOf } from './checkout-session.ts';
import {
  readCompanyInput,
  readDeliveryInput,
  readInvoiceInput,
  readPersonInput,
  readVersionInput,
} from './form-input.ts';
import { renderStep } from './render-step.ts';
import { isReached, openVisit, type PageDeps, redirectWithin, senderOf, type Visit } from './visit.ts';

type Send = (forms: CheckoutForms, sender: FormSender, form: URLSearchParams) => Promise<FormResult>;

interface FormRoute {
  /** The step whose page shows the form's errors. */
  step: CheckoutStep;
  /**
   * The redirect of a completed form, without reading the checkout again. The page of a step that is not reached redirects to the
   * current one.
   */
  next?: CheckoutStep;
  send: Send;
}

/** Forms by path. */
const FORMS: Record<string, FormRoute> = {
  code: { step: 'code', send: (forms, sender, form) => forms.enterCode(sender, typedIn(form, 'code')) },
  'code/send': { step: 'code', send: (forms, sender) => forms.sendCode(sender) },
  'code/skip': { step: 'code', send: (forms, sender) => forms.skipCode(sender) },
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
      forms.enterDetails(sender, {
        person: readPersonInput(form),
        delivery: readDeliveryInput(form),
        invoice: readInvoiceInput(form),
      }),
  },
  'payment/appeal': { step: 'payment', send: (forms, sender) => forms.requestReview(sender) },
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
  for (const [path, route] of Object.entries(FORMS))
    app.post(`/:token/${path}`, (request, reply) => answerForm(deps, route, request, reply));
  app.post('/:token/language', (request, reply) => answerLanguage(deps, request, reply));
}

async function answerForm(
  deps: PageDeps,
  { step, next, send }: FormRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = formOf(request.body);
  const result = await send(deps.forms, formSenderOf(request, form), form);
  if (result.kind === 'UNKNOWN') return refuseUnknown(request, deps.countGuess);
  if (result.kind === 'CREDIT_DECIDED') return redirectTo(reply, relativeLinksOf(request.url), 'payment');
  if (result.kind === 'DONE' && next) return redirectTo(reply, relativeLinksOf(request.url), next);

  const visit = await openVisit(deps, request, reply);
  if (visit === null) return reply;
  switch (result.kind) {
    case 'DONE':
      return redirectWithin(reply, visit, visit.view.step);
    case 'STALE':
      if (visit.view.outcome !== null) return redirectWithin(reply, visit, visit.view.step);
      return sendErrors(visit, request, reply, { status: 409, step, errors: [CHANGED], typed: null });
    case 'NO_SESSION':
      return sendErrors(visit, request, reply, { status: 403, step, errors: [NO_COOKIES], typed: form });
    case 'REFUSED':
      return sendErrors(visit, request, reply, { status: 422, step, errors: result.errors, typed: form });
  }
}

async function answerLanguage(
  deps: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = formOf(request.body);
  const result = await deps.forms.chooseLanguage(formSenderOf(request, form), typedIn(form, 'language'));
  if (result.kind === 'UNKNOWN') return refuseUnknown(request, deps.countGuess);
  // The page shows the language in use, regardless of the result. A page that is not reached redirects to the current step.
  const visit = await openVisit(deps, request, reply);
  if (visit === null) return reply;
  const page = typedIn(form, 'at');
  return redirectWithin(reply, visit, PAGES_WITH_LANGUAGE.has(page) ? page : visit.view.step);
}

const PAGES_WITH_LANGUAGE: ReadonlySet<string> = new Set([
  'code',
  'company',
  'details',
  'payment',
  'review',
  'outcome',
  'terms',
  'cancel',
]);

function formSenderOf(request: FastifyRequest, form: URLSearchParams): FormSender {
  return senderOf(request, sessionOf(request), readVersionInput(form));
}

const CHANGED: FieldError = { field: null, error: 'error.changed' };
const NO_COOKIES: FieldError = { field: null, error: 'error.cookies' };

interface FormErrors {
  status: number;
  step: CheckoutStep;
  errors: FieldError[];
  typed: URLSearchParams | null;
}

function sendErrors(
  visit: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, step, errors, typed }: FormErrors,
): FastifyReply {
  const { view } = visit;
  // The step may no longer be open. The current step's page then shows the errors, without links to the missing fields. If a code
  // could not be sent, the code's page shows the error, because it offers other ways to continue.
  const isOfCode = view.step === 'code' && errors.every(({ field }) => field === null);
  const isOpen = isReached(view, step) && !isOfCode;
  const refused = isOpen
    ? { errors, typed }
    : { errors: errors.map((error) => ({ ...error, field: null })), typed: null };
  const html = renderStep(visit, isOpen ? step : view.step, { refused });
  return sendPage(request, reply, { status, html, origins: view.platform.origins });
}
