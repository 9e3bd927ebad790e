import { describe, expect, it } from 'vitest';
import { FILES } from '#test/files';
import { brokenRuleOf, FILE_TYPES, fileTypeOf } from './file-type.ts';

describe('the type of a file', () => {
  it.each(FILE_TYPES)('is %s by its content', async (type) => {
    expect(fileTypeOf(FILES[type])).toBe(type);
    expect(await brokenRuleOf(type, FILES[type])).toBeNull();
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('PDF-1.7 %%EOF')],
    ['a ZIP', Buffer.from('504b0304', 'hex')],
    ['a GIF', Buffer.from('GIF89a')],
    ['XML in UTF-16', Buffer.from('\ufeff<a/>', 'utf16le')],
  ])('is none for %s', (_, bytes) => {
    expect(fileTypeOf(bytes)).toBeNull();
  });
});

describe('a file that was cut off', () => {
  it.each(FILE_TYPES)('is told at every length: %s', async (type) => {
    const file = FILES[type];
    for (let length = 12; length < file.length; length += 1) {
      const rule = await brokenRuleOf(type, file.subarray(0, length));
      // Line breaks after the end are not needed.
      const isOnlyBlankMissing = file.subarray(length).toString('latin1').trim() === '';
      expect([length, rule !== null]).toEqual([length, !isOnlyBlankMissing]);
    }
  });

  it('is told although a JPEG has a whole thumbnail in a segment', async () => {
    const thumbnail = FILES['image/jpeg'];
    const length = Buffer.alloc(2);
    length.writeUInt16BE(thumbnail.length + 2);
    const segment = Buffer.concat([Buffer.from([0xff, 0xe1]), length, thumbnail]);
    const begun = Buffer.concat([Buffer.from([0xff, 0xd8]), segment, Buffer.from([0xff, 0xda, 0, 2, 1, 2])]);
    expect(await brokenRuleOf('image/jpeg', begun)).toContain('EOI');
    const whole = Buffer.concat([
      begun,
      Buffer.from([0xff, 0x00, 0xff, 0xd0, 0xff, 0xd9]),
      Buffer.from('camera'),
    ]);
    expect(await brokenRuleOf('image/jpeg', whole)).toBeNull();
  });

  it('is told by the checksum of a PNG chunk, and by what follows its end', async () => {
    const altered = Buffer.from(FILES['image/png']);
    altered[20] = (altered[20] as number) ^ 1;
    expect(await brokenRuleOf('image/png', altered)).toContain('IEND');
    expect(
      await brokenRuleOf('image/png', Buffer.concat([FILES['image/png'], Buffer.from('x')])),
    ).not.toBeNull();
  });

  it.each(['<a>&nbsp;</a>', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', '<a>\xff</a>', '<a></b>'])(
    'or that is no strict XML: %s',
    async (text) => {
      expect(await brokenRuleOf('application/xml', Buffer.from(text, 'latin1'))).toContain('well-formed');
    },
  );
});
