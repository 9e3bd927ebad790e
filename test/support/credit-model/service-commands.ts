/** Commands on services of invoices, and on their documents. */
import fc from 'fast-check';
import { defaultWriteOff } from '#modules/financing';
import { FILES } from '../files.ts';
import { always, Command, hasInvoices, pick } from './command.ts';
import type { Service, ServiceType } from './merchant-state.ts';
import { createInvoice } from './new-invoice.ts';
import type { Reality, Reply } from './reality.ts';
import * as services from './service.ts';
import { allowedFor, hasActiveService } from './service-status.ts';
import { type Answer, BUYER, DAY_SECONDS, done, type Invoice, type Model } from './state.ts';

const nth = fc.nat(63);
const DOCUMENT = 'file_external_id=document&kind=INVOICE&name=invoice.pdf';
const hasServices = (model: Readonly<Model>) => model.services.length > 0;
const isOpen = ({ status }: Invoice) => status === 'OPEN';

/** The document of an invoice that has none. */
export const attachFile = (which: number) =>
  new Command(
    `attachFile #${which}`,
    ({ invoices }) => invoices.some(({ hasFile }) => !hasFile),
    (model, reality) => {
      const without = model.invoices.filter(({ hasFile }) => !hasFile);
      const invoice = pick(without, which, isOpen);
      return {
        send: () => reality.post(`/v1/invoices/${invoice.id}/files?${DOCUMENT}`, FILES['application/pdf']),
        foretell: () => {
          invoice.hasFile = true;
          return done(201);
        },
      };
    },
  );

export const requestService = (which: number, type: ServiceType) =>
  new Command(`requestService ${type} #${which}`, hasInvoices, (model, reality) => {
    const isApt = (each: Invoice) =>
      isOpen(each) && !hasActiveService(model, each) && (each.hasFile || type !== 'FINANCING');
    const invoice = pick(model.invoices, which, isApt);
    const body = { terms_accepted_at: model.now };
    return {
      send: () => reality.post(`/v1/invoices/${invoice.id}/services/${type}`, body),
      foretell: (reply) => services.requestService(model, invoice, type, reply.body.external_id),
    };
  });

/** An invoice without an order, its document, and the request to finance it. */
export const financedInvoice = (gross: number, dueInDays: number) =>
  new Command(`financedInvoice ${gross} due ${dueInDays}`, always, (model, reality) => {
    const id = `financed-${((model.invoices.length + 1) * 7_919) % 10_007}`;
    const { now } = model;
    const dueAt = now + dueInDays * DAY_SECONDS;
    return {
      async send() {
        const body = {
          external_id: id,
          amount: { net: gross, gross },
          due_at: dueAt,
          payment_method: 'TRANSFER',
        };
        await reality.post('/v1/invoices', {
          ...body,
          buyer_external_id: BUYER,
          merchant_external_id: 'merchant',
        });
        await reality.post(`/v1/invoices/${id}/files?${DOCUMENT}`, FILES['application/pdf']);
        return reality.post(`/v1/invoices/${id}/services/FINANCING`, { terms_accepted_at: now });
      },
      foretell: (reply) => {
        const paymentIdOf = () => '';
        createInvoice(model, [], { id, net: gross, tax: 0, dueAt, paymentIdOf });
        const invoice = model.invoices.at(-1) as Invoice;
        invoice.hasFile = true;
        return services.requestService(model, invoice, 'FINANCING', reply.body.external_id);
      },
    };
  });

/** The last service of its type on its invoice, which is what the API and the simulators change. */
const lastOf = ({ services: all }: Model, { invoice, type }: Service): Service =>
  all.findLast((each) => each.invoice === invoice && each.type === type) as Service;

const serviceCommand = (
  text: string,
  which: number,
  trigger: string,
  send: (reality: Reality, service: Service, now: number) => Promise<Reply>,
  foretell: (model: Model, service: Service) => Answer,
) =>
  new Command(`${text} #${which}`, hasServices, (model, reality) => {
    const isApt = (each: Service) => allowedFor(each).includes(trigger);
    const service = lastOf(model, pick(model.services, which, isApt));
    const { now } = model;
    return {
      send: () => send(reality, service, now),
      foretell: () => foretell(model, service),
    };
  });

export const cancelService = (which: number) =>
  serviceCommand(
    'cancelService',
    which,
    'cancel',
    (reality, { invoice, type }) => reality.post(`/v1/invoices/${invoice.id}/services/${type}/cancel`),
    (model, service) => services.endService(model, service, 'cancel'),
  );

const SIMULATED = [
  ...['accept', 'reject', 'cancel', 'notify_claim', 'expire', 'assess', 'pay_claim', 'deny_claim'],
  ...['escalate', 'collect', 'give_up', 'default'],
] as const;

export const simulateService = (which: number, trigger: string) =>
  serviceCommand(
    `simulateService ${trigger}`,
    which,
    trigger,
    (reality, { invoice, type: service_type }) =>
      reality.post('/v1/sandbox/services', { invoice_external_id: invoice.id, service_type, trigger }),
    (model, service) => services.simulate(model, service, trigger),
  );

export const writeOff = (which: number) =>
  new Command(`writeOff #${which}`, hasServices, (model, reality) => {
    const isApt = ({ status, isWrittenOff }: Service) => status === 'DEFAULTED' && !isWrittenOff;
    const service = pick(model.services, which, isApt);
    const { now } = model;
    return {
      send: () =>
        reality.change(
          now,
          defaultWriteOff,
          { service: service.id },
          { role: 'FINANCE', persons: ['fay', 'finn'] },
        ),
      foretell: () => services.writeOff(service),
    };
  });

const type = fc.constantFrom<ServiceType>('FINANCING', 'FINANCING', 'FINANCING', 'INSURANCE', 'COLLECTION');
const requesting = fc.tuple(nth, type).map(([which, chosen]) => requestService(which, chosen));
const simulating = fc
  .tuple(nth, fc.constantFrom(...SIMULATED, 'default'))
  .map(([which, trigger]) => simulateService(which, trigger));

export const serviceCommands = [
  ...[nth.map(attachFile), nth.map(attachFile)],
  ...[requesting, requesting, requesting],
  ...[simulating, simulating],
  nth.map(cancelService),
  nth.map(writeOff),
];
