import { describe, expect, it } from 'vitest';
import { createOutboundHttp, OutboundRefused } from '#infra/outbound/http';
import { PUBLIC_ADDRESS } from '#test/outbound';

const ACCEPTED = 'accepted';

/** The addresses of the names in these tests. Every other name has a public address. */
const NAMES: Record<string, string[]> = {
  'nowhere.example': [],
  'private.example': ['10.0.0.7'],
  'mixed.example': [PUBLIC_ADDRESS, '10.0.0.7'],
  'mixed-families.example': ['2606:4700::6810:1', 'fd00::1'],
  'dual.example': ['2606:4700::6810:1', PUBLIC_ADDRESS],
  'metadata.example': ['169.254.169.254'],
  'home.example': ['127.0.0.1', '::1'],
  'half-home.example': ['127.0.0.1', PUBLIC_ADDRESS],
  'garbage.example': ['not an address'],
  'zone.example': ['fe80::1%eth0'],
  'short.example': ['127.1'],
  localhost: ['127.0.0.1'],
  'app.localhost': ['127.0.0.1'],
};

interface Options {
  allowLoopback?: boolean;
  extraPorts?: number[];
  allowCidrs?: string[];
  answers?: string[];
}

async function verdict(url: string, options: Options = {}): Promise<string> {
  const outbound = createOutboundHttp({
    allowLoopback: options.allowLoopback ?? false,
    extraPorts: options.extraPorts ?? [],
    allowCidrs: options.allowCidrs ?? [],
    resolve: async (hostname) => {
      const addresses = options.answers ?? NAMES[hostname] ?? [PUBLIC_ADDRESS];
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  });
  const error = await outbound.vet(url).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error === null) return ACCEPTED;
  if (!(error instanceof OutboundRefused)) throw error;
  expect(error.message).toMatch(/^The .+\.$/);
  for (const answer of options.answers ?? []) expect(error.message).not.toContain(answer);
  return error.reason;
}

describe('a url', () => {
  const urls: [url: string, expected: string, options?: Options][] = [
    ['https://example.com', ACCEPTED],
    ['https://example.com/', ACCEPTED],
    ['HTTPS://EXAMPLE.COM/Hook', ACCEPTED],
    ['https://example.com/hook?tenant=1&x=%20', ACCEPTED],
    ['https://example.com:443/', ACCEPTED],
    ['https://example.com:8443/', ACCEPTED],
    ['https://example.com:/', ACCEPTED],
    ['https://example.com./hook', ACCEPTED],
    ['https://my_service.example.com/', ACCEPTED],
    ['https://xn--bcher-kva.example/', ACCEPTED],
    ['https://bücher.example/', ACCEPTED],
    ['https://例え.テスト/', ACCEPTED],
    ['https://example。com/', ACCEPTED],
    ['https://intranet/', ACCEPTED],
    ['https://example.com/a@b', ACCEPTED],
    ['https://example.com/?mail=a@b.example', ACCEPTED],
    ['https://example.com//double', ACCEPTED],
    ['https://example.com/%00', ACCEPTED],
    ['https://example.com/é', ACCEPTED],
    ['https://93.184.215.14/', ACCEPTED],
    ['https://[2606:4700::6810:1]/', ACCEPTED],
    ['https://[2606:4700::6810:1]:8443/', ACCEPTED],
    ['https://localhost.example.com/', ACCEPTED],
    ['https://notlocalhost/', ACCEPTED],
    ['https://127.0.0.1.example.com/', ACCEPTED],
    ['https://dual.example/', ACCEPTED],
    [`https://example.com/${'a'.repeat(2_028)}`, ACCEPTED],

    ['', 'INVALID_URL'],
    ['example.com/hook', 'INVALID_URL'],
    ['//example.com/hook', 'INVALID_URL'],
    ['/hook', 'INVALID_URL'],
    ['https://', 'INVALID_URL'],
    ['https:///', 'INVALID_URL'],
    ['https:example.com', 'INVALID_URL'],
    ['https:/example.com', 'INVALID_URL'],
    ['https:///example.com', 'INVALID_URL'],
    ['https://?x', 'INVALID_URL'],
    ['https://:443/', 'INVALID_URL'],
    ['https://./', 'INVALID_URL'],
    ['https://../', 'INVALID_URL'],
    ['https://example..com/', 'INVALID_URL'],
    ['https://.example.com/', 'INVALID_URL'],
    ['https://example.com../', 'INVALID_URL'],
    ['https://exa mple.com/', 'INVALID_URL'],
    ['https://example!.com/', 'INVALID_URL'],
    ['https://example,com/', 'INVALID_URL'],
    ['https://*.example.com/', 'INVALID_URL'],
    ['https://exa%00mple.com/', 'INVALID_URL'],
    ['https://exa%20mple.com/', 'INVALID_URL'],
    [`https://${'a'.repeat(64)}.example.com/`, 'INVALID_URL'],
    [`https://${'a.'.repeat(130)}example.com/`, 'INVALID_URL'],
    [' https://example.com/', 'INVALID_URL'],
    ['https://example.com/ ', 'INVALID_URL'],
    ['https://example.com/a b', 'INVALID_URL'],
    ['https://example.com/\thook', 'INVALID_URL'],
    ['https://exam\nple.com/', 'INVALID_URL'],
    ['https://example.com/\r\nx-injected: 1', 'INVALID_URL'],
    ['https://example.com/\0', 'INVALID_URL'],
    ['https://example.com/\u007f', 'INVALID_URL'],
    ['https://example.com\\@10.0.0.1/', 'INVALID_URL'],
    ['https:\\\\example.com\\hook', 'INVALID_URL'],
    ['https://example.com/#', 'INVALID_URL'],
    ['https://example.com/#part', 'INVALID_URL'],
    ['https://example.com#@10.0.0.1/', 'INVALID_URL'],
    ['https://example.com:65536/', 'INVALID_URL'],
    ['https://example.com:-1/', 'INVALID_URL'],
    ['https://example.com:https/', 'INVALID_URL'],
    ['https://1.2.3.4.5/', 'INVALID_URL'],
    ['https://256.0.0.1/', 'INVALID_URL'],
    ['https://example.0x1/', 'INVALID_URL'],
    ['https://4294967296/', 'INVALID_URL'],
    ['https://[::1/', 'INVALID_URL'],
    ['https://::1/', 'INVALID_URL'],
    ['https://[fe80::1%25eth0]/', 'INVALID_URL'],
    ['https://[fe80::1%eth0]/', 'INVALID_URL'],
    ['https://[v1.x]/', 'INVALID_URL'],
    ['https://[93.184.215.14]/', 'INVALID_URL'],
    [`https://example.com/${'a'.repeat(2_029)}`, 'INVALID_URL'],
    [`https://example.com/${'../'.repeat(700)}`, 'INVALID_URL'],
    [`https://example.com/${'é'.repeat(400)}`, 'INVALID_URL'],

    ['http://example.com/', 'SCHEME'],
    ['http://example.com:443/', 'SCHEME'],
    ['http://127.0.0.1/', 'SCHEME'],
    ['ftp://example.com/', 'SCHEME'],
    ['file:///etc/passwd', 'SCHEME'],
    ['gopher://127.0.0.1:6379/_x', 'SCHEME'],
    ['ws://example.com/', 'SCHEME'],
    ['wss://example.com/', 'SCHEME'],
    ['data:text/plain,x', 'SCHEME'],
    ['javascript:alert(1)', 'SCHEME'],
    ['unix:/var/run/docker.sock', 'SCHEME'],
    ['http+unix://%2Fvar%2Frun%2Fdocker.sock/', 'SCHEME'],
    ['blob:https://example.com/1', 'SCHEME'],

    ['https://user:secret@example.com/', 'CREDENTIALS'],
    ['https://user@example.com/', 'CREDENTIALS'],
    ['https://:secret@example.com/', 'CREDENTIALS'],
    ['https://@example.com/', 'CREDENTIALS'],
    ['https://:@example.com/', 'CREDENTIALS'],
    ['https://example.com@10.0.0.1/', 'CREDENTIALS'],
    ['https://example.com:443@10.0.0.1/', 'CREDENTIALS'],
    ['https://a@b@10.0.0.1/', 'CREDENTIALS'],

    ['https://example.com:80/', 'PORT'],
    ['https://example.com:22/', 'PORT'],
    ['https://example.com:0/', 'PORT'],
    ['https://example.com:5432/', 'PORT'],
    ['https://example.com:65535/', 'PORT'],
    ['https://127.0.0.1:6379/', 'PORT'],
    ['https://example.com:9443/', 'PORT'],
    ['https://example.com:9443/', ACCEPTED, { extraPorts: [9_443] }],
    ['https://example.com:9444/', 'PORT', { extraPorts: [9_443] }],

    ['https://localhost/', 'ADDRESS'],
    ['https://LOCALHOST/', 'ADDRESS'],
    ['https://localhost./', 'ADDRESS'],
    ['https://app.localhost/', 'ADDRESS'],
    ['https://app.localhost./', 'ADDRESS'],
    ['https://ⓛocalhost/', 'ADDRESS'],
    ['https://localhost/', 'ADDRESS', { answers: [PUBLIC_ADDRESS] }],
    ['https://app.localhost/', 'ADDRESS', { answers: [PUBLIC_ADDRESS] }],
    ['https://127.0.0.1/', 'ADDRESS'],
    ['https://127.0.0.1./', 'ADDRESS'],
    ['https://127.1/', 'ADDRESS'],
    ['https://127.0.1/', 'ADDRESS'],
    ['https://2130706433/', 'ADDRESS'],
    ['https://0x7f000001/', 'ADDRESS'],
    ['https://0x7f.1/', 'ADDRESS'],
    ['https://0177.0.0.1/', 'ADDRESS'],
    ['https://017700000001/', 'ADDRESS'],
    ['https://0x7f.0.0x0.01/', 'ADDRESS'],
    ['https://１２７.0.0.1/', 'ADDRESS'],
    ['https://①②⑦.0.0.1/', 'ADDRESS'],
    ['https://%31%32%37.0.0.1/', 'ADDRESS'],
    ['https://127。0。0。1/', 'ADDRESS'],
    ['https://0/', 'ADDRESS'],
    ['https://0.0.0.0/', 'ADDRESS'],
    ['https://999/', 'ADDRESS'],
    ['https://192.168.010.1/', 'ADDRESS'],
    ['https://10.0.0.1:8443/', 'ADDRESS'],
    ['https://169.254.169.254/latest/meta-data/', 'ADDRESS'],
    ['https://100.100.100.200/', 'ADDRESS'],
    ['https://[::]/', 'ADDRESS'],
    ['https://[::1]/', 'ADDRESS'],
    ['https://[0:0:0:0:0:0:0:1]/', 'ADDRESS'],
    ['https://[::ffff:127.0.0.1]/', 'ADDRESS'],
    ['https://[::ffff:7f00:1]/', 'ADDRESS'],
    ['https://[::ffff:93.184.215.14]/', 'ADDRESS'],
    ['https://[::127.0.0.1]/', 'ADDRESS'],
    ['https://[64:ff9b::10.0.0.1]/', 'ADDRESS'],
    ['https://[fd00:ec2::254]/', 'ADDRESS'],
    ['https://[fe80::1]/', 'ADDRESS'],
    ['https://private.example/', 'ADDRESS'],
    ['https://mixed.example/', 'ADDRESS'],
    ['https://mixed-families.example/', 'ADDRESS'],
    ['https://metadata.example/', 'ADDRESS'],
    ['https://home.example/', 'ADDRESS'],
    ['https://garbage.example/', 'ADDRESS'],
    ['https://zone.example/', 'ADDRESS'],
    ['https://short.example/', 'ADDRESS'],
    ['https://nowhere.example/', 'UNRESOLVED'],

    ['https://private.example/', ACCEPTED, { allowCidrs: ['10.0.0.0/24'] }],
    ['https://mixed.example/', ACCEPTED, { allowCidrs: ['10.0.0.0/24'] }],
    ['https://10.0.0.7/', ACCEPTED, { allowCidrs: ['10.0.0.0/24'] }],
    ['https://10.0.1.7/', 'ADDRESS', { allowCidrs: ['10.0.0.0/24'] }],
    ['https://[fd00:1::7]/', ACCEPTED, { allowCidrs: ['fd00:1::/64'] }],
    ['https://[::ffff:10.0.0.7]/', 'ADDRESS', { allowCidrs: ['10.0.0.0/24'] }],
    ['https://[64:ff9b::10.0.0.7]/', 'ADDRESS', { allowCidrs: ['10.0.0.0/24'] }],
    ['http://10.0.0.7/', 'SCHEME', { allowCidrs: ['10.0.0.0/24'] }],
    ['https://10.0.0.7:9000/', 'PORT', { allowCidrs: ['10.0.0.0/24'] }],
    ['https://10.0.0.7:9000/', ACCEPTED, { allowCidrs: ['10.0.0.0/24'], extraPorts: [9_000] }],

    ['http://127.0.0.1:3000/hook', ACCEPTED, { allowLoopback: true }],
    ['https://127.0.0.1:3000/hook', ACCEPTED, { allowLoopback: true }],
    ['http://[::1]:3000/hook', ACCEPTED, { allowLoopback: true }],
    ['http://localhost:3000/hook', ACCEPTED, { allowLoopback: true }],
    ['http://app.localhost/hook', ACCEPTED, { allowLoopback: true }],
    ['http://home.example/hook', ACCEPTED, { allowLoopback: true }],
    ['https://half-home.example/hook', ACCEPTED, { allowLoopback: true }],
    ['https://example.com/hook', ACCEPTED, { allowLoopback: true }],
    ['http://half-home.example/hook', 'SCHEME', { allowLoopback: true }],
    ['https://half-home.example:3000/hook', 'PORT', { allowLoopback: true }],
    ['http://example.com/hook', 'SCHEME', { allowLoopback: true }],
    ['https://example.com:3000/hook', 'PORT', { allowLoopback: true }],
    ['http://10.0.0.7/hook', 'SCHEME', { allowLoopback: true }],
    ['http://0.0.0.0:3000/hook', 'SCHEME', { allowLoopback: true }],
    ['http://[::ffff:127.0.0.1]:3000/hook', 'SCHEME', { allowLoopback: true }],
    ['https://[::ffff:127.0.0.1]/hook', 'ADDRESS', { allowLoopback: true }],
    ['https://10.0.0.7/hook', 'ADDRESS', { allowLoopback: true }],
    ['https://169.254.169.254/', 'ADDRESS', { allowLoopback: true }],
    ['http://user@localhost:3000/', 'CREDENTIALS', { allowLoopback: true }],
    ['ftp://localhost/', 'SCHEME', { allowLoopback: true }],
    ['http://10.0.0.7/', 'SCHEME', { allowLoopback: true, allowCidrs: ['10.0.0.0/8'] }],
  ];

  it.each(urls)('%j: %s %j', async (url, expected, options) => {
    expect(await verdict(url, options)).toBe(expected);
  });

  it('leads nowhere when its name cannot be resolved', async () => {
    const outbound = createOutboundHttp({
      allowLoopback: false,
      extraPorts: [],
      allowCidrs: [],
      resolve: () => Promise.reject(new Error('ENOTFOUND 10.0.0.53')),
    });
    await expect(outbound.vet('https://example.com/')).rejects.toMatchObject({
      reason: 'UNRESOLVED',
      message: 'The host of the url does not lead to a public address.',
    });
  });

  it('is resolved once', async () => {
    const requested: string[] = [];
    const outbound = createOutboundHttp({
      allowLoopback: false,
      extraPorts: [],
      allowCidrs: [],
      resolve: async (hostname) => {
        requested.push(hostname);
        return [{ address: PUBLIC_ADDRESS, family: 4 }];
      },
    });
    await outbound.vet('https://Bücher.example./hook');
    expect(requested).toEqual(['xn--bcher-kva.example']);
  });
});
