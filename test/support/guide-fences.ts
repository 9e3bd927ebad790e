/** The code fences of a guide: commands, their printed answers, and programs. */
import { readFileSync } from 'node:fs';

const DOCS = new URL('../../docs/', import.meta.url);

export interface Fence {
  /** The line on which the fence begins, counted from 1. */
  line: number;
  language: string;
  /** The text after the language: `answer`, `refused`, `not run: <reason>` or nothing. */
  mark: string;
  text: string;
}

export interface Step {
  line: number;
  commands: string;
  /** Whether one of the commands fails, as the guide explains. */
  isRefused: boolean;
  answer: Fence | undefined;
}

/** A document by its path below docs/ without the extension: `start`, `guides/orders`. */
export function readGuide(name: string): string {
  return readFileSync(new URL(`${name}.md`, DOCS), 'utf8');
}

export function fencesOf(guide: string): Fence[] {
  return [...guide.matchAll(/^```(\S*) ?(.*)\n([\s\S]*?)^```$/gm)].map((fence) => {
    const [, language = '', mark = '', text = ''] = fence;
    return { line: guide.slice(0, fence.index).split('\n').length, language, mark, text };
  });
}

/** The fences that a reader runs, each with the answer printed below it. */
export function stepsOf(guide: string): Step[] {
  const fences = fencesOf(guide);
  return fences.flatMap(({ line, language, mark, text }, index) => {
    if (language !== 'bash') return [];
    const next = fences[index + 1];
    const answer = next?.mark === 'answer' ? next : undefined;
    return [{ line, commands: text, isRefused: mark === 'refused', answer }];
  });
}
