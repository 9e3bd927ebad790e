/** The webhooks section: what the service sends to subscribed receivers, and how it treats their answers. */
import { Type } from 'typebox';
import { DELIVERY_DELAYS_SECONDS } from '#kernel/backoff';
import { EVENT_TYPES, type EventDefinition, type EventType, eventSchemaOf } from '#kernel/event';
import { SIGNATURE_HEADER } from '#kernel/signature';
import { buyerEvents } from '#modules/buyers';
import { disputeEvents } from '#modules/disputes';
import { facilityEvents } from '#modules/facilities';
import {
  creditNoteEvents,
  dunningEvents,
  invoiceEvents,
  invoiceFileEvents,
  lateChargeEvents,
  paymentEvents,
} from '#modules/invoices';
import { merchantEvents } from '#modules/merchants';
import { orderEvents } from '#modules/orders';
import { payoutInstructionEvents } from '#modules/payees';
import { payoutEvents } from '#modules/payouts';
import { serviceEvents } from '#modules/services';
import { webhookEvents } from '#modules/webhooks';
import type { JsonSchema, SchemaBook } from './schemas.ts';

export const EVENTS_TAG = 'Events';

/** The definition of every event type, by the modules. */
const EVENTS: Record<EventType, EventDefinition> = {
  ...buyerEvents,
  ...creditNoteEvents,
  ...lateChargeEvents,
  ...disputeEvents,
  ...dunningEvents,
  ...facilityEvents,
  ...invoiceEvents,
  ...invoiceFileEvents,
  ...merchantEvents,
  ...orderEvents,
  ...paymentEvents,
  ...payoutEvents,
  ...payoutInstructionEvents,
  ...serviceEvents,
  ...webhookEvents,
};

/** One entry for each type of event, and their union `Event`, discriminated by `type`, among the named schemas. */
export function printWebhooks(book: SchemaBook): Record<string, JsonSchema> {
  const types = EVENT_TYPES.map((type) => [type, EVENTS[type]] as const);
  const schemas = types.map(([type, definition]) => eventSchemaOf(type, definition));
  const references = schemas.map((schema) => book.printOutput(schema));
  book.printOutput(
    Type.Unsafe({
      title: 'Event',
      description: 'Any event. Types, fields and values of enums may be added.',
      oneOf: schemas,
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(types.map(([type], index) => [type, references[index]?.$ref])),
      },
    }),
  );
  return Object.fromEntries(
    types.map(([type, { when, example }], index) => [
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
          parameters: Object.keys(WEBHOOK_PARAMETERS).map((name) => ({
            $ref: `#/components/parameters/${name}`,
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: references[index],
                example: {
                  id: '0b6f0a52-3c1e-4a8b-9f60-5d2c7c1e9a41',
                  occurred_at: 1_763_629_199,
                  type,
                  data: example,
                },
              },
            },
          },
          responses: Object.fromEntries(
            Object.entries(RECEIVER_ANSWERS).map(([status, { name }]) => [
              status,
              { $ref: `#/components/responses/${name}` },
            ]),
          ),
        },
      },
    ]),
  );
}

/** The headers of every delivery, as shared parameters. */
export const WEBHOOK_PARAMETERS: Record<string, JsonSchema> = {
  WebhookSignature: {
    name: SIGNATURE_HEADER,
    in: 'header',
    required: true,
    description:
      '`t` is the unix time of this attempt: refuse one that is more than 5 minutes old. `v1` is the hex HMAC-SHA256 of ' +
      "`<raw body>.<t>` keyed with the subscription's signing secret; while a rotation's grace period lasts there are two, " +
      'and one of them must match.',
    schema: { type: 'string', pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' },
    example: 't=1763629200,v1=5f2b1f0c6f4f0d5d1b7d4f6a3e9c8b7a6f5e4d3c2b1a09f8e7d6c5b4a3928170',
  },
  WebhookId: {
    name: 'Webhook-Id',
    in: 'header',
    required: true,
    description: 'The `id` of the event. It may arrive more than once: store the ids that you have handled.',
    schema: { type: 'string', format: 'uuid' },
    example: '0b6f0a52-3c1e-4a8b-9f60-5d2c7c1e9a41',
  },
  WebhookTimestamp: {
    name: 'Webhook-Timestamp',
    in: 'header',
    required: true,
    description: 'The unix time of this attempt, as in Standard Webhooks.',
    schema: { type: 'integer', format: 'int64', minimum: 1 },
    example: 1_763_629_200,
  },
  StandardWebhookSignature: {
    name: 'Webhook-Signature',
    in: 'header',
    required: true,
    description:
      'For libraries of Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `<Webhook-Id>.<Webhook-Timestamp>.<raw body>`, ' +
      "keyed with the subscription's signing secret as text; two of them, with a space between, during a rotation's grace period.",
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
    example: 'v1,ToBXYN9z0Q3h0WqQ5oC0nKJ4kqE1p7m5n8mJvH0zV2s=',
  },
  WebhookAttempt: {
    name: 'Webhook-Attempt',
    in: 'header',
    required: true,
    description: 'The number of this attempt, starting at 1.',
    schema: { type: 'integer', format: 'int64', minimum: 1 },
    example: 1,
  },
};

const RECEIVER_ANSWERS = {
  '2XX': {
    name: 'WebhookAcknowledged',
    description: 'Acknowledged. Answer within 15 seconds, before you do any work.',
  },
  '410': {
    name: 'WebhookGone',
    description:
      'Gone: this delivery is discarded and the subscription is disabled, until its url is replaced.',
  },
  default: {
    name: 'WebhookFailed',
    description:
      `Anything else, including a redirect, or no answer within 15 seconds: sent again after ${scheduleText()}. ` +
      '`Retry-After` is honoured. An event that is given up is not sent again automatically; five in a row disable the subscription.',
  },
};

/** The possible answers of a receiver, as shared responses. */
export function webhookResponses(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.values(RECEIVER_ANSWERS).map(({ name, description }) => [name, { description }]),
  );
}

/** The schedule as text: `10 s, 30 s, 2 min, …, 4 h`. */
function scheduleText(): string {
  return DELIVERY_DELAYS_SECONDS.map((seconds) => {
    if (seconds < 60) return `${seconds} s`;
    return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
  }).join(', ');
}
