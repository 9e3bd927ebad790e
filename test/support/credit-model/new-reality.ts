/** A separate platform for one run: with a policy of few rules, a single price for everything, a merchant and a buyer. */
import type { Pool } from 'undici';
import { addBankAccount } from '#modules/banking';
import { insertActivation, insertPolicy, sha256Of } from '#modules/underwriting';
import { buyerBody, merchantBody } from '../bodies.ts';
import { registeredCompany } from '../registered-company.ts';
import type { World } from '../world.ts';
import { Reality } from './reality.ts';
import { SERVICE_PRICE, SERVICE_TAX, TERM_DAYS_MAX } from './service.ts';
import { BUYER } from './state.ts';
import { FEE_TAX, FEES } from './term.ts';

let platforms = 0;

/** A new platform with a policy of few rules, a merchant and a buyer that the registry knows. */
export async function newReality(world: World, pool: Pool): Promise<Reality> {
  const { platform, apiKey } = await world.addPlatform({ code: `model-${++platforms}` });
  const body = { ...buyerBody({ external_id: platform.code }), legal_form: 'COOPERATIVE' as const };
  const company = await registeredCompany(world, body);
  const buyer = { ...company, external_id: BUYER };
  const reality = new Reality(world, pool, { platform, key: apiKey, buyer });
  await putPolicy(world, platform.platform_id);
  await putPrices(world, platform.platform_id);
  await putServiceFees(world, platform.platform_id);
  await world.sql('update platforms set max_payment_term = $2 where platform_id = $1', [
    platform.platform_id,
    TERM_DAYS_MAX,
  ]);
  for (const [path, body] of [
    ['/v1/merchants', merchantBody({})],
    ['/v1/buyers', buyer],
  ] as const) {
    const { status } = await reality.post(path, body);
    if (status !== 201) throw new Error(`POST ${path} answered ${status}`);
  }
  await reality.useScript('accepted');
  await reality.bank(world.clock.now(), (context) =>
    addBankAccount(context, { externalId: 'main', number: 'DE89370400440532013000', currency: 'EUR' }),
  );
  return reality;
}

async function putPolicy({ installation: { db }, clock }: World, platformId: number): Promise<void> {
  const by = { activatedAt: clock.now(), activatedBy: 'anna', approvedBy: null };
  const made = { name: 'of the model', createdAt: clock.now(), createdBy: 'anna' };
  const policy = { platformId, graph: POLICY, sha256: sha256Of(POLICY), ...made };
  const version = await insertPolicy(db, policy);
  if (version === undefined) throw new Error('The policy was not stored.');
  await insertActivation(db, { platformId, version, ...by });
}

/** Sets one price for every class, because the model does not cover the class in a decision. */
async function putPrices({ sql, clock }: World, platformId: number): Promise<void> {
  const table = {
    tax_basis_points: FEE_TAX,
    fee_basis_points: { A: FEES, B: FEES, C: FEES, D: FEES },
  };
  await sql(
    `insert into credit_settings_versions (platform_id, version, valid_from, set_by, price_table)
     values ($1, 1, $2, 'anna', $3)`,
    [platformId, clock.now(), JSON.stringify(table)],
  );
}

/** Sets one fee for each service. */
async function putServiceFees({ sql, clock }: World, platformId: number): Promise<void> {
  const bands = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2', 'D1', 'D2'];
  const fees = {
    prices: [
      {
        ...{ service_type: 'FINANCING', merchant_external_id: null },
        risk_bands: Object.fromEntries(bands.map((band) => [band, SERVICE_PRICE])),
      },
    ],
    taxes: [
      {
        ...{ country: 'DE', has_vat_id: null, category: 'S', basis_points: SERVICE_TAX },
        ...{ from: '2007-01-01', until: null },
      },
    ],
  };
  await sql(
    `insert into service_fee_versions (platform_id, version, valid_from, set_by, fees) values ($1, 1, $2, 'fin', $3)`,
    [platformId, clock.now(), JSON.stringify(fees)],
  );
}

/** In whole units. */
const SAID = {
  outcome: `registry_status == "DISSOLVED" ? "REJECT"
    : identity_source == "SELF_DECLARED" or delivery_differs or applicant_proof == "CONFIRMED_ADDRESS" ? "REFER" : "ACCEPT"`,
  limit: `registry_status == "DISSOLVED" ? null : registry_status == "IN_LIQUIDATION" ? 400
    : identity_source == "PERSON" ? 700 : 1000`,
  risk_band: 'registry_status == "DISSOLVED" ? "REJECT" : "B1"',
  price_class: 'registry_status == "DISSOLVED" ? null : "B"',
  reasons: '["OTHER_RULE"]',
  buyer_reasons: 'registry_status == "DISSOLVED" ? ["NOT_POSSIBLE_NOW"] : ["LIMIT_GRANTED"]',
};
const POLICY = {
  nodes: [
    { id: 'in', name: 'Application', type: 'inputNode', content: { schema: '' } },
    {
      id: 'answer',
      name: 'Answer',
      type: 'expressionNode',
      content: { expressions: Object.entries(SAID).map(([key, value]) => ({ id: key, key, value })) },
    },
    { id: 'out', name: 'Decision', type: 'outputNode', content: { schema: '' } },
  ],
  edges: [
    { id: 'first', sourceId: 'in', targetId: 'answer' },
    { id: 'last', sourceId: 'answer', targetId: 'out' },
  ],
};
