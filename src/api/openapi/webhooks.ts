/** The webhooks section: what the service sends to subscribed receivers, and what it makes of their answers. */
import { type Static, Type } from 'typebox';
import { Amount } from '#kernel/amount';
import { DELIVERY_DELAYS_SECONDS } from '#kernel/backoff';
import { EVENT_TYPES, type EventData, type EventType } from '#kernel/event';
import { CurrencySchema, unixSeconds } from '#kernel/fields';
import { SIGNATURE_HEADER } from '#kernel/signature';
import type { JsonSchema, SchemaBook } from './schemas.ts';

export const EVENTS_TAG = 'Events';

/** Open, unlike everything a request may hold: receivers must tolerate what is added. */
const EventDataSchema = Type.Object(
  {
    external_id: Type.Optional(
      Type.String({ description: 'The resource that the event is about; a facility is known by its buyer' }),
    ),
    buyer_external_id: Type.Optional(Type.String({ description: 'The buyer' })),
    merchant_external_id: Type.Optional(Type.String({ description: 'The merchant' })),
    sequence: Type.Integer({
      minimum: 1,
      description: 'Increases with every change of the resource: ignore what is older than what you have',
    }),
    status: Type.Optional(Type.String({ description: 'The status after the event' })),
    previous_status: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'The status before; null when there was none',
      }),
    ),
    changed_fields: Type.Optional(
      Type.Array(Type.String(), { description: 'Names of the fields that changed; read their values' }),
    ),
    amount: Type.Optional(Amount),
    cancellation_reason: Type.Optional(Type.String({ description: 'Why an order was cancelled' })),
    currency: Type.Optional(CurrencySchema),
    total_amount: Type.Optional(Type.Integer({ description: 'The limit, in minor units' })),
    previous_total_amount: Type.Optional(Type.Integer({ description: 'The limit before' })),
    available_amount: Type.Optional(Type.Integer({ description: 'What orders may still take' })),
    used_amount: Type.Optional(Type.Integer({ description: 'What invoices use' })),
    pending_orders_amount: Type.Optional(Type.Integer({ description: 'What orders reserve' })),
    expires_at: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: "When the facility's period ends",
      }),
    ),
  },
  { title: 'EventData', description: 'A small snapshot without personal data. Fields may be added.' },
);

const EventSchema = Type.Object(
  {
    id: Type.String({
      format: 'uuid',
      description: 'Identifies the event, the same on every attempt and for every subscription',
    }),
    occurred_at: unixSeconds('When it happened'),
    type: Type.Unsafe<EventType>({
      type: 'string',
      description: 'RESOURCE.OUTCOME or RESOURCE.PROCESS.OUTCOME. Types may be added below a prefix.',
    }),
    data: EventDataSchema,
  },
  { title: 'Event' },
);

function facility(
  status: string,
  previousStatus: string | null,
  sequence: number,
  totalMinor: number,
): EventData {
  return {
    buyer_external_id: 'cafe-morgenrot',
    sequence,
    status,
    previous_status: previousStatus,
    currency: 'EUR',
    total_amount: totalMinor,
    available_amount: status === 'ACTIVE' ? totalMinor : 0,
    used_amount: 0,
    pending_orders_amount: 0,
    expires_at: totalMinor === 0 ? null : 1_771_405_199,
  };
}

function order(status: string, previousStatus: string | null, sequence: number): EventData {
  return {
    external_id: 'order-1010',
    buyer_external_id: 'cafe-morgenrot',
    merchant_external_id: 'roastery-north',
    sequence,
    status,
    previous_status: previousStatus,
    amount: { net: 10_000, tax: 1_900, gross: 11_900, currency: 'EUR' },
  };
}

/** What each event carries, as a receiver meets it. */
const EXAMPLES: Record<EventType, EventData> = {
  'BUYER.CREATED': { external_id: 'cafe-morgenrot', sequence: 1 },
  'BUYER.UPDATED': {
    external_id: 'cafe-morgenrot',
    sequence: 2,
    changed_fields: ['trading_name', 'delivery_address'],
  },
  'FACILITY.CREATION.ACCEPTED': facility('ACTIVE', null, 1, 2_500_000),
  'FACILITY.CREATION.IN_REVIEW': facility('PENDING', null, 1, 0),
  'FACILITY.CREATION.REJECTED': facility('REJECTED', 'PENDING', 2, 0),
  'FACILITY.EXPIRED': facility('EXPIRED', 'ACTIVE', 9, 2_500_000),
  'FACILITY.FROZEN': facility('FROZEN', 'ACTIVE', 4, 2_500_000),
  'FACILITY.INCREASE.ACCEPTED': {
    ...facility('ACTIVE', 'ACTIVE', 5, 3_000_000),
    previous_total_amount: 2_500_000,
  },
  'FACILITY.INCREASE.IN_REVIEW': facility('ACTIVE', 'ACTIVE', 4, 2_500_000),
  'FACILITY.INCREASE.REJECTED': facility('ACTIVE', 'ACTIVE', 5, 2_500_000),
  'FACILITY.LIMIT.CHANGED': {
    ...facility('ACTIVE', 'ACTIVE', 6, 2_000_000),
    previous_total_amount: 2_500_000,
  },
  'FACILITY.RENEWAL.ACCEPTED': {
    ...facility('ACTIVE', 'EXPIRED', 10, 3_125_000),
    previous_total_amount: 2_500_000,
  },
  'FACILITY.RENEWAL.IN_REVIEW': facility('ACTIVE', 'ACTIVE', 7, 2_500_000),
  'FACILITY.RENEWAL.REJECTED': facility('ACTIVE', 'ACTIVE', 8, 2_500_000),
  'FACILITY.UNFROZEN': facility('ACTIVE', 'FROZEN', 5, 2_500_000),
  'MERCHANT.ENROLLED': {
    external_id: 'roastery-north',
    sequence: 1,
    status: 'ENROLLED',
    previous_status: null,
  },
  'ORDER.CANCELLED': { ...order('CANCELLED', 'CONFIRMED', 2), cancellation_reason: 'MERCHANT' },
  'ORDER.CLOSED': order('CLOSED', 'DISBURSED', 5),
  'ORDER.CONFIRMED': order('CONFIRMED', null, 1),
  'ORDER.DISBURSED': order('DISBURSED', 'CONFIRMED', 3),
  'ORDER.EXPIRED': order('EXPIRED', 'CONFIRMED', 2),
  'ORDER.PENDING_CONFIRMATION': order('PENDING_CONFIRMATION', 'DRAFT', 2),
  'WEBHOOK.TEST': { external_id: 'BUYER', sequence: 2, status: 'ACTIVE', previous_status: 'ACTIVE' },
};

export function printWebhooks(book: SchemaBook): Record<string, JsonSchema> {
  const event = book.print(EventSchema);
  const types = Object.entries(EVENT_TYPES) as [EventType, string][];
  return Object.fromEntries(
    types.map(([type, when]) => [
      type,
      {
        post: {
          operationId: `receive ${type}`.replaceAll(
            /[ .](\w)(\w*)/g,
            (_, first: string, rest: string) => first + rest.toLowerCase(),
          ),
          summary: type,
          description: `Sent when ${when}.`,
          tags: [EVENTS_TAG],
          security: [],
          parameters: REQUEST_HEADERS,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { allOf: [event, { type: 'object', properties: { type: { const: type } } }] },
                example: {
                  id: '0b6f0a52-3c1e-4a8b-9f60-5d2c7c1e9a41',
                  occurred_at: 1_763_629_199,
                  type,
                  data: EXAMPLES[type],
                } satisfies Static<typeof EventSchema>,
              },
            },
          },
          responses: RECEIVER_ANSWERS,
        },
      },
    ]),
  );
}

const REQUEST_HEADERS: JsonSchema[] = [
  {
    name: SIGNATURE_HEADER,
    in: 'header',
    required: true,
    description:
      '`t` is the unix time of this attempt: refuse one that is more than 5 minutes old. `v1` is the hex HMAC-SHA256 of ' +
      "`<raw body>.<t>` keyed with the subscription's signing secret; while a rotation's grace period lasts there are two, " +
      'and one of them must fit.',
    schema: { type: 'string', pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' },
    example: 't=1763629200,v1=5f2b1f0c6f4f0d5d1b7d4f6a3e9c8b7a6f5e4d3c2b1a09f8e7d6c5b4a3928170',
  },
  {
    name: 'Webhook-Id',
    in: 'header',
    required: true,
    description: 'The `id` of the event. It may arrive more than once: remember the ids you have handled.',
    schema: { type: 'string', format: 'uuid' },
    example: '0b6f0a52-3c1e-4a8b-9f60-5d2c7c1e9a41',
  },
  {
    name: 'Webhook-Attempt',
    in: 'header',
    required: true,
    description: 'Which attempt this is, from 1.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
];

const RECEIVER_ANSWERS = {
  '2XX': { description: 'Acknowledged. Answer within 15 seconds, before you do any work.' },
  '410': {
    description:
      'Gone: this delivery is discarded and the subscription is disabled, until its url is replaced.',
  },
  default: {
    description:
      `Anything else, a redirect too, or no answer within 15 seconds: sent again after ${scheduleText()}. ` +
      '`Retry-After` is honoured. An event that is given up stays given up; five of them in a row disable the subscription.',
  },
};

/** `10 s, 30 s, 2 min, …, 4 h`, of the schedule. */
function scheduleText(): string {
  return DELIVERY_DELAYS_SECONDS.map((seconds) => {
    if (seconds < 60) return `${seconds} s`;
    return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
  }).join(', ');
}
