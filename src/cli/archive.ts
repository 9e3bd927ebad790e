/** `tradeline archive events|verify` */
import { systemClock } from '#infra/time/clock';
import { StartRefused } from '#kernel/start-refused';
import {
  type ArchivedAttempt,
  type ArchivedDelivery,
  type ArchivedEvent,
  type ArchivedPart,
  readEventsToArchive,
} from '#modules/webhooks';
import {
  type ArchivedTable,
  addSegment,
  emptyManifest,
  faultsOfFiles,
  gapsOf,
  readManifest,
} from './archive-folder.ts';
import { readArguments, WrongUsage } from './arguments.ts';
import { commandOf } from './command.ts';
import { onPlatform } from './installation.ts';
import { instantOrDay } from './options.ts';
import { printDone } from './result.ts';

export const archiveCommand = commandOf('archive', { events, verify });

const text = { type: 'string' } as const;
/** The events of one file: a few megabytes. */
const EVENTS_OF_A_SEGMENT = 10_000;

/** Continues after the last archived event of the folder. Run it again after an interruption. */
async function events(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, out: text, until: text } });
  const { out: folder } = values;
  if (folder === undefined) throw new WrongUsage('Name the folder of the archive with --out.');
  const untilOf = values.until === undefined ? null : instantOrDay(values.until, '--until', 'end');
  await onPlatform(values.platform, async ({ db, vault, platform }) => {
    const { code, platform_id: platformId, data_key_wrapped } = platform;
    const platformVault = vault.forPlatform(code, data_key_wrapped);
    let manifest = (await readManifest(folder, code, platformVault)) ?? emptyManifest(code);
    // Events of the current second may still be written.
    const until = Math.min(untilOf ? untilOf(platform.time_zone) + 1 : Infinity, systemClock.now());
    let count = 0;
    for (;;) {
      const after = manifest.segments.at(-1)?.last ?? 0;
      const part = await readEventsToArchive(db, platformId, { after, until, countMax: EVENTS_OF_A_SEGMENT });
      if (part.events.length === 0) break;
      const segment = { positions: part.events.map(({ position }) => position), tables: tablesOf(part) };
      manifest = await addSegment(folder, manifest, segment, platformVault);
      count += part.events.length;
    }
    const last = manifest.segments.at(-1)?.last ?? 0;
    printDone(
      values.json,
      { events: count, last, gaps: gapsOf(manifest) },
      [
        `${count} events of ${code} were archived. The archive has the events until position ${last}.`,
        ...gapsOf(manifest),
      ].join('\n'),
    );
  });
}

/** Exit code 1 if a file is missing or was changed. */
async function verify(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    options: { platform: text },
    allowPositionals: true,
  });
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw new WrongUsage('Name the folder of the archive.');
  await onPlatform(values.platform, async ({ vault, platform: { code, data_key_wrapped } }) => {
    const manifest = await readManifest(folder, code, vault.forPlatform(code, data_key_wrapped));
    if (manifest === null)
      throw new StartRefused(`${folder} has no manifest: it is not an archive, or is damaged.`);
    const faults = await faultsOfFiles(folder, manifest);
    if (faults.length > 0)
      throw new StartRefused([`The archive of ${code} is damaged.`, ...faults].join('\n'));
    const files = manifest.segments.flatMap((segment) => segment.files);
    const last = manifest.segments.at(-1)?.last ?? 0;
    printDone(
      values.json,
      { files: files.length, last, gaps: gapsOf(manifest) },
      [
        `The archive of ${code} is complete: ${files.length} files, events until position ${last}.`,
        ...gapsOf(manifest),
      ].join('\n'),
    );
  });
}

function tablesOf({ events: rows, deliveries, attempts }: ArchivedPart): ArchivedTable[] {
  return [
    { name: 'events', columns: EVENT_COLUMNS, rows },
    { name: 'deliveries', columns: DELIVERY_COLUMNS, rows: deliveries },
    { name: 'attempts', columns: ATTEMPT_COLUMNS, rows: attempts },
  ].map((table) => ({ ...table, rows: table.rows.map((row) => ({ ...row })) }));
}

const EVENT_COLUMNS: (keyof ArchivedEvent)[] = [
  ...([
    'position',
    'event_id',
    'type',
    'resource_external_id',
    'occurred_at',
    'recorded_at',
    'body',
  ] as const),
];
const DELIVERY_COLUMNS: (keyof ArchivedDelivery)[] = [
  ...(['position', 'delivery_id', 'subscription_id', 'subscription_type', 'status', 'created_at'] as const),
  'finished_at',
];
const ATTEMPT_COLUMNS: (keyof ArchivedAttempt)[] = [
  ...(['delivery_id', 'round', 'attempt', 'started_at', 'duration_ms', 'status_code', 'failure'] as const),
];
