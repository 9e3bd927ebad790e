import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { filesFolder, fixture, zipOf } from '#test/registry-files';
import { createWorld, type World } from '#test/world';
import {
  type ImportProgress,
  type ImportRequest,
  type ImportSummary,
  importRegistry,
} from './import-registry.ts';

let world: World;
const folder = filesFolder();
beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  await world.close();
  folder.remove();
});
beforeEach(() => world.sql('truncate registry_companies, registry_words, registry_imports'));

const importFile = (path: string, request: Partial<ImportRequest> = {}): Promise<ImportSummary> =>
  importRegistry(world.installation.db, world.clock, {
    path,
    format: null,
    refusedPath: null,
    isRestarted: false,
    onProgress: () => {},
    signal: new AbortController().signal,
    ...request,
  });
const names = async () => {
  const rows = await world.sql<{ legal_name: string }>(
    'select legal_name from registry_companies order by company_id',
  );
  return rows.map((row) => row.legal_name);
};
const progress = async () => {
  const [row] = await world.sql(`select records_read::int as read, companies_written::int as written,
    records_refused::int as refused, finished_at is not null as "isFinished" from registry_imports`);
  return row;
};

const HEADER = 'registry,registry_key,country,legal_name\n';
const line = (nth: number) => `DEMO,${nth},DE,Firma ${nth} GmbH\n`;
const lines = (count: number, write = line) =>
  HEADER + Array.from({ length: count }, (_, nth) => write(nth + 1)).join('');

describe('an import', () => {
  it('writes valid records, reports the others, and makes the companies searchable', async () => {
    const refusedPath = folder.path('refused.csv');
    const summary = await importFile(fixture('plain.csv'), { refusedPath });
    expect(summary).toMatchObject({
      fileName: 'plain.csv',
      format: 'csv',
      unknownColumns: [],
      resumedAfter: 0,
      recordsRead: 18,
      companiesWritten: 5,
      recordsRefused: 13,
      outcome: 'FINISHED',
    });
    expect(summary.refusals.slice(0, 3)).toEqual([
      { reason: 'vat_id does not have the format of its country.', records: 2 },
      { reason: 'country must be an ISO 3166-1 country code, such as DE.', records: 2 },
      { reason: 'incorporated_on must be a day in the form YYYY-MM-DD.', records: 2 },
    ]);
    // Of two records with the same key, the later one counts.
    expect(await names()).toContain('Erfundene Öfen und Herde GmbH');
    expect(await names()).not.toContain('Erfundene Öfen GmbH');
    const { body } = await world.get(
      '/v1/businesses/search?search_type=name_address&country=DE&name=erfundne+oefen',
    );
    expect(body.items[0]).toMatchObject({ id: 'CHAMBER-1', legal_name: 'Erfundene Öfen und Herde GmbH' });
    expect(await progress()).toEqual({ read: 18, written: 5, refused: 13, isFinished: true });
    expect(readFileSync(refusedPath, 'utf8').split('\n').slice(0, 3)).toEqual([
      'record,line,reason,excerpt',
      '4,6,"vat_id does not have the format of its country.","DE12345 (DE)"',
      '5,7,"vat_id does not have the format of its country.","ATU12345678 (DE)"',
    ]);
  });

  it.each(['gleif.csv', 'companies-house.csv'])('reads %s, plain and in a ZIP', async (name) => {
    const plain = await importFile(fixture(name));
    const before = await names();
    const path = folder.write('packed.zip', zipOf([{ name, content: readFileSync(fixture(name)) }]));
    expect(await importFile(path)).toEqual({ ...plain, fileName: 'packed.zip' });
    expect(await names()).toEqual(before);
    expect(before.length).toBeGreaterThan(4);
  });

  it('imports a file once, unless a restart is requested or the file has changed', async () => {
    const path = folder.write('once.csv', lines(3));
    expect(await importFile(path)).toMatchObject({ recordsRead: 3, outcome: 'FINISHED' });
    await world.sql("delete from registry_companies where registry_key = '2'");
    expect(await importFile(path)).toMatchObject({
      recordsRead: 3,
      companiesWritten: 3,
      outcome: 'UNCHANGED',
    });
    expect((await names()).length).toBe(2);
    expect(await importFile(path, { isRestarted: true })).toMatchObject({
      recordsRead: 3,
      outcome: 'FINISHED',
    });
    expect((await names()).length).toBe(3);
    folder.write('once.csv', lines(4));
    expect(await importFile(path)).toMatchObject({ recordsRead: 4, outcome: 'FINISHED' });
    expect((await names()).length).toBe(4);
  });

  it('of a file with a header only reads nothing', async () => {
    expect(await importFile(folder.write('header.csv', HEADER))).toMatchObject({
      recordsRead: 0,
      outcome: 'FINISHED',
    });
  });

  it('reads a file that ends in the middle of a line, and reports that line', async () => {
    const summary = await importFile(folder.write('cut.csv', `${lines(2)}DEMO,3,DE`));
    expect(summary).toMatchObject({ recordsRead: 3, companiesWritten: 2, recordsRefused: 1 });
  });

  it('continues after a line of 40 MB', async () => {
    const long = Buffer.alloc(40_000_000, 'x');
    const path = folder.write(
      'long.csv',
      Buffer.concat([Buffer.from(lines(1)), long, Buffer.from(`\n${line(2)}`)]),
    );
    const summary = await importFile(path);
    expect(summary).toMatchObject({ recordsRead: 3, companiesWritten: 2, recordsRefused: 1 });
    expect(summary.refusals).toEqual([{ reason: 'The record is longer than 1 MiB.', records: 1 }]);
  });

  it('writes batches of few companies with the same words side by side', async () => {
    const few = (nth: number) => `DEMO,${nth},${nth % 20 === 0 ? 'DE' : 'XX'},Gemeinsam ${nth % 40} GmbH\n`;
    const summary = await importFile(folder.write('few.csv', lines(9_000, few)));
    expect(summary).toMatchObject({ recordsRead: 9_000, companiesWritten: 450, outcome: 'FINISHED' });
    const texts = await world.sql('select word, companies from registry_words order by word');
    expect(texts).toEqual([
      { word: '0', companies: 225 },
      { word: '20', companies: 225 },
      { word: 'gemeinsam', companies: 450 },
    ]);
  });

  it('reports its progress', async () => {
    const seen: ImportProgress[] = [];
    await importFile(folder.write('progress.csv', lines(30_000)), { onProgress: (each) => seen.push(each) });
    expect(seen.at(-1)).toEqual({
      phase: 'counting words',
      recordsRead: 30_000,
      recordsRefused: 0,
      share: 1,
    });
    const reading = seen.filter(({ phase }) => phase === 'importing');
    expect(reading.length).toBeGreaterThan(2);
    expect(reading.map(({ share }) => share)).toEqual(
      reading.map(({ share }) => share).sort((a, b) => a - b),
    );
    expect(reading.at(-1)).toMatchObject({ recordsRead: 30_000, share: 1 });
  });
});

describe('an import that is stopped', () => {
  /** Every seventh record is refused; long enough for a file of several chunks. */
  const some = (nth: number) =>
    `DEMO,${nth},${nth % 7 === 0 ? 'XX' : 'DE'},Firma ${nth} ${'und Söhne '.repeat(12)}GmbH\n`;
  const COUNT = 9_000;
  const REFUSED = Array.from({ length: COUNT }, (_, nth) => nth + 1).filter((nth) => nth % 7 === 0);
  const recordsReported = (path: string) =>
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((each) => Number.parseInt(each, 10));
  /** Stops as soon as a record is read that no earlier run has read. */
  const importAStep = async (path: string, refusedPath: string, before: number) => {
    const stop = new AbortController();
    const onProgress = ({ recordsRead }: ImportProgress) => recordsRead > before && stop.abort();
    return importFile(path, { refusedPath, signal: stop.signal, onProgress });
  };

  it('continues after the committed records, and reports each refused record once', async () => {
    const path = folder.write('stopped.csv', lines(COUNT, some));
    const refusedPath = folder.path('stopped-refused.csv');
    const unheard = await importFile(path, { refusedPath, signal: AbortSignal.abort() });
    expect(unheard).toMatchObject({ recordsRead: 0, outcome: 'STOPPED' });
    let read = 0;
    let runs = 0;
    for (let outcome = 'STOPPED'; outcome === 'STOPPED'; runs++) {
      const summary = await importAStep(path, refusedPath, read);
      expect(summary.resumedAfter).toBe(read);
      expect(await progress()).toMatchObject({
        read: summary.recordsRead,
        isFinished: summary.outcome === 'FINISHED',
      });
      expect(recordsReported(refusedPath)).toEqual(REFUSED.filter((record) => record <= summary.recordsRead));
      ({ outcome, recordsRead: read } = summary);
    }
    expect(runs).toBeGreaterThan(3);
    expect(await progress()).toEqual({
      read: COUNT,
      written: COUNT - REFUSED.length,
      refused: REFUSED.length,
      isFinished: true,
    });
    expect((await names()).length).toBe(COUNT - REFUSED.length);
  });

  it('removes report lines of a batch that was never committed', async () => {
    const path = folder.write('report.csv', lines(COUNT, some));
    const refusedPath = folder.path('report-refused.csv');
    const { recordsRead } = await importAStep(path, refusedPath, 0);
    expect(recordsRead).toBeLessThan(COUNT);
    const kept = readFileSync(refusedPath, 'utf8');
    const lost = `${recordsRead + 1},${recordsRead + 2},"of a batch","that is lost"\n${recordsRead},1,"cut o`;
    folder.write('report-refused.csv', kept + lost);
    await importFile(path, { refusedPath });
    expect(recordsReported(refusedPath)).toEqual(REFUSED);
    expect(readFileSync(refusedPath, 'utf8')).not.toContain('cut o');
  });

  it('is not done twice by two processes at once', async () => {
    const path = folder.write('twice.csv', lines(COUNT, some));
    const outcomes = await Promise.allSettled([importFile(path), importFile(path)]);
    const sentences = outcomes.map((each) =>
      each.status === 'rejected' ? each.reason.message : each.value.outcome,
    );
    expect(sentences.sort()).toEqual([
      'Another process is importing this file: wait until it ends.',
      'FINISHED',
    ]);
    expect(await progress()).toMatchObject({ read: COUNT, written: COUNT - REFUSED.length });
  });

  it('by damage at the end of a ZIP keeps what came before', async () => {
    const path = folder.write('damaged.zip', zipOf([{ name: 'a.csv', content: lines(5_000), checksum: 1 }]));
    await expect(importFile(path)).rejects.toThrow(/^damaged\.zip is damaged \(.+\): download it again\.$/);
    expect(await progress()).toEqual({ read: 5_000, written: 5_000, refused: 0, isFinished: false });
    expect((await names()).length).toBe(5_000);
  });
});

describe('the report of refused records', () => {
  it('shows an invalid value as one harmless line', async () => {
    const content = `${HEADER}DEMO,1,=cmd|'x',Name\nDEMO,2,"A\u202eB\nC\u0000D",Name\nDEMO,3,${'x'.repeat(300)},Name\n`;
    const refusedPath = folder.path('odd-refused.csv');
    await importFile(folder.write('odd.csv', content), { refusedPath });
    expect(
      readFileSync(refusedPath, 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((each) => each.split(',"').at(-1)),
    ).toEqual([`'=cmd|'x'"`, 'A B C D"', `${'x'.repeat(120)}"`]);
  });

  it('is never written over a file that is not a report', async () => {
    const path = folder.write('precious.csv', lines(1));
    await expect(importFile(path, { refusedPath: path })).rejects.toThrow(
      'precious.csv is not a report of refused records: name another file for the report.',
    );
    expect(readFileSync(path, 'utf8')).toBe(lines(1));
  });

  it('is a sentence if it cannot be written', async () => {
    const refusedPath = folder.path('no/such/folder.csv');
    await expect(importFile(folder.write('a.csv', lines(1)), { refusedPath })).rejects.toThrow(
      /^The report cannot be written: .*no\/such\/folder\.csv.*\.$/,
    );
    expect(existsSync(refusedPath)).toBe(false);
  });
});
