/** A server of the checkout's pages that shows the given views. The token of an address is the name of a view. */
import fastify, { type FastifyInstance } from 'fastify';
import { createLog } from '#infra/log';
import { systemClock } from '#infra/time/clock';
import type { CheckoutForms, CheckoutView, CompanySearch, FieldError } from '#modules/checkout';
import { checkout } from '../../src/checkout-pages/index.ts';

export interface ShownCheckout {
  baseUrl: string;
  app: FastifyInstance;
  close(): Promise<void>;
}

export interface Shown {
  views: Record<string, CheckoutView>;
  search?: CompanySearch;
  /** The errors of every form. */
  errors?: FieldError[];
  baseUrl?: string | null;
}

export async function showCheckout({
  views,
  search,
  errors = [],
  baseUrl = null,
}: Shown): Promise<ShownCheckout> {
  const app = fastify({ forceCloseConnections: true });
  const refuse = async () => ({ kind: 'REFUSED', errors }) as const;
  const forms: CheckoutForms = {
    async open(token) {
      const view = views[token];
      return view ? { kind: 'OPEN', view, newSession: 'a-session' } : { kind: 'UNKNOWN' };
    },
    async statusOf(token) {
      const view = views[token];
      return view ? { outcome: view.outcome, version: view.version } : null;
    },
    searchCompanies: async () => search ?? null,
    chooseLanguage: refuse,
    sendCode: refuse,
    enterCode: refuse,
    skipCode: refuse,
    requestReview: refuse,
    chooseCompany: refuse,
    enterCompany: refuse,
    enterDetails: refuse,
    choosePayment: refuse,
    placeOrder: refuse,
    cancelOrder: refuse,
  };
  app.register(checkout, {
    prefix: '/checkout',
    forms,
    baseUrlOf: () => baseUrl,
    clock: systemClock,
    log: createLog('error'),
  });
  return { baseUrl: await app.listen({ port: 0, host: '127.0.0.1' }), app, close: () => app.close() };
}
