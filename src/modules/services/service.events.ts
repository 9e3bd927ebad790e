import { type Static, Type } from 'typebox';
import { defineEvents, type EventOf, SequenceSchema } from '#kernel/event';
import { CurrencySchema, externalId, minorUnits, nullable } from '#kernel/fields';
import type { NewEvent } from '#modules/webhooks';
import type { ServiceRow } from './service.queries.ts';
import { ServiceStatusSchema, ServiceTypeSchema } from './service.schemas.ts';
import type { ServiceStatus, ServiceType } from './service-status.rules.ts';

const ServiceEventData = Type.Object(
  {
    external_id: externalId('The service'),
    invoice_external_id: externalId('The invoice'),
    merchant_external_id: externalId('The merchant'),
    sequence: SequenceSchema,
    service_type: ServiceTypeSchema,
    status: { ...ServiceStatusSchema, description: 'The status after the event' },
    previous_status: nullable({
      ...ServiceStatusSchema,
      description: 'The status before the event; null if the service is new',
    }),
    currency: CurrencySchema,
    fee_gross: minorUnits('The fee with its tax'),
    advance_amount: minorUnits('The amount that the merchant is paid'),
  },
  { title: 'InvoiceServiceEventData' },
);
type ServiceEventData = Static<typeof ServiceEventData>;

const exampleOf =
  (service_type: ServiceType, amounts: Pick<ServiceEventData, 'fee_gross' | 'advance_amount'>) =>
  (status: ServiceStatus, previous_status: ServiceStatus | null, sequence: number): ServiceEventData => ({
    external_id: '3f9f9f0c-54b5-4a0e-9d43-6c2f1f1f1a52',
    invoice_external_id: 'invoice-1011',
    merchant_external_id: 'roastery-north',
    sequence,
    service_type,
    status,
    previous_status,
    currency: 'EUR',
    ...amounts,
  });
const financing = exampleOf('FINANCING', { fee_gross: 143, advance_amount: 11_757 });
const insurance = exampleOf('INSURANCE', { fee_gross: 0, advance_amount: 0 });
const collection = exampleOf('COLLECTION', { fee_gross: 0, advance_amount: 0 });

export const serviceEvents = defineEvents(ServiceEventData, {
  'INVOICE.COLLECTION.CANCELLED': {
    when: 'a claim was withdrawn from its collector',
    example: collection('CANCELLED', 'EARLY_COLLECTION', 3),
  },
  'INVOICE.COLLECTION.COLLECTED': {
    when: 'a collector received the money for an invoice',
    example: collection('COLLECTED', 'LATE_COLLECTION', 4),
  },
  'INVOICE.COLLECTION.EARLY_COLLECTION': {
    when: 'a collector begins to remind the buyer of an invoice',
    example: collection('EARLY_COLLECTION', 'IN_REVIEW', 2),
  },
  'INVOICE.COLLECTION.IN_REVIEW': {
    when: 'the collection of an invoice was requested',
    example: collection('IN_REVIEW', null, 1),
  },
  'INVOICE.COLLECTION.LATE_COLLECTION': {
    when: 'the reminders of a collector had no effect',
    example: collection('LATE_COLLECTION', 'EARLY_COLLECTION', 3),
  },
  'INVOICE.COLLECTION.REJECTED': {
    when: 'a collector refused a claim',
    example: collection('REJECTED', 'IN_REVIEW', 2),
  },
  'INVOICE.COLLECTION.UNCOLLECTIBLE': {
    when: 'a collector gave up a claim',
    example: collection('UNCOLLECTIBLE', 'LATE_COLLECTION', 4),
  },
  'INVOICE.FINANCING.ACCEPTED': {
    when: 'a financing was accepted: the advance is to be paid out',
    example: financing('ACCEPTED', 'IN_REVIEW', 2),
  },
  'INVOICE.FINANCING.CANCELLED': {
    when: 'a financing was cancelled before its payout',
    example: financing('CANCELLED', 'ACCEPTED', 3),
  },
  'INVOICE.FINANCING.DEFAULTED': {
    when: 'the buyer of a financed invoice did not pay for so long that it is a default',
    example: financing('DEFAULTED', 'PAID_OUT', 4),
  },
  'INVOICE.FINANCING.IN_REVIEW': {
    when: 'a financing was requested',
    example: financing('IN_REVIEW', null, 1),
  },
  'INVOICE.FINANCING.PAID_OUT': {
    when: 'the advance was paid to the merchant, or a payment of a settled invoice was reversed',
    example: financing('PAID_OUT', 'ACCEPTED', 3),
  },
  'INVOICE.FINANCING.REJECTED': {
    when: 'a financing was refused',
    example: financing('REJECTED', 'IN_REVIEW', 2),
  },
  'INVOICE.FINANCING.SETTLED': {
    when: 'a financed invoice is paid or credited in full',
    example: financing('SETTLED', 'PAID_OUT', 4),
  },
  'INVOICE.INSURANCE.ACCEPTED': {
    when: 'an insurer covers an invoice',
    example: insurance('ACCEPTED', 'IN_REVIEW', 2),
  },
  'INVOICE.INSURANCE.CANCELLED': {
    when: 'the insurance of an invoice was cancelled',
    example: insurance('CANCELLED', 'IN_REVIEW', 2),
  },
  'INVOICE.INSURANCE.CLAIM_DENIED': {
    when: 'an insurer does not pay for an invoice',
    example: insurance('CLAIM_DENIED', 'CLAIM_IN_ASSESSMENT', 5),
  },
  'INVOICE.INSURANCE.CLAIM_IN_ASSESSMENT': {
    when: 'an insurer examines a claim',
    example: insurance('CLAIM_IN_ASSESSMENT', 'CLAIM_NOTIFIED', 4),
  },
  'INVOICE.INSURANCE.CLAIM_NOTIFIED': {
    when: 'an insurer was notified that the buyer does not pay',
    example: insurance('CLAIM_NOTIFIED', 'ACCEPTED', 3),
  },
  'INVOICE.INSURANCE.CLAIM_PAID': {
    when: 'an insurer paid for an invoice',
    example: insurance('CLAIM_PAID', 'CLAIM_IN_ASSESSMENT', 5),
  },
  'INVOICE.INSURANCE.COVER_EXPIRED': {
    when: 'the cover of an invoice ended without a claim',
    example: insurance('COVER_EXPIRED', 'ACCEPTED', 3),
  },
  'INVOICE.INSURANCE.IN_REVIEW': {
    when: 'the insurance of an invoice was requested',
    example: insurance('IN_REVIEW', null, 1),
  },
  'INVOICE.INSURANCE.REJECTED': {
    when: 'an insurer refused an invoice',
    example: insurance('REJECTED', 'IN_REVIEW', 2),
  },
});
export type ServiceEvent = EventOf<typeof serviceEvents>;

/** The event of a transition. `service` is the service after it. */
export function serviceEvent(
  type: ServiceEvent['type'],
  service: ServiceRow,
  previousStatus: ServiceStatus | null,
): NewEvent<ServiceEvent> {
  return {
    platformId: service.platform_id,
    type,
    occurredAt: service.updated_at,
    data: {
      external_id: service.external_id,
      invoice_external_id: service.invoice_external_id,
      merchant_external_id: service.merchant_external_id,
      sequence: service.version,
      service_type: service.service_type,
      status: service.status,
      previous_status: previousStatus,
      currency: service.currency,
      fee_gross: service.fee_gross,
      advance_amount: service.advance_amount,
    },
  };
}
