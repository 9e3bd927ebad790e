import { styleText } from 'node:util';
import type { Environment } from '#kernel/api-key';

const bold = (text: string) => styleText('bold', text);
const faint = (text: string) => styleText('dim', text);

/** The text of a started service: its addresses and, if an API key may be shown, the key and three curl commands. */
export function banner({
  baseUrl,
  apiKey,
  operatorKey,
  checkoutUrl,
  mailboxUrl,
  environment,
  hasDemo,
}: {
  baseUrl: string;
  apiKey: string | null;
  /** The key of a sandbox's first operator. */
  operatorKey: string | null;
  /** The checkout of a draft of the demo. */
  checkoutUrl: string | null;
  /** The sandbox's mailbox page. */
  mailboxUrl: string | null;
  environment: Environment;
  /** Whether the demo's companies exist to order from. */
  hasDemo: boolean;
}): string {
  const role = environment === 'sandbox' ? 'as a sandbox' : 'in production';
  const fact = (name: string, value: string) => `  ${faint(name.padEnd(14))}  ${value}`;
  const lines = apiKey === null ? [] : curlLines(baseUrl, apiKey, hasDemo);
  return [
    '',
    `  ${bold(`Tradeline is running ${role}.`)}`,
    '',
    fact('API', `${baseUrl}/v1`),
    fact('API reference', `${baseUrl}/docs`),
    fact('Guides', `${baseUrl}/docs/guides`),
    fact('API key', apiKey ?? 'shown once, when it is issued: see `npx tradeline help`'),
    ...(operatorKey === null ? [] : [fact('Operator key', operatorKey)]),
    ...(checkoutUrl === null ? [] : [fact('Checkout', checkoutUrl)]),
    ...(mailboxUrl === null ? [] : [fact('Mailbox', mailboxUrl)]),
    '',
    ...lines.flatMap(([what, line]) => [`  ${faint(what)}`, line, '']),
    `  ${faint('Ctrl-C stops it; everything is kept.')}`,
    '',
  ].join('\n');
}

/** Each command works as printed, repeatedly, because ids end with the time. Lines are not indented, so that a line is only the command. */
function curlLines(baseUrl: string, apiKey: string, hasDemo: boolean): [what: string, line: string][] {
  const curl = (path: string, body?: string) =>
    `curl -sw '\\n' ${baseUrl}${path} -H 'Authorization: Bearer ${apiKey}'` +
    (body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${body}'`);
  const bistro = `"legal_name":"Bistro du Port SARL","legal_form":"LIMITED_COMPANY","business_address":{"postcode":"69002","city":"Lyon","country":"FR"}`;
  const order = `"buyer_external_id":"cafe-morgenrot","merchant_external_id":"roastery-north","amount":{"net":10000,"tax":1900,"gross":11900}`;
  const id = (prefix: string) => `"external_id":"${prefix}-'$(date +%s)'"`;
  return [
    ['Look up your platform:', curl('/v1/platform')],
    ['Register a buyer:', curl('/v1/buyers', `{${id('buyer')},${bistro}}`)],
    hasDemo
      ? ['Draft an order:', curl('/v1/orders/draft', `{${id('order')},${order}}`)]
      : ['Register a merchant:', curl('/v1/merchants', `{${id('merchant')},${bistro}}`)],
  ];
}
