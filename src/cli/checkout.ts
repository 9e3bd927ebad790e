/** `tradeline checkout link|revoke`: for support of buyers and merchants. */
import { StartRefused } from '#kernel/start-refused';
import { getRedirectUrl, revokeLinks } from '#modules/checkout';
import { existsOrder } from '#modules/orders';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { type OnPlatform, onPlatform } from './installation.ts';
import { isExternalId } from './options.ts';
import { printDone } from './result.ts';
import { runAs } from './run-as.ts';
import { baseUrlOf } from './service-address.ts';
import { instant } from './table.ts';

export const checkoutCommand = commandOf('checkout', {
  link: ofOrder('link', link),
  revoke: ofOrder('revoke', revoke),
});

function ofOrder(verb: string, act: (on: OnPlatform, order: string, isJson: boolean) => Promise<void>) {
  return async (args: string[]): Promise<void> => {
    const { values, positionals } = readArguments({
      args,
      allowPositionals: true,
      options: { platform: { type: 'string' } },
    });
    const [order = '', ...more] = positionals;
    if (!isExternalId(order) || more.length > 0)
      throw new WrongUsage(`Name one order by its external_id: tradeline checkout ${verb} ORDER.`);
    await onPlatform(values.platform, (on) => act(on, order, values.json));
  };
}

async function link(on: OnPlatform, order: string, isJson: boolean): Promise<void> {
  const input = { params: { external_id: order }, query: { renew: true } };
  const baseUrl = baseUrlOf(on);
  const made = await asOperator(on, { role: 'ADMIN' }, async (operator) => {
    const whenMissing = missing(on, order);
    const answer = await runAs(on, getRedirectUrl, input, { operator, whenMissing, baseUrl });
    return { answer, audit: { action: 'CHECKOUT_LINK_CREATED', subject: `checkout of order ${order}` } };
  });
  printDone(
    isJson,
    made,
    `${made.url}\n\nValid until ${instant(made.expires_at)}. Anyone who has the link acts for the buyer.`,
  );
}

async function revoke(on: OnPlatform, order: string, isJson: boolean): Promise<void> {
  const key = { platformId: on.platform.platform_id, externalId: order };
  if (!(await existsOrder(on.db, key))) throw new StartRefused(missing(on, order));
  const count = await asOperator(on, { role: 'ADMIN' }, async ({ db, now }) => {
    const answer = await revokeLinks(db, { platformId: key.platformId, orderExternalId: order }, now);
    return { answer, audit: { action: 'CHECKOUT_LINKS_REVOKED', subject: `checkout of order ${order}` } };
  });
  printDone(
    isJson,
    { links: count },
    count === 0
      ? `There was no valid link to the checkout of ${order}.`
      : `Revoked ${count === 1 ? 'the one link' : `${count} links`} to the checkout of ${order}.`,
  );
}

const missing = (on: OnPlatform, order: string) => `There is no order ${order} on ${on.platform.code}.`;
