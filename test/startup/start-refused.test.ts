import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formatApiKey, randomApiKey } from '#kernel/api-key';
import { processesBelow } from '#test/embedded-postgres-processes';
import { endPrograms, runCommand, temporaryFolder } from '#test/program';

const folder = temporaryFolder();
const file = join(folder, 'file');
const text = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
text('file', 'This is a file.\n');

afterAll(endPrograms);

describe('a setting that cannot be used', () => {
  const sandboxKey = formatApiKey(randomApiKey('sandbox'));
  const mistyped = sandboxKey.slice(0, -1) + (sandboxKey.endsWith('a') ? 'b' : 'a');

  it.each<[setting: string, value: string, sentence: RegExp, more?: Record<string, string>]>([
    ['PORT', 'abc', /must be a whole number from 0 to 65535/],
    ['PORT', '70000', /must be a whole number from 0 to 65535/],
    ['PORT', '-1', /must be a whole number from 0 to 65535/],
    ['TRADELINE_BASE_URL', 'credit.example.com', /must be a URL such as https:/],
    ['TRADELINE_ENVIRONMENT', 'staging', /must be sandbox or production/],
    ['TRADELINE_MASTER_KEY', '', /must be set in production/, { TRADELINE_ENVIRONMENT: 'production' }],
    ['TRADELINE_MASTER_KEY', 'c2hvcnQ=', /must be 32 bytes in base64/],
    ['TRADELINE_BOOTSTRAP_API_KEY', 'hunter2', /must be a well-formed key/],
    ['TRADELINE_BOOTSTRAP_API_KEY', mistyped, /must be a well-formed key/],
    [
      'TRADELINE_BOOTSTRAP_API_KEY',
      formatApiKey(randomApiKey('production')),
      /is a production key, but TRADELINE_ENVIRONMENT is sandbox/,
    ],
    ['DATABASE_URL', 'localhost:5432', /must be a URL such as postgres:/],
    ['DATABASE_URL', 'postgres://user:password@host:99999/db', /must be a URL such as postgres:/],
    ['DATABASE_OWNER_URL', 'mysql://host/db', /must be a URL such as postgres:/],
    ['DATABASE_CONNECTIONS', '1', /must be a whole number from 2 to 1000/],
    ['TRADELINE_RATE_LIMIT_PER_SECOND', '1.5', /must be a whole number/],
    ['TRADELINE_RATE_LIMIT_BURST', '0', /must be a whole number/],
    ['TRADELINE_SEARCH_RATE_LIMIT_PER_SECOND', 'five', /must be a whole number/],
    ['REGISTRY_GLEIF_URL', 'api.gleif.org', /must be a URL such as https:/],
    ['REGISTRY_COMPANIES_HOUSE_URL', 'https://example.com', /REGISTRY_COMPANIES_HOUSE_API_KEY must be set/],
    ['REGISTRY_COMPANIES_HOUSE_API_KEY', 'hunter2', /REGISTRY_COMPANIES_HOUSE_URL must be set/],
    ['REGISTRY_CA_FILE', file, /must be a readable file of PEM certificates/],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0', /must be networks with commas between them/],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0/33', /must be networks with commas between them/],
    ['WEBHOOK_EXTRA_PORTS', '4443;9443', /must be ports with commas between them/],
    ['WEBHOOK_CA_FILE', join(folder, 'missing.pem'), /must be a readable file of PEM certificates/],
    ['WEBHOOK_CA_FILE', file, /must be a readable file of PEM certificates/],
    [
      'WEBHOOK_CA_FILE',
      text('broken.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
      /must be a readable file of PEM certificates/,
    ],
    ['TRADELINE_WORKER', 'no', /must be on, off or only/],
    ['TRADELINE_LOG_LEVEL', 'verbose', /must be one of debug, info, warn, error, silent/],
    [
      'TRADELINE_READY_FILE',
      join(folder, 'missing', 'ready.json'),
      /cannot be written to .*: set it to a file/,
    ],
    ['TRADELINE_READY_FILE', folder, /cannot be written to .*: set it to a file/],
    ['TRADELINE_DATA_DIR', file, /is not a folder; fix this, or set TRADELINE_DATA_DIR/],
    ['TRADELINE_DATA_DIR', join(file, 'data'), /is not a folder; fix this, or set TRADELINE_DATA_DIR/],
  ])('%s=%s stops the start with one sentence', async (setting, value, sentence, more = {}) => {
    const result = await refuse({
      TRADELINE_DATA_DIR: join(folder, 'never-made'),
      ...more,
      [setting]: value,
    });
    expect(result.stdout).toBe('');
    expect(result.stderr).toContain(setting);
    expect(result.stderr).toMatch(sentence);
    // A reader of the log of a failed start must not learn a secret from it.
    if (/KEY|DATABASE\w*URL/.test(setting) && value !== '') expect(result.stderr).not.toContain(value);
  });
});

describe('an address that cannot be listened on', () => {
  const dataDir = join(folder, 'data');

  it.each([
    ['192.0.2.1', /^HOST=192\.0\.2\.1 is not an address of this machine/],
    ['fe80::1', /^HOST=fe80::1 is not an address of this machine/],
    ['no.such.host.invalid', /^HOST=no\.such\.host\.invalid is not an address of this machine/],
  ])('HOST=%s stops the start with one sentence', async (host, sentence) => {
    const result = await refuse({ TRADELINE_DATA_DIR: dataDir, HOST: host });
    expect(result.stderr).toMatch(sentence);
    expect(processesBelow(dataDir)).toEqual([]);
  });

  it('PORT in use stops the start with one sentence, before a database is made', async () => {
    const dataDir = join(folder, 'never-made-either');
    const server = createServer();
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    );
    const result = await refuse({ TRADELINE_DATA_DIR: dataDir, PORT: String(port) });
    expect(result.stderr).toBe(
      `Port ${port} on 127.0.0.1 is in use: set PORT to another one, or to 0 for any free one.\n`,
    );
    expect(processesBelow(dataDir)).toEqual([]);
    await new Promise((resolve) => server.close(resolve));
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe('a data folder with something in the way', () => {
  it('is refused with the file that is', async () => {
    const dataDir = join(folder, 'in-the-way');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'postgres'), 'not a cluster\n');
    const result = await refuse({ TRADELINE_DATA_DIR: dataDir });
    expect(result.stderr).toContain(dataDir);
    expect(result.stderr).toContain('TRADELINE_DATA_DIR');
  });
});

/** Starts, and expects one line on standard error, exit code 1, and no stack trace. */
async function refuse(env: Record<string, string>) {
  const result = await runCommand(['serve'], { PORT: '0', ...env });
  expect(result).toMatchObject({ code: 1, signal: null });
  expect(result.stderr).toMatch(/^[^\n]+\.\n$/);
  expect(result.stderr).not.toMatch(/ at |node:internal|Error:/);
  return result;
}
