/** `tradeline audit list|verify` */
import { StartRefused } from '#kernel/start-refused';
import { auditKeyOf, listAuditEntriesAfter, verifyAudit } from '#modules/operators';
import { readArguments } from './arguments.ts';
import { commandOf } from './command.ts';
import { onPlatform } from './installation.ts';
import { required } from './options.ts';
import { printDone } from './result.ts';
import { instant, printTable } from './table.ts';

export const auditCommand = commandOf('audit', { list, verify });

const text = { type: 'string' } as const;
const ENTRIES_AT_ONCE = 500;

/** Prints one JSON line per entry with `--json`, so that a log of any length can be exported. */
async function list(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: {
      platform: text,
      after: { type: 'string', default: '0' },
    },
  });
  const isPosition = (word: string) => /^\d{1,9}$/.test(word);
  let position = Number(required(values.after, '--after', isPosition, 'the position of an entry'));
  await onPlatform(values.platform, async ({ db, platform: { platform_id: platformId } }) => {
    const rows: Record<string, string>[] = [];
    for (;;) {
      const entries = await listAuditEntriesAfter(db, platformId, position, ENTRIES_AT_ONCE);
      for (const { platform_id: _, previous_hash, hash, details, ...entry } of entries) {
        position = entry.position;
        if (values.json) {
          const chain = { previous_hash: previous_hash.toString('hex'), hash: hash.toString('hex') };
          console.log(JSON.stringify({ ...entry, details: JSON.parse(details), ...chain }));
        } else
          rows.push({
            position: `${position}`,
            recorded: instant(entry.recorded_at),
            actor: entry.actor,
            action: entry.action,
            subject: entry.subject,
            reason: entry.reason ?? '-',
          });
      }
      if (entries.length < ENTRIES_AT_ONCE) break;
    }
    if (!values.json) printTable(rows, 'The log has no such entries.');
  });
}

async function verify(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, head: text } });
  const noted = values.head === undefined ? null : headOf(values.head);
  await onPlatform(values.platform, async ({ db, vault, platform }) => {
    const { code, platform_id: platformId } = platform;
    const { end, fault } = await verifyAudit(db, platformId, auditKeyOf(vault, platform), noted);
    if (fault !== null) throw new StartRefused(`The audit log of ${code} was tampered with. ${fault}`);
    const head = `${end.position}:${end.hash.toString('hex')}`;
    printDone(
      values.json,
      { entries: end.position, head },
      `The audit log of ${code} is intact: ${end.position} entries. Keep its head outside of this installation:\n\n  ${head}\n`,
    );
  });
}

function headOf(value: string): { position: number; hash: string } {
  const isHead = (word: string) => /^\d{1,9}:[\da-f]{64}$/.test(word);
  const expected = 'a head that an earlier `tradeline audit verify` printed';
  const [position = '', hash = ''] = required(value, '--head', isHead, expected).split(':');
  return { position: Number(position), hash };
}
