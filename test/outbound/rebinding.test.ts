import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { OutboundRefused } from '#infra/outbound/http';
import { receiverCertificate, testAuthority } from '#test/certificates';
import { answers, client, OK, PUBLIC_ADDRESS, request, resolveInTurn, server } from '#test/outbound';
import { onEachRequest } from '#test/raw-server';

const REBINDS = 1_000;
const trusting = { extraCa: testAuthority };

describe('a name that changes its address', () => {
  const ownAddresses = Object.values(networkInterfaces())
    .flat()
    .map((networkInterface) => networkInterface?.address ?? '')
    .filter((address) => /^(10|127|172\.(1[6-9]|2\d|3[01])|192\.168)\.|^::1$|^f[cde]/.test(address));
  const inside = [
    ...'127.0.0.1 127.0.0.2 127.255.255.254 0.0.0.0 ::1 :: ::ffff:127.0.0.1 ::127.0.0.1 127.1 localhost'.split(
      ' ',
    ),
    ...'64:ff9b::7f00:1 2002:7f00:1:: 2606:4700::5efe:7f00:1 fd00::1 fe80::1'.split(' '),
    ...'10.0.0.1 172.16.0.1 192.168.0.1 169.254.169.254 100.64.0.1'.split(' '),
    ...ownAddresses,
  ];
  const mixtures = inside.flatMap((address) => [
    [address],
    [address, PUBLIC_ADDRESS],
    [PUBLIC_ADDRESS, address],
    [PUBLIC_ADDRESS, '2606:4700::6810:1', address],
    [...Array(50).fill(PUBLIC_ADDRESS), address],
    [address, address],
  ]);

  it('is refused each time: no connection is made', async () => {
    const listener = await server(answers(OK));
    const url = `https://rebinding.example:${listener.port}/hook`;
    const reasons: string[] = [];
    for (let rebind = 0; rebind < REBINDS; rebind++) {
      const mixture = mixtures[rebind % mixtures.length] ?? [];
      const resolve = resolveInTurn([PUBLIC_ADDRESS], mixture);
      const outbound = client({ extraPorts: [listener.port], resolve });
      await outbound.vet(url);
      const error = await outbound.post(url, request).catch((reason: unknown) => reason);
      reasons.push(error instanceof OutboundRefused ? error.reason : String(error));
      expect(resolve.calls()).toBe(2);
    }
    console.log(`${REBINDS} rebinds over ${mixtures.length} answers: ${listener.connections} connections`);
    expect(reasons).toEqual(Array(REBINDS).fill('ADDRESS'));
    expect(listener.connections).toBe(0);
  });

  it('is refused at the next connection, after one that was allowed', async () => {
    const closing = (socket: Socket) =>
      onEachRequest(socket, () =>
        socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok'),
      );
    const listener = await server(closing, { tls: receiverCertificate });
    for (const address of inside.filter((other) => other !== '127.0.0.1')) {
      const resolve = resolveInTurn(['127.0.0.1'], [address]);
      const outbound = client({
        ...trusting,
        extraPorts: [listener.port],
        allowCidrs: ['127.0.0.1/32'],
        resolve,
      });
      const url = `https://receiver.test:${listener.port}/hook`;
      const before = listener.connections;
      expect(await outbound.post(url, request)).toMatchObject({ status: 200 });
      await expect(outbound.post(url, request)).rejects.toMatchObject({ reason: 'ADDRESS' });
      expect(listener.connections).toBe(before + 1);
    }
  });

  it('is refused without a word about where it leads', async () => {
    for (const address of inside) {
      const outbound = client({ resolve: resolveInTurn([address]) });
      await expect(outbound.post('https://rebinding.example/', request)).rejects.toThrow(
        /^The host of the url does not lead to a public address\.$/,
      );
    }
  });
});
