import { beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, invoiceBody } from '#test/bodies';
import { useInvoicing } from '#test/invoice-setup';

const { create, world } = useInvoicing();

beforeAll(async () => {
  await world().post('/v1/buyers', buyerBody({ external_id: 'other', legal_name: 'Mühle' }));
  for (const [external_id, buyer_external_id] of [
    ['of-known', 'buyer'],
    ['of-other', 'other'],
  ])
    expect((await create(invoiceBody({ external_id, buyer_external_id }))).status).toBe(201);
  // More than are looked up before their invoices.
  await world().sql(
    `insert into buyers (platform_id, external_id, created_at, updated_at, legal_name, legal_form, business_identifiers,
      business_address)
    select platform_id, 'many-' || n, 1, 1, case when n % 2 = 0 then 'Morgenrot ' else 'Mehl ' end || n, 'LIMITED_COMPANY', '[]',
      '{}'
    from generate_series(1, 2100) n, (select platform_id from buyers where external_id = 'other') known`,
  );
});

async function idsOf(query: string): Promise<string[]> {
  const { body } = await world().get(`/v1/invoices?${query}`);
  expect(body.total).toBe(body.items.length);
  return body.items.map(({ external_id }: { external_id: string }) => external_id).sort();
}

describe('invoices by a name that more than a thousand buyers have', () => {
  it('are those of buyers with the name', async () => {
    expect(await idsOf('buyer_legal_name=*morgenrot*')).toEqual(['of-known']);
    expect(await idsOf('buyer_legal_name=M*')).toEqual(['of-other']);
    expect(await idsOf('buyer_legal_name=*')).toEqual(['of-known', 'of-other']);
  });

  it('are narrowed by other filters too', async () => {
    expect(await idsOf('buyer_legal_name=*&buyer_external_id=other')).toEqual(['of-other']);
    expect(await idsOf('buyer_legal_name=*&status=CANCELLED')).toEqual([]);
  });
});

describe('invoices by a name that few buyers have', () => {
  it('are those of the buyers that are asked for besides', async () => {
    expect(await idsOf('buyer_legal_name=m%C3%BChle')).toEqual(['of-other']);
    expect(await idsOf('buyer_legal_name=m%C3%BChle&buyer_external_id=buyer')).toEqual([]);
    expect(await idsOf('buyer_legal_name=m%C3%BChle&buyer_external_id=other,buyer')).toEqual(['of-other']);
  });
});
