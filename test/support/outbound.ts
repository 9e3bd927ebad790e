/** A client and servers for the tests of outbound requests; everything is closed after each test. */
import type { Socket } from 'node:net';
import { afterEach } from 'vitest';
import { createOutboundHttp, type OutboundHttp, type OutboundPolicy } from '#infra/outbound/http';
import { onEachRequest, type RawServer, type RawServerOptions, startRawServer } from './raw-server.ts';

/** A public address on the internet. No test connects to it. */
export const PUBLIC_ADDRESS = '93.184.215.14';
export const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
export const request = { headers: { 'content-type': 'application/json' }, body: '{}', timeoutMs: 2_000 };

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

export function client(policy: Partial<OutboundPolicy> = {}): OutboundHttp {
  const outbound = createOutboundHttp({
    allowLoopback: false,
    extraPorts: [],
    allowCidrs: [],
    ...policy,
  });
  cleanUps.push(() => outbound.close());
  return outbound;
}

export async function server(
  behave: (socket: Socket) => void,
  options?: RawServerOptions,
): Promise<RawServer> {
  const started = await startRawServer(behave, options);
  cleanUps.push(() => started.close());
  return started;
}

/** Answers each request with these bytes. */
export const answers = (text: string) => (socket: Socket) => onEachRequest(socket, () => socket.write(text));

/** Resolves every name to the next list, and permanently to the last one. */
export function resolveInTurn(...lists: string[][]) {
  let calls = 0;
  return Object.assign(
    async () => {
      const list = lists[Math.min(calls++, lists.length - 1)] ?? [];
      return list.map((address) => ({
        address,
        family: address.includes(':') ? (6 as const) : (4 as const),
      }));
    },
    { calls: () => calls },
  );
}
