/** Certificates for real TLS servers in tests; certificates/README.md describes each of them and how it was made. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface TestCertificate {
  cert: string;
  key: string;
}

/** PEM of the authority: a client must trust it to reach a server with one of the certificates below. */
export const testAuthority = read('authority.crt');
export const testAuthorityPath = pathOf('authority.crt');

/** For `receiver.test`, `*.receiver.test`, `localhost`, `127.0.0.1` and `::1`. Made for `https.createServer(…)`. */
export const receiverCertificate = readPair('receiver');
/** For `elsewhere.test`. */
export const wrongHostCertificate = readPair('wrong-host');
/** For the names of `receiverCertificate`, until 2001. */
export const expiredCertificate = readPair('expired');
/** For the names of `receiverCertificate`, not signed by the authority. */
export const selfSignedCertificate = readPair('self-signed');

function readPair(name: string): TestCertificate {
  return { cert: read(`${name}.crt`), key: read(`${name}.key`) };
}

function read(file: string): string {
  return readFileSync(pathOf(file), 'utf8');
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(`./certificates/${file}`, import.meta.url));
}
