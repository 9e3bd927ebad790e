/** Whether the address of the service can be listened on, and what to do if not. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { localUrl } from '#kernel/http-url';
import { StartRefused } from '#kernel/start-refused';

interface Address {
  port: number;
  host: string;
}

/** Listens briefly, so that a start with an occupied port fails before a database is created. Throws StartRefused. */
export async function assertCanListen({ port, host }: Address): Promise<void> {
  const server = createServer();
  try {
    server.listen({ port, host });
    await once(server, 'listening');
  } catch (error) {
    throw listenRefusal({ port, host }, error as Error);
  }
  server.close();
  await once(server, 'close');
}

/** Throws StartRefused. */
export async function listen(server: FastifyInstance, { port, host }: Address): Promise<void> {
  await server.listen({ port, host }).catch((error) => {
    throw listenRefusal({ port, host }, error);
  });
}

/** The address at which a server listens, as a URL. */
export function addressOf(server: FastifyInstance, host: string): string {
  const address = server.server.address();
  return localUrl(host, typeof address === 'object' && address !== null ? address.port : 0);
}

function listenRefusal({ port, host }: Address, error: Error): StartRefused {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartRefused(
        `Port ${port} on ${host} is in use: set PORT to another one, or to 0 for any free one.`,
      );
    case 'EACCES':
      return new StartRefused(`This user may not listen on port ${port}: set PORT to a port above 1023.`);
    default:
      return new StartRefused(
        `HOST=${host} is not an address of this machine that can be listened on (${error.message}).`,
        { cause: error },
      );
  }
}
