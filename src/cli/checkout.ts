/** `tradeline checkout link|revoke`: for support of buyers and merchants. */
import { parseArgs } from 'node:util';
import { localUrl } from '#kernel/http-url';
import { StartRefused } from '#kernel/start-refused';
import { getRedirectUrl, revokeLinks } from '#modules/checkout';
import { existsOrder } from '#modules/orders';
import { nowOn, type OnPlatform, onPlatform } from './installation.ts';
import { isExternalId } from './options.ts';
import { readBaseUrl } from './ready-file.ts';
import { runAs } from './run-as.ts';

const VERBS: Record<string, (on: OnPlatform, order: string) => Promise<void>> = { link, revoke };

export async function checkoutCommand([verb = '', ...args]: string[]): Promise<void> {
  const chosen = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!chosen)
    throw new StartRefused('Say what to do: tradeline checkout link, or tradeline checkout revoke.');
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { platform: { type: 'string' } },
  });
  const [order = '', ...more] = positionals;
  if (!isExternalId(order) || more.length > 0)
    throw new StartRefused(`Say which order: tradeline checkout ${verb} ORDER, its external_id.`);
  await onPlatform(values.platform, (on) => chosen(on, order));
}

async function link(on: OnPlatform, order: string): Promise<void> {
  const input = { params: { external_id: order } };
  const made = await runAs(on, getRedirectUrl, input, 'command', missing(on, order), baseUrlOf(on));
  console.log(
    `${made.url}\n\nGood until ${new Date(made.expires_at * 1_000).toISOString()}. Whoever has it acts for the buyer.`,
  );
}

async function revoke(on: OnPlatform, order: string): Promise<void> {
  const key = { platformId: on.platform.platform_id, externalId: order };
  if (!(await existsOrder(on.db, key))) throw new StartRefused(missing(on, order));
  const count = await revokeLinks(on.db, { platformId: key.platformId, orderExternalId: order }, nowOn(on));
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
