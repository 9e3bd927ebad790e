/**
 * A platform onboards companies by their numbers, and the registry's next file has other values for them. The values that came
 * from the registry change with it, and the platform gets one event for each change.
 */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importRegistry } from '#modules/registry';
import { approvalIn, runHere, secondOperator } from '#test/command';
import { endPrograms, runCommand, startProgram } from '#test/program';
import { type Receiver, startReceiver } from '#test/receiver';
import { vatId } from '#test/registry-entry';
import { filesFolder } from '#test/registry-files';
import { createWorld, type World } from '#test/world';

const HEADER =
  'registry,registry_key,country,legal_name,legal_form,street,house,postcode,city,vat_id,incorporated_on,status\n';
const OLD = 'DANISH,1,DK,Smørrebrød ApS,ApS,Vestergade,9,8000,Aarhus,DK12345674,1999-05-01,ACTIVE\n';
const NEW = 'DANISH,1,DK,Smørrebrød & Sønner A/S,A/S,Havnegade,1,8000,Aarhus,DK12345674,1999-05-01,ACTIVE\n';
const SAME = 'DANISH,2,DK,Ærlig Handel A/S,A/S,Torvet,1,9000,Aalborg,DK12345675,1999-05-01,ACTIVE\n';

let world: World;
let receiver: Receiver;
const folder = filesFolder();
let files = 0;
afterAll(() => folder.remove());

async function importLines(...lines: string[]): Promise<void> {
  await importRegistry(world.installation.db, world.clock, {
    path: folder.write(`register-${++files}.csv`, HEADER + lines.join('')),
    format: null,
    refusedPath: null,
    isRestarted: false,
    onProgress: () => {},
    signal: new AbortController().signal,
  });
}

describe('with a running worker', () => {
  let secret: string;
  beforeAll(async () => {
    world = await createWorld({ platform: { country: 'DK' } });
    receiver = await startReceiver();
    const body = { type: 'BUYER', url: receiver.url };
    secret = (await world.post('/v1/webhooks', body)).body.signing_secret;
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });
  const updates = (id: string) => (one: { event: { type: string; data: { external_id: string } } }) =>
    one.event.type === 'BUYER.UPDATED' && one.event.data.external_id === id;

  it('an imported change reaches the buyer and the receiver, signed and in sequence', async () => {
    world.clock.set(1_800_000_000);
    await importLines(OLD, SAME);
    for (const [external_id, value] of [
      ['smor', 'DK12345674'],
      ['aerlig', 'DK12345675'],
    ])
      await world.post('/v1/buyers', { external_id, business_identifiers: [vatId(value as string, 'DK')] });
    const before = await world.get('/v1/buyers/smor');
    expect(before.body).toMatchObject({ legal_name: 'Smørrebrød ApS', legal_form: 'LIMITED_COMPANY' });

    world.clock.set(1_800_000_500);
    await importLines(NEW, SAME);
    const [seen] = await receiver.waitFor(1, updates('smor'));
    expect(seen?.event).toMatchObject({
      occurred_at: 1_800_000_500,
      data: {
        external_id: 'smor',
        sequence: 2,
        changed_fields: ['legal_name', 'legal_form', 'business_address', 'registry'],
      },
    });
    expect(seen?.digests).toEqual([
      createHmac('sha256', secret).update(`${seen?.raw}.${seen?.t}`).digest('hex'),
    ]);
    const after = await world.get('/v1/buyers/smor');
    expect(after.headers.get('etag')).toBe('"2"');
    expect(after.body).toMatchObject({
      legal_name: 'Smørrebrød & Sønner A/S',
      legal_form: 'PUBLIC_COMPANY',
      business_address: { street: 'Havnegade', house: '1' },
      created_at: 1_800_000_000,
      updated_at: 1_800_000_500,
      registry: { ...before.body.registry, refreshed_at: 1_800_000_500 },
    });
  });

  it('a change that waited for one made by hand comes in with the next number, and neither is lost', async () => {
    const { body: buyer } = await world.get('/v1/buyers/smor');
    const { legal_form, business_identifiers, business_address } = buyer;
    await world.put('/v1/buyers/smor', {
      legal_name: 'Smør by hand',
      legal_form,
      business_identifiers,
      business_address,
    });
    await importLines(OLD);
    const [, , seen] = await receiver.waitFor(3, updates('smor'));
    expect(seen?.event.data).toMatchObject({
      sequence: 4,
      changed_fields: ['legal_form', 'business_address', 'registry'],
    });
    const { body } = await world.get('/v1/buyers/smor');
    expect(body).toMatchObject({ legal_name: 'Smør by hand', legal_form: 'LIMITED_COMPANY' });
    expect(body.registry.fields).toEqual(['legal_form', 'business_address']);
    expect(receiver.received.filter(updates('aerlig'))).toEqual([]);
  });
});

describe('the import command', () => {
  afterAll(endPrograms);

  it('changes the buyers even if no worker runs', async () => {
    const program = await startProgram({ args: ['--empty'], env: { TRADELINE_WORKER: 'off' } });
    const headers = { authorization: `Bearer ${program.apiKey}`, 'content-type': 'application/json' };
    const buyers = `${program.baseUrl}/v1/buyers`;
    const ben = await secondOperator(program.env);
    const why = ['--reason', 'The edition of today.'];
    const command = async (path: string) => {
      const proposed = await runHere(['registry', 'import', path, ...why], program.env);
      await runHere(['approval', 'approve', approvalIn(proposed), ...why], ben);
      return runCommand(['registry', 'import', path, ...why], program.env);
    };
    await command(folder.write('first.csv', HEADER + OLD));
    const sent = { external_id: 'smor', business_identifiers: [vatId('DK12345674', 'DK')] };
    expect((await fetch(buyers, { method: 'POST', headers, body: JSON.stringify(sent) })).status).toBe(201);
    expect((await command(folder.write('second.csv', HEADER + NEW))).code).toBe(0);
    const reply = await fetch(`${buyers}/smor`, { headers });
    expect(await reply.json()).toMatchObject({ legal_name: 'Smørrebrød & Sønner A/S' });
    expect(reply.headers.get('etag')).toBe('"2"');
  });
});
