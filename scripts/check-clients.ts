/**
 * Validates openapi.json, generates and compiles a client in each language, and sends an amount above 2^31 to a sandbox and back. Fails if
 * one of them fails. Skips a check whose toolchain is missing on this machine, and prints the reason.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProgram } from '../bench/support/program.ts';
import { ROUND_TRIP_GROSS, type Server, type Workplace } from './clients/check.ts';
import { go } from './clients/go.ts';
import { java } from './clients/java.ts';
import { python } from './clients/python.ts';
import { typescript } from './clients/typescript.ts';
import { validators } from './clients/validators.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'tradeline-clients');
const openapi = join(root, 'openapi.json');

interface Check {
  name: string;
  prepare(cache: string): Promise<string>;
}

/** Prepares and runs one check, and prints its line. A check that cannot be prepared is skipped. */
async function report(check: Check, run: (workplace: Workplace) => Promise<string>): Promise<void> {
  const startedAtMs = performance.now();
  const print = (result: string, detail: string) => {
    const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1);
    console.log(`${result.padEnd(7)} ${check.name.padEnd(22)} ${seconds.padStart(6)} s  ${detail}`);
  };
  const folder = mkdtempSync(join(tmpdir(), 'tradeline-clients-'));
  try {
    const versions = await check.prepare(cache).catch((error: Error) => {
      print('skipped', error.message);
    });
    if (versions === undefined) return;
    print('passed', `${await run({ openapi, folder, root })} (${versions})`);
  } catch (error) {
    print('FAILED', (error as Error).message);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A sandbox with the buyer and the merchant of the round trips. */
async function startSandbox(started: AsyncDisposableStack): Promise<Server> {
  const program = await startProgram({ started, profileFolder: null });
  await program.send('POST', '/v1/merchants', {
    external_id: 'client-merchant',
    legal_name: 'Nordlicht Kaffeerösterei GmbH',
    legal_form: 'LIMITED_COMPANY',
    business_address: { postcode: '20457', city: 'Hamburg', country: 'DE' },
  });
  const buyer = { external_id: 'client-buyer', contact_email: 'buyer@bistro.example' };
  await program.send('POST', '/v1/buyers', buyer);
  return program;
}

mkdirSync(cache, { recursive: true });
for (const validator of validators)
  await report(validator, async (workplace) => {
    await validator.validate(workplace, cache);
    return 'found no error';
  });

await using started = new AsyncDisposableStack();
const server = await startSandbox(started);
for (const client of [typescript, python, go, java])
  await report(client, async (workplace) => {
    await client.generate(workplace, cache);
    await client.compile(workplace, cache);
    const gross = await client.roundTrip(workplace, server, cache);
    if (gross !== ROUND_TRIP_GROSS)
      throw new Error(`Read a gross of ${gross} instead of ${ROUND_TRIP_GROSS}.`);
    return `generated, compiled, read a gross of ${gross}`;
  });
