/** `tradeline checkout link|revoke`: for support of buyers and merchants. */
import { parseArgs } from 'node:util';
import { localUrl } from '#kernel/http-url';
import { StartRefused } from '#kernel/start-refused';
import { getRedirectUrl, revokeLinks } from '#modules/checkout';
import { existsOrder } from '#modules/orders';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { type OnPlatform, onPlatform } from './installation.ts';
import { isExternalId } from './options.ts';
import { readBaseUrl } from './ready-file.ts';
import { runAs } from './run-as.ts';

export const checkoutCommand = commandOf('checkout', {
  link: ofOrder('link', link),
  revoke: ofOrder('revoke', revoke),
});

function ofOrder(verb: string, act: (on: OnPlatform, order: string) => Promise<void>) {
  return async (args: string[]): Promise<void> => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { platform: { type: 'string' } },
    });
    const [order = '', ...more] = positionals;
    if (!isExternalId(order) || more.length > 0)
      throw new StartRefused(`Say which order: tradeline checkout ${verb} ORDER, its external_id.`);
    await onPlatform(values.platform, (on) => act(on, order));
  };
}

async function link(on: OnPlatform, order: string): Promise<void> {
  const input = { params: { external_id: order }, query: { renew: true } };
  const baseUrl = baseUrlOf(on);
  const made = await asOperator(on, { role: 'ADMIN' }, async (operator) => {
    const whenMissing = missing(on, order);
    const answer = await runAs(on, getRedirectUrl, input, { operator, whenMissing, baseUrl });
    return { answer, audit: { action: 'CHECKOUT_LINK_CREATED', subject: `checkout of order ${order}` } };
  });
  console.log(
    `${made.url}\n\nGood until ${new Date(made.expires_at * 1_000).toISOString()}. Whoever has it acts for the buyer.`,
  );
}

async function revoke(on: OnPlatform, order: string): Promise<void> {
  const key = { platformId: on.platform.platform_id, externalId: order };
  if (!(await existsOrder(on.db, key))) throw new StartRefused(missing(on, order));
  const count = await asOperator(on, { role: 'ADMIN' }, async ({ db, now }) => {
    const answer = await revokeLinks(db, { platformId: key.platformId, orderExternalId: order }, now);
    return { answer, audit: { action: 'CHECKOUT_LINKS_REVOKED', subject: `checkout of order ${order}` } };
  });
  console.log(
    count === 0
      ? `No link to the checkout of ${order} is good any more.`
      : `Revoked ${count === 1 ? 'the one link' : `${count} links`} to the checkout of ${order}.`,
  );
}

/** The base URL of links: TRADELINE_BASE_URL, or else the address of the service on this machine. */
function baseUrlOf({ settings: { baseUrl, readyFile, host, port } }: OnPlatform): string {
  const known = baseUrl ?? (readyFile === null ? null : readBaseUrl(readyFile));
  if (known !== null) return known;
  if (port === 0)
    throw new StartRefused(
      'Set TRADELINE_BASE_URL to the address of the service: with PORT=0 it may be any.',
    );
  return localUrl(host, port);
}

const missing = (on: OnPlatform, order: string) => `There is no order ${order} on ${on.platform.code}.`;
