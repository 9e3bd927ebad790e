/** `tradeline buyer link`: for support of buyers. */
import { createPageLink } from '#modules/buyer-page';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { onPlatform } from './installation.ts';
import { isExternalId } from './options.ts';
import { printDone } from './result.ts';
import { runAs } from './run-as.ts';
import { baseUrlOf } from './service-address.ts';
import { instant } from './table.ts';

export const buyerCommand = commandOf('buyer', { link });

async function link(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: { type: 'string' }, invoice: { type: 'string' } },
  });
  const [buyer = '', ...more] = positionals;
  if (!isExternalId(buyer) || more.length > 0)
    throw new WrongUsage('Name one buyer by its external_id: tradeline buyer link BUYER.');
  const { invoice } = values;
  if (invoice !== undefined && !isExternalId(invoice))
    throw new WrongUsage('--invoice must be the external_id of an invoice of the buyer.');
  await onPlatform(values.platform, async (on) => {
    const input = { params: { external_id: buyer }, body: { invoice_external_id: invoice } };
    const baseUrl = baseUrlOf(on);
    const made = await asOperator(on, { role: 'ADMIN' }, async (operator) => {
      const whenMissing = `There is no buyer ${buyer} on ${on.platform.code}.`;
      const answer = await runAs(on, createPageLink, input, { operator, whenMissing, baseUrl });
      return { answer, audit: { action: 'PAGE_LINK_CREATED', subject: `page of buyer ${buyer}` } };
    });
    const note = `Valid until ${instant(made.expires_at)}. The page asks for a code, which is sent to the address of the buyer.`;
    printDone(values.json, made, `${made.url}\n\n${note}`);
  });
}
