/**
 * Encryption at rest: AES-256-GCM with one data key per platform, stored wrapped by the installation's master key. A
 * ciphertext is bound to its platform and row (`boundTo`, such as `contacts/jane`) and does not decrypt elsewhere.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The number of bytes that sealing adds. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES;
const KEY_BYTES = 32;

/** Encrypts (seals) and decrypts (opens) with the data key of one platform. */
export interface PlatformVault {
  seal(boundTo: string, text: string): Buffer;
  /** Throws if the bytes were altered, or sealed for another row or platform. */
  open(boundTo: string, sealed: Uint8Array): string;
  sealBytes(boundTo: string, bytes: Uint8Array): Buffer;
  /** Throws like `open`. */
  openBytes(boundTo: string, sealed: Uint8Array): Buffer;
  /** A keyed hash of 32 bytes: equal texts have equal hashes, and guessing a text requires the platform's key. */
  mac(purpose: string, text: string): Buffer;
}

export interface Vault {
  /** A new wrapped data key. */
  newDataKey(platformCode: string): Buffer;
  forPlatform(platformCode: string, wrappedDataKey: Uint8Array): PlatformVault;
  /** Derives `length` bytes from the master key, always the same for one purpose. */
  derive(purpose: string, length: number): Buffer;
}

export function createVault(masterKey: Uint8Array): Vault {
  // Key objects: importing raw bytes at every call took longer than the encryption or the hash.
  const wrappingKey = createSecretKey(
    Buffer.from(hkdfSync('sha256', masterKey, '', 'tradeline/wrap', KEY_BYTES)),
  );
  /**
   * By platform code. An entry may hold another key than the stored one: if a creation is refused because the code is taken, its key is
   * never stored.
   */
  const platformVaults = new Map<string, { wrapped: Buffer; vault: PlatformVault }>();
  return {
    newDataKey: (platformCode) => encrypt(wrappingKey, `platforms/${platformCode}`, randomBytes(KEY_BYTES)),
    forPlatform(platformCode, wrappedDataKey) {
      const known = platformVaults.get(platformCode);
      if (known?.wrapped.equals(wrappedDataKey)) return known.vault;
      const dataKey = createSecretKey(decrypt(wrappingKey, `platforms/${platformCode}`, wrappedDataKey));
      const macKey = createSecretKey(
        Buffer.from(hkdfSync('sha256', dataKey, '', 'tradeline/mac', KEY_BYTES)),
      );
      const vault: PlatformVault = {
        seal: (boundTo, text) => encrypt(dataKey, boundTo, Buffer.from(text)),
        open: (boundTo, sealed) => decrypt(dataKey, boundTo, sealed).toString(),
        sealBytes: (boundTo, bytes) => encrypt(dataKey, boundTo, bytes),
        openBytes: (boundTo, sealed) => decrypt(dataKey, boundTo, sealed),
        mac: (purpose, text) => createHmac('sha256', macKey).update(`${purpose}\0${text}`).digest(),
      };
      platformVaults.set(platformCode, { wrapped: Buffer.from(wrappedDataKey), vault });
      return vault;
    },
    derive: (purpose, length) =>
      Buffer.from(hkdfSync('sha256', masterKey, '', `tradeline/derived/${purpose}`, length)),
  };
}

function encrypt(key: KeyObject, boundTo: string, plain: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: KeyObject, boundTo: string, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}
