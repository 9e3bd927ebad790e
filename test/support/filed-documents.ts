/** A document that was mailed about an invoice, and is filed with it. */
import { findPlatform, type PlatformRow } from '#modules/platforms';
import { fileDocuments } from '#modules/statements';
import type { World } from './world.ts';

const FILED_AT = 1_763_640_000;

export async function addFiledDocument(
  { installation: { db, vault }, sql }: World,
  platformId: number,
  { documentId, invoice, buyer }: { documentId: string; invoice: string; buyer: string },
): Promise<void> {
  const { code, data_key_wrapped } = (await findPlatform(db, platformId)) as PlatformRow;
  const cause = `invoice/${invoice}/assigned/${documentId}`;
  await sql(
    `with noticed as (
       insert into notices (platform_id, notice_id, cause, kind, buyer_external_id, recipient_masked, language, text_sha256, created_at)
       values ($1, gen_random_uuid(), $2, 'invoice_assigned', $3, 'x', 'EN', '\\x00', $4) returning *
     )
     insert into notice_handovers (platform_id, notice_id, handed_over_at) select platform_id, notice_id, created_at from noticed`,
    [platformId, cause, buyer, FILED_AT],
  );
  await fileDocuments({ db, vault: vault.forPlatform(code, data_key_wrapped), platformId }, [
    {
      ...{ documentId, kind: 'ASSIGNMENT_NOTICE', filedAt: FILED_AT, causes: [cause] },
      ...{ invoiceExternalIds: [invoice], merchantExternalId: null },
      body: {
        ...{ title: 'Notice of assignment', locale: 'en', madeAt: FILED_AT, sender: 'Markthalle' },
        ...{ recipient: ['Café Morgenrot GmbH'], facts: [], parts: [], footer: 'Markthalle' },
      },
    },
  ]);
}
