/**
 * The server is killed with SIGKILL while files are uploaded, into the database and into a folder. `UPLOAD_KILLS` in the
 * environment selects the long run.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { copyFileSync, readdirSync, statSync, truncateSync, utimesSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { type Audit, auditOf } from '#test/event-audit';
import { patience } from '#test/patience';
import {
  endPrograms,
  launchProgram,
  type RunningProgram,
  startProgram,
  temporaryFolder,
} from '#test/program';
import { post } from '#test/program-requests';
import { eventually, until } from '#test/until';

/** Kills after the whole body was sent; one more kill comes in the middle of a body. */
const KILLS = Number(process.env.UPLOAD_KILLS ?? 2);
/** Many chunks of a file. */
const SIZE = 12 * 1024 * 1024;

vi.setConfig({ testTimeout: patience(60 + KILLS * 30), hookTimeout: patience(60) });

afterAll(endPrograms);

/** A PDF that cannot be compressed. */
function pdf(): Buffer {
  return Buffer.concat([Buffer.from('%PDF-1.4\n%'), randomBytes(SIZE), Buffer.from('\n%%EOF\n')]);
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe.each(['database', 'folder'] as const)('uploads into the %s', (kind) => {
  const folder = temporaryFolder();
  const env: Record<string, string> =
    kind === 'folder' ? { TRADELINE_FILES_FOLDER: join(folder, 'files') } : {};
  let program: RunningProgram;
  let audit: Audit;
  const uploads: { id: string; bytes: Buffer }[] = [];

  beforeAll(async () => {
    program = await startProgram({ args: ['--empty'], env });
    audit = await auditOf(program.dataDir);
    for (const [path, body] of [
      ['/v1/merchants', merchantBody({})],
      ['/v1/buyers', buyerBody({ external_id: 'buyer' })],
      ['/v1/invoices', invoiceBody({})],
    ] as const)
      expect((await post(program, path, body)).status).toBe(201);
  });

  const pathOf = (id: string) => `/v1/invoices/invoice/files/${id}`;

  /** The request and the status of its response; null if the connection ended without one. */
  function upload(id: string, length: number): { sent: ClientRequest; status: Promise<number | null> } {
    const path = `/v1/invoices/invoice/files?file_external_id=${id}&kind=INVOICE&name=${id}.pdf`;
    const sent = request(program.baseUrl + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${program.apiKey}`,
        'content-type': 'application/pdf',
        'content-length': length,
        'idempotency-key': id,
      },
    });
    const status = new Promise<number | null>((resolve) => {
      sent.on('response', (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? null);
      });
      sent.on('error', () => resolve(null));
    });
    return { sent, status };
  }

  async function killAndStartAgain(): Promise<void> {
    process.kill(program.pid, 'SIGKILL');
    await program.exited;
    const launched = launchProgram({ dataDir: program.dataDir, env });
    program = { ...program, ...launched, baseUrl: (await launched.ready).baseUrl };
    audit = await auditOf(program.dataDir);
  }

  /** The files in the folder, by name, with their sizes. */
  function inFolder(): Map<string, number> {
    const platforms = kind === 'folder' ? readdirSync(join(folder, 'files')) : [];
    const paths = platforms.flatMap((platform) =>
      readdirSync(join(folder, 'files', platform)).map((name) => join(folder, 'files', platform, name)),
    );
    return new Map(paths.map((path) => [path, statSync(path).size]));
  }

  /** Whether the file is stored: all of it with its event, or nothing. */
  async function isStored(id: string): Promise<boolean> {
    const [found] = await audit(`
      select count(*)::int as files, count(f.file_id)::int as contents,
        (select count(*)::int from events where body::json -> 'data' ->> 'file_external_id' = '${id}') as events,
        (select count(*)::int from files) = (select count(*)::int from invoice_files) as is_each_named
      from invoice_files i left join files f using (platform_id, file_id) where i.external_id = '${id}'`);
    const expected = found?.files === 0 ? 0 : 1;
    expect(found).toEqual({ files: expected, contents: expected, events: expected, is_each_named: true });
    return expected === 1;
  }

  async function sendAgain(id: string, bytes: Buffer): Promise<void> {
    const { sent, status } = upload(id, bytes.length);
    sent.end(bytes);
    expect(await status).toBe(201);
    expect(await isStored(id)).toBe(true);
    uploads.push({ id, bytes });
  }

  it('store nothing of half a body, and take it when it is sent again', async () => {
    const bytes = pdf();
    const { sent, status } = upload('half-sent', bytes.length);
    await new Promise<void>((resolve) => sent.write(bytes.subarray(0, bytes.length / 2), () => resolve()));
    await killAndStartAgain();
    expect(await status).toBeNull();
    expect(await isStored('half-sent')).toBe(false);
    await sendAgain('half-sent', bytes);
  });

  it('store all or nothing of a whole one, and take it once', async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const id = `killed-${kill}`;
      const bytes = pdf();
      const before = inFolder().size;
      const { sent, status } = upload(id, bytes.length);
      await new Promise<void>((resolve) => sent.end(bytes, resolve));
      // In the folder the first kill comes while the content is written; each of the others comes a little later.
      if (kind === 'folder' && kill === 0) await until(() => inFolder().size > before);
      else await sleep(kill * 15);
      await killAndStartAgain();
      const answered = await status;
      const wasStored = await isStored(id);
      // Every acknowledged file is stored; a stored file may lack its response.
      if (answered !== null) expect([answered, wasStored]).toEqual([201, true]);
      await sendAgain(id, bytes);
    }
  });

  it('are read as they were sent', async () => {
    for (const { id, bytes } of uploads) {
      const headers = { authorization: `Bearer ${program.apiKey}` };
      const answer = await fetch(program.baseUrl + pathOf(id), { headers });
      expect([answer.status, sha256Of(Buffer.from(await answer.arrayBuffer()))]).toEqual([
        200,
        sha256Of(bytes),
      ]);
    }
    expect(uploads).toHaveLength(KILLS + 1);
    const [rows] = await audit(`select count(*)::int as files,
      (select count(*)::int from file_chunks where file_id not in (select file_id from files)) as chunks from files`);
    expect(rows).toEqual({ files: uploads.length, chunks: 0 });
  });

  if (kind === 'folder')
    it('leave nothing in the folder that the next start does not remove', async () => {
      const [[path] = ['']] = inFolder();
      const half = join(dirname(path), randomUUID());
      copyFileSync(path, half);
      truncateSync(half, SIZE / 2);
      const left = inFolder();
      expect(left.size).toBeGreaterThan(uploads.length);
      // Another process may still commit files younger than a day.
      const long = Date.now() / 1_000 - 2 * 86_400;
      for (const each of left.keys()) utimesSync(each, long, long);
      await killAndStartAgain();
      await eventually(async () => expect(inFolder().size).toBe(uploads.length));
      expect(new Set(inFolder().values()).size).toBe(1);
    });
});
