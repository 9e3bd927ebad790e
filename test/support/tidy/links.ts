// Every relative link of the documents leads to a file, and every #anchor to a heading.
import { posix } from 'node:path';
import { type Check, type Example, innocent, offence } from './check.ts';
import type { Tree } from './tree.ts';

export const linksLead: Check = {
  name: 'links-lead-somewhere',
  run: (tree) =>
    tree.paths
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        linksOf(tree.text(path)).flatMap(({ line, target }) => {
          const sentence = deadLink(tree, path, target);
          return sentence === undefined ? [] : [{ path, line, sentence }];
        }),
      ),
  examples: [
    offence('README.md', 'See\n[the guide](docs/start.md).', 2),
    offence('docs/start.md', '[back](../../README.md)'),
    offence('docs/start.md', '[back](#top)\n\n# The top'),
    offence('docs/start.md', '![shot](shot.png)'),
    offence('docs/start.md', '[shot][1]\n\n[1]: shot.png', 3),
    offence('docs/start.md', '<a href="shot.png">x</a>'),
    withGuide('[start](docs/guide.md#nowhere)', ['README.md:1']),
    withGuide('[start](docs/guide.md#set-up-1) and [set](docs/guide.md#set-up-npm--node)', []),
    withGuide('[the folder](docs/) [the root](/docs/guide.md "a title") [line](<docs/guide.md>)', []),
    withGuide('[![badge](docs/guide.md)](docs/guide.md#own)', []),
    innocent('README.md', '# A b\n[up](#a-b) [web](https://example.com/x) [mail](mailto:a@example.com)'),
    offence('README.md', 'a stray ` here\n\n[no](lost%2.md) and ` there', 3),
    innocent('README.md', '```\n[no](lost.md)\n```\nand `[no](lost.md)`'),
    innocent('src/app.ts', '// [no](lost.md)'),
  ],
};

function withGuide(text: string, at: string[]): Example {
  const guide =
    '# Guide\n## Set up\n## Set up\n## Set up: `npm` & [node](https://nodejs.org)\n<a id="own"></a>';
  return { files: { 'README.md': text, 'docs/guide.md': guide }, at };
}

const LINK = /\]\(\s*<?([^)\s>]+)|^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)|(?:href|src)="([^"]+)"/gm;

function linksOf(markdown: string): { line: number; target: string }[] {
  const text = withoutCode(markdown);
  return [...text.matchAll(LINK)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    target: match[1] ?? match[2] ?? match[3] ?? '',
  }));
}

/** Blanks fenced blocks and code spans, keeping the lines. */
function withoutCode(markdown: string): string {
  const blank = (code: string) => code.replaceAll(/[^\n]/g, ' ');
  return markdown
    .replaceAll(/^( *)(```+|~~~+)[\s\S]*?(^ *\2|$(?![\s\S]))/gm, blank)
    .replaceAll(/(`+)(?!`)(?:(?!\n\n)[\s\S])*?[^`]\1(?!`)/g, blank);
}

/** The sentence for a target that leads nowhere. Other sites are not checked. */
function deadLink(tree: Tree, from: string, target: string): string | undefined {
  if (/^([a-z][a-z+.-]*:|\/\/)/i.test(target)) return undefined;
  const [file = '', anchor = ''] = decoded(target).split('#');
  const base = file.startsWith('/') ? file.slice(1) : posix.join(posix.dirname(from), file);
  const path = file === '' ? from : posix.normalize(base).replace(/\/$/, '');
  const isFolder = path === '.' || tree.paths.some((each) => each.startsWith(`${path}/`));
  if (!tree.has(path) && !isFolder)
    return `The link ${target} leads to no file: correct it, or write the page.`;
  if (anchor === '' || !path.endsWith('.md') || anchorsOf(tree.text(path)).has(anchor)) return undefined;
  return `The link ${target} leads to no heading: correct the anchor to one that ${path} has.`;
}

/** A target with invalid percent-encoding is used as written, and so leads nowhere. */
function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** The anchors that GitHub gives to headings, and those set by hand. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set([...markdown.matchAll(/(?:id|name)="([^"]+)"/g)].map((match) => match[1] ?? ''));
  const fenceless = markdown.replaceAll(/^( *)(```+|~~~+)[\s\S]*?(^ *\2|$(?![\s\S]))/gm, '');
  const seen = new Map<string, number>();
  for (const [, atx, setext] of fenceless.matchAll(
    /^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$|^(\S.*)\n(?:=+|-{2,})\s*$/gm,
  )) {
    const slug = slugOf(atx ?? setext ?? '');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

function slugOf(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[^>]+>/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}
