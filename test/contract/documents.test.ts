/** The guides and the reference pages below /docs. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOCUMENTS } from '#api/reference/documents';
import { renderMarkdown } from '#api/reference/markdown';
import { OPENAPI_FILE } from '#test/api-document';
import { fencesOf, readGuide } from '#test/guide-fences';
import { createWorld, type World } from '#test/world';

describe('the documents below /docs', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());
  const visit = (path: string) => world.get(path, { key: null });

  it('are all guides and reference pages', () => {
    const found = ['guides', 'reference'].flatMap((folder) =>
      readdirSync(new URL(`../../docs/${folder}`, import.meta.url))
        .filter((name) => name.endsWith('.md'))
        .map((name) => `${folder}/${name.replace('.md', '')}`),
    );
    expect([...DOCUMENTS].sort()).toEqual(
      [...found, 'cells', 'citus', 'glossary', 'operating', 'several-processes', 'start'].sort(),
    );
  });

  it('are listed on one page, each with what it is about', async () => {
    const { status, text, headers } = await visit('/docs/guides');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).not.toContain('script-src');
    for (const name of DOCUMENTS)
      expect(text).toMatch(new RegExp(`href="../docs/${name}">[^<]+</a></dt><dd>(?!</dd>)`));
  });

  it.each(DOCUMENTS)('/docs/%s shows the whole document', async (name) => {
    const { status, text, headers } = await visit(`/docs/${name}`);
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; /);
    expect(policy).not.toContain('unsafe');
    const main = text.slice(text.indexOf('<main'));
    const source = readGuide(name);
    const shown = fencesOf(source).filter(({ language }) => language !== 'mermaid');
    expect(main.match(/<pre /g)?.length ?? 0).toBe(shown.length);
    const headings = source.replaceAll(/^```[\s\S]*?^```$/gm, '').match(/^#+ /gm);
    expect(main.match(/<h\d id=/g)?.length).toBe(headings?.length);
    // No Markdown is left in the text.
    const prose = main.replaceAll(/<(pre|code)\b[\s\S]*?<\/\1>/g, '');
    expect(prose).not.toMatch(/\]\(|\*\*|```|^\|/m);
  });

  it('have links and anchors that lead somewhere', async () => {
    const pages = new Map<string, string>();
    const textOf = async (path: string) => {
      const { status, text } = await visit(path);
      expect([path, status]).toEqual([path, 200]);
      return text;
    };
    const paths = ['/docs/guides', ...DOCUMENTS.map((name) => `/docs/${name}`)];
    for (const path of paths) pages.set(path, await textOf(path));
    let followed = 0;
    for (const [path, text] of [...pages])
      for (const [, href = ''] of text.matchAll(/<a (?:class="\w+" )?href="([^"]*)"/g)) {
        if (/^https:/.test(href)) continue;
        const [relative = '', anchor] = href.split('#');
        const target = relative === '' ? path : posix.join(posix.dirname(path), relative);
        if (!pages.has(target)) pages.set(target, await textOf(target));
        if (anchor !== undefined) expect(pages.get(target), `${path} → ${href}`).toContain(` id="${anchor}"`);
        followed += 1;
      }
    expect(followed).toBeGreaterThan(400);
  });

  it('are linked from the description of the API', async () => {
    const { info } = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8'));
    const links = [...info.description.matchAll(/\]\((docs\/[^)#]*)\)/g)].map(([, path]) => path);
    expect(links).toEqual(expect.arrayContaining(['docs/guides', 'docs/start', 'docs/reference/changes']));
    for (const path of links) expect((await visit(`/${path}`)).status, path).toBe(200);
  });
});

describe('Markdown', () => {
  const html = (text: string) => renderMarkdown(text, (link) => (link === 'gone' ? null : link)).html.trim();

  it.each([
    ['# A `b` & c', '<h1 id="a-b--c">A <code>b</code> &amp; c</h1>'],
    ['## A\n## A', '<h2 id="a">A</h2>\n<h2 id="a-1">A</h2>'],
    ['[name](where#x) and [lost](gone)', '<p><a href="where#x">name</a> and lost</p>'],
    ['<!-- Printed. -->\n\nText.', '<p>Text.</p>'],
    ['```sh not run: why\na <b>\n```', '<pre tabindex="0"><code>a &lt;b&gt;</code></pre>'],
    ['```json answer\n{}\n```', '<pre tabindex="0" class="answer"><code>{}</code></pre>'],
  ])('%j', (text, expected) => {
    expect(html(text)).toBe(expected);
  });

  it.each([
    '<script>alert(1)</script>',
    'text <img src=x onerror=alert(1)> more',
    '<div onclick="alert(1)">\n\nx\n\n</div>',
    '[x](" onclick="alert(1))',
    '[x](<" onclick="alert(1)>)',
    '![<img src=x onerror=alert(1)>](x)',
    '# <img src=x onerror=alert(1)>',
    '| <b onclick=x> |\n|---|\n| <i onclick=y> |',
    '`<script>`',
    '```"><script>\n<script>\n```',
  ])('shows raw HTML as text: %j', (text) => {
    const written = html(text).replaceAll(/ (href|id)="[^"<>]*"/g, '');
    for (const [tag] of written.matchAll(/<[^>]*>/g))
      expect(tag).toMatch(
        /^<\/?(h1|p|a|code|pre( tabindex="0")?|div( class="table" tabindex="0")?|table|thead|tbody|tr|th|td)>$/,
      );
  });
});
