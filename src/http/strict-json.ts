import { type Buffer, isUtf8 } from 'node:buffer';
import { DEPTH_MAX, examineJson, INTEGER_MAX, type JsonIssue, type JsonPath } from './json-examiner.ts';

export type { JsonIssue, JsonPath } from './json-examiner.ts';
export type JsonReading =
  | { ok: true; value: unknown /** Integers written as `100.00` or `1E2`. */; decimals: readonly JsonPath[] }
  | { ok: false; issue: JsonIssue };

const NO_DECIMALS: readonly JsonPath[] = [];

/**
 * Reads the bytes of a request body as JSON; returns the value or the first issue. Refuses what `JSON.parse` would accept but silently
 * change: duplicate keys, `__proto__`, numbers that overflow, round or vanish, lone surrogates, NUL, nesting beyond 32 levels, bytes that
 * are not UTF-8.
 *
 * Every write passes here, so a clean body costs one pass over its bytes, `JSON.parse` and one walk over the value. A
 * suspicious body goes to the examiner, which is slow and exact and decides.
 */
export function readStrictJson(bytes: Buffer): JsonReading {
  const colons = countColons(bytes);
  if (colons !== undefined && isUtf8(bytes)) {
    const value = parse(bytes.toString('utf8'));
    // A duplicate key leaves one member in the value and two colons in the text.
    if (value !== undefined && countMembers(value) === colons)
      return { ok: true, value, decimals: NO_DECIMALS };
  }
  const encodingIssue = findEncodingIssue(bytes);
  if (encodingIssue) return { ok: false, issue: encodingIssue };
  const text = bytes.toString('utf8');
  const examination = examineJson(text);
  return examination.ok ? { ...examination, value: JSON.parse(text) } : examination;
}

/** RFC 8259 §8.1: UTF-8, and no byte order mark in front. */
function findEncodingIssue(bytes: Buffer): JsonIssue | undefined {
  if (!isUtf8(bytes))
    return {
      code: 'INVALID_JSON',
      path: 'body',
      message: `The body is not valid UTF-8 (${firstBadByte(bytes)}).`,
    };
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return {
      code: 'INVALID_JSON',
      path: 'body',
      message: 'The body starts with a byte order mark. Send it without one.',
    };
  return undefined;
}

function firstBadByte(bytes: Buffer): string {
  // A streaming decoder accepts a truncated last character, so "decodes up to here" holds up to exactly one offset.
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, middle), { stream: true });
      good = middle;
    } catch {
      bad = middle;
    }
  }
  return good === bytes.length ? 'its last character is incomplete' : `see the byte at offset ${good}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // No JSON text has this value.
  }
}

/**
 * Counts the colons outside strings in one pass: in valid JSON, the members of all objects together. `undefined` as soon as
 * the bytes need the examiner: for a number with a fraction or an exponent, nesting, or an escape. No decoding is needed:
 * every byte of a longer UTF-8 sequence is above 0x7f.
 */
function countColons(bytes: Buffer): number | undefined {
  let colons = 0;
  let depth = 0;
  const end = bytes.length;
  for (let at = 0; at < end; at += 1) {
    switch (bytes[at]) {
      case 0x22 /* " */:
        for (at += 1; at < end && bytes[at] !== 0x22; at += 1) {
          if (bytes[at] !== 0x5c /* \ */) continue;
          at += 1;
          if (bytes[at] === 0x75 /* u */ && isSuspiciousEscape(bytes, at + 1)) return undefined;
        }
        break;
      case 0x3a /* : */:
        colons += 1;
        break;
      case 0x7b /* { */:
      case 0x5b /* [ */:
        depth += 1;
        if (depth > DEPTH_MAX) return undefined;
        break;
      case 0x7d /* } */:
      case 0x5d /* ] */:
        depth -= 1;
        break;
      case 0x2e /* . */:
        return undefined;
      case 0x45 /* E */:
      case 0x65 /* e */:
        if (isDigit(bytes[at - 1])) return undefined;
        break;
    }
  }
  return colons;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** A lone surrogate (D800 to DFFF) or NUL. In valid UTF-8 and JSON only an escape can spell them. */
function isSuspiciousEscape(bytes: Buffer, at: number): boolean {
  const first = bytes[at];
  const second = bytes[at + 1];
  if (first === 0x64 || first === 0x44 /* d, D */) return second !== undefined && second >= 0x38 /* 8 */;
  return first === 0x30 && second === 0x30 && bytes[at + 2] === 0x30 && bytes[at + 3] === 0x30;
}

/** Counts the members of all objects in the value; NaN, which equals no count, if only the examiner can decide. */
function countMembers(value: unknown): number {
  if (typeof value === 'number') return value > INTEGER_MAX || value < -INTEGER_MAX ? Number.NaN : 0;
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) members += countMembers(value[i]);
    return members;
  }
  for (const key in value) {
    if (key === '__proto__') return Number.NaN;
    members += 1 + countMembers((value as Record<string, unknown>)[key]);
  }
  return members;
}
