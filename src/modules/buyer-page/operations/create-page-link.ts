import { Type } from 'typebox';
import { closed, externalId, optional, unixSeconds } from '#kernel/fields';
import { referenceNotFound } from '#kernel/missing-entity';
import { notFound } from '#kernel/problem';
import { BuyerParams, findBuyer, newPageLink } from '#modules/buyers';
import { findInvoice } from '#modules/invoices';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';

const PageLinkCreation = closed(
  {
    invoice_external_id: optional(
      externalId('An invoice of the buyer, to which the link leads. Default: all open invoices'),
    ),
  },
  'PageLinkCreation',
);

const CreatedPageLink = closed(
  {
    url: Type.String({
      description: "For the buyer only. The page asks for a code, which goes to the buyer's own address",
    }),
    expires_at: unixSeconds('When the link expires: after 90 days'),
  },
  'PageLink',
);

export const createPageLink = operation({
  id: 'createPageLink',
  summary: "Create a link to the buyer's own page",
  description:
    'The link is like those in mails to the buyer, and valid for 90 days. Each call creates another one. Links are not stored, and ' +
    'cannot be revoked. The link alone shows the name of the platform and a masked address. A key that is restricted to one ' +
    'merchant cannot create one, because the page shows the amounts owed to all merchants.',
  tag: 'Buyers',
  scope: 'orders:write',
  effect: 'read',
  hasSecret: true,
  params: BuyerParams,
  body: PageLinkCreation,
  isBodyOptional: true,
  status: 200,
  response: CreatedPageLink,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED', 'REFERENCED_ENTITY_NOT_FOUND'],
  example: { params: { external_id: 'cafe-morgenrot' }, body: {} },
  async run({ db, platformId, caller, vault, now, baseUrl }, { params, body }) {
    assertPlatformWide(caller);
    const buyer = await findBuyer(db, { platformId, externalId: params.external_id });
    if (!buyer) throw notFound();
    const invoice = body?.invoice_external_id ?? null;
    if (invoice !== null) {
      const found = await findInvoice(db, { platformId, externalId: invoice });
      if (found?.buyer_external_id !== params.external_id)
        throw referenceNotFound('The buyer has no invoice with this external_id', {
          field: 'body.invoice_external_id',
          value: invoice,
          remedy: 'GET /v1/invoices?buyer_external_id=… lists the invoices of a buyer.',
        });
    }
    const made = newPageLink(
      { vault, platformId, baseUrl, now },
      { buyerExternalId: params.external_id, invoiceExternalId: invoice, recipient: null },
    );
    return { body: { url: made.url, expires_at: made.expiresAt } };
  },
});
