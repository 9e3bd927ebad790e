/** Which pictures are accepted as a logo, and under which address they are served. */
import { createHash } from 'node:crypto';
import { svgFault } from './svg.rules.ts';

export const LOGO_BYTES_MAX = 65_536;

const EXTENSIONS = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
} as const;
type MediaType = keyof typeof EXTENSIONS;

export interface Logo {
  mediaType: MediaType;
  content: Buffer;
}

/** Reads a logo, recognized by its first bytes, never by its name. If it is refused, returns why, as the end of a sentence. */
export function readLogo(content: Buffer): Logo | string {
  if (content.length > LOGO_BYTES_MAX) return `has more than ${LOGO_BYTES_MAX / 1_024} KB`;
  const mediaType = pictureTypeOf(content);
  if (mediaType !== null) return { mediaType, content };
  if (!/^(\ufeff)?\s*</.test(content.toString('utf8', 0, 100)))
    return 'is not a PNG, JPEG, WebP or SVG image';
  return svgFault(content) ?? { mediaType: 'image/svg+xml', content };
}

function pictureTypeOf(content: Buffer): MediaType | null {
  const start = content.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  return /^RIFF.{4}WEBP$/s.test(start) ? 'image/webp' : null;
}

const FOLDER = '/checkout/logos/';
const DIGITS = 16;

/** The `platforms.logo_url` of a logo that we serve: only a path, because the host depends on where the service is reached. */
export function logoPathOf(code: string, { mediaType, content }: Logo): string {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return logoPathOfFile(`${code}-${sha256.slice(0, DIGITS)}.${EXTENSIONS[mediaType]}`);
}

export function logoPathOfFile(file: string): string {
  return `${FOLDER}${file}`;
}

const FILE = /^([a-z\d-]{1,50})-[\da-f]{16}\.[a-z]{3,4}$/;

/** The code of the platform in the file name of a logo; null if it is not one. */
export function codeOfLogoFile(file: string): string | null {
  return FILE.exec(file)?.[1] ?? null;
}

interface WithLogo {
  logo_url: string | null;
}

/** The file name of the logo below /checkout/logos/; null if we serve none. */
export function logoFileOf({ logo_url: url }: WithLogo): string | null {
  return url?.startsWith(FOLDER) ? url.slice(FOLDER.length) : null;
}

/** The complete URL of the logo, for a mail or an integrator. */
export function logoUrlOf({ logo_url: url }: WithLogo, baseUrl: string): string | null {
  return url?.startsWith('/') ? `${baseUrl}${url}` : url;
}
