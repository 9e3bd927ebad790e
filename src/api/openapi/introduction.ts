/** The introduction of the API description, and the descriptions of its tags. */
import type { Tag } from '#operation/operation';
import { ERRORS_PAGE } from './problems.ts';

export const INTRODUCTION = `
Business-to-business purchasing on credit: create buyers, grant them credit, take their orders, and receive signed webhooks for every change.
[The guides](docs/guides) show how, from [the first order](docs/start) on.

## First request

Send an API key of your platform with every request. \`npm start\` prints a key for the sandbox, and the address to use as \`$BASE\`.

\`\`\`bash
curl $BASE/v1/platform -H "Authorization: Bearer $KEY"
\`\`\`

A key has one or more scopes and can be restricted to one merchant. Each operation names its required scope. Keys of the sandbox do not
work in production, and keys of production do not work in the sandbox.

## Conventions

- **Bodies** are JSON in UTF-8, at most 256 KiB. An unknown field or parameter is refused, never ignored.
- **Money** is whole minor units of the currency: \`11900\` is 119.00 EUR, and 11,900 JPY. \`gross\` is \`net + tax\`.
- **Time** is unix time in whole seconds.
- **Ids** are your own: \`external_id\` has 1 to 100 letters, digits, \`_\` and \`-\`, and is unique per kind of resource.
- **Empty** fields are present as \`null\` or \`[]\`. Only fields that \`expand\` adds can be absent.

## Lists

A page has \`items\`, \`total\`, \`limit\`, \`offset\` and \`next\`. Send \`next\` as \`after\` to get the next page: each item then appears
once, even if items are added during the walk, and each page costs the same. \`offset\` begins a page at any item. With \`total=false\`
nothing is counted. A \`limit\` above 100 is refused. Separate several values of a filter by commas. A range is \`gte..lte\`, inclusive, and
either end can be open: \`1700000000..\`, \`..50000\`.

## Update

PUT replaces the whole resource: omitted fields are cleared. To change one field, read the resource, change the field, and send all of it with
the \`ETag\` as \`If-Match\`. If the resource has changed since, the response is 412 and nothing is changed. Read-only fields are accepted with
their stored values; another value is refused. An identical PUT changes nothing and records no event.

Send the \`ETag\` as \`If-None-Match\` with a GET: an unchanged resource is answered with 304 without a body. Responses above 1 KB are
compressed for clients that send \`Accept-Encoding\` with \`br\` or \`gzip\`, unless they contain a secret.

## Retry

After a lost response, send the same POST with the same \`Idempotency-Key\` again. It takes effect once, and you get the first response with
\`Idempotency-Replayed: true\`.

## Errors

Every error has the same form. \`code\` follows the status, \`reason\` distinguishes the causes that your code can handle, \`issues\` lists everything that is wrong
with the request, \`details.remedy\` is a sentence on what to do, and \`details.docs\` links to the explanation. [All codes and reasons](${ERRORS_PAGE}).

## Versions

Within \`/v1\` the API changes by addition only. Clients must accept unknown fields and unknown enum values in responses and events.
[What may change](docs/reference/changes) lists every part.
`.trim();

export const TAG_DESCRIPTIONS: Record<Tag, string> = {
  Platform: 'The platform of the API key, and its settings.',
  Merchants: 'Companies that sell through the platform.',
  Buyers: 'Companies that purchase on the platform, with their language and formality.',
  Contacts: 'Persons at a buyer. Their data is stored encrypted.',
  Mandates: 'Direct debit mandates of buyers. DEBIT on credit needs an active one.',
  Facilities:
    'Credit of buyers: limits, payment terms, and a ledger that explains every change. See [Sell on credit](docs/guides/credit).',
  Orders: 'Orders on credit, and draft orders that the buyer completes in the hosted checkout.',
  Invoices: 'What buyers owe, when and in which parts, and the amounts taken from each order.',
  Payouts: 'The bank accounts of merchants that payouts go to. Each is verified outside the API.',
  Ledger:
    'The double-entry books of the platform: balances, statements and entries, as of any instant. Read only.',
  Registry: 'Companies and legal forms from public business registries.',
  Webhooks: 'Subscriptions to events, and the secrets that sign them.',
  Sandbox: 'The clock and the simulators of a sandbox. In production these paths do not exist.',
  Meta: 'Data about the service itself.',
};

export const EVENTS_DESCRIPTION =
  'Events are sent to subscribed receivers as signed HTTP POST requests, at least once, and not always in order.';
