import type { Db } from '#infra/database';
import type { PlatformRow } from '#modules/platforms';
import type { PlatformLook } from './mail-contents.ts';

const EXTENSIONS: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' };
const DIGITS_SHOWN = 16;

/** How a platform's mails look. The logo only where our own address is known, and in a form that mail programs show: not as SVG. */
export async function findPlatformLook(
  db: Db,
  platform: PlatformRow,
  baseUrl: string | null,
): Promise<PlatformLook> {
  const { platform_id, code, name } = platform;
  if (baseUrl === null) return { name, logoUrl: null };
  const logo = await db
    .selectFrom('platform_logos')
    .select(['media_type', 'sha256'])
    .where('platform_id', '=', platform_id)
    .executeTakeFirst();
  const extension = EXTENSIONS[logo?.media_type ?? ''];
  if (!logo || extension === undefined) return { name, logoUrl: null };
  const digits = logo.sha256.toString('hex').slice(0, DIGITS_SHOWN);
  return { name, logoUrl: `${baseUrl}/checkout/logos/${code}-${digits}.${extension}` };
}
