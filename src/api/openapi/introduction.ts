/** What a reader of the API description is told before the operations. */
import type { Tag } from '#operation/operation';
import { ERRORS_PAGE } from './problems.ts';

export const INTRODUCTION = `
Business-to-business purchasing on credit: register buyers, draft orders, and be told by signed webhooks what happens.

## First request

Every request carries an API key of your platform; \`npm start\` prints one for the sandbox, and the address to use as \`$BASE\`.

\`\`\`bash
curl $BASE/v1/platform -H "Authorization: Bearer $KEY"
\`\`\`

A key may have fewer scopes than there are, and may be restricted to one merchant; each operation names the scope that it needs.
A key of the sandbox does not work in production, nor the other way round.

## Conventions

- **Bodies** are JSON in UTF-8, at most 256 KiB. A field or parameter that does not exist is refused, never ignored.
- **Money** is whole minor units of the currency: \`11900\` is 119.00 EUR, and 11,900 JPY. \`gross\` is \`net + tax\`.
- **Time** is unix time in whole seconds.
- **Ids** are yours: \`external_id\` is 1 to 100 letters, digits, \`_\` and \`-\`, unique for each kind of resource.
- **Empty** fields are present too, as \`null\` or \`[]\`. Only what \`expand\` adds can be absent.

## Lists

A page has \`items\`, \`total\`, \`limit\` and \`offset\`; the next one begins at \`offset + limit\`. A \`limit\` above 100 is refused. Several values
of a filter are separated by commas. A range is \`gte..lte\` with both ends included and either one open: \`1700000000..\`, \`..50000\`.

## Replacing

PUT replaces the whole resource: what is left out is cleared. To change one field, read the resource, change it, and send it whole with
\`If-Match\` and the \`ETag\` you have read: when somebody else was faster, the answer is 412 and nothing is lost. The same PUT again changes
nothing and records no event.

Send the \`ETag\` as \`If-None-Match\` with a GET to get 304 without a body while the resource is the same. Answers above 1 KB are compressed
for clients that send \`Accept-Encoding\` with \`br\` or \`gzip\`, unless they hold a secret.

## Sending again

Where an answer was lost, send the same POST with the same \`Idempotency-Key\` again: it is done once, and you get the first answer with
\`Idempotency-Replayed: true\`.

## Errors

Every refusal has one form. \`code\` follows the status, \`reason\` tells apart what you may want to branch on, \`issues\` lists everything
that is wrong with a request, and \`details.docs\` leads to the explanation. [All codes and reasons](${ERRORS_PAGE}).

## Versions

Inside \`/v1\` things are only added: tolerate fields you do not know in answers and events.
`.trim();

export const TAG_DESCRIPTIONS: Record<Tag, string> = {
  Platform: 'The platform that the API key belongs to, and how it is set up.',
  Merchants: 'Who sells through the platform.',
  Buyers: 'Companies that purchase on the platform, and how they like to be written to.',
  Contacts: 'People at a buyer. What is known of them is stored encrypted.',
  Facilities:
    "What buyers may purchase on credit: limits, payment terms, and a ledger that explains every change. See the guide 'Sell on credit'.",
  Orders: 'Draft orders start a hosted checkout, in which the buyer fills in what is missing.',
  Registry: 'Public registers of companies, so that nobody types what is known already.',
  Webhooks: 'Subscriptions: which events are sent where, and the secrets that sign them.',
  Sandbox:
    'The clock and the simulators of a sandbox: a year of business in a minute. On a production address these paths do not exist.',
  Meta: 'The service itself.',
};

export const EVENTS_DESCRIPTION =
  'What subscribed receivers are sent: an HTTP POST, signed, at least once, and not always in order.';
