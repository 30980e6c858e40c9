import { describe, expect, it } from 'vitest';
import { FILES_MAX, sortOut } from './files';

describe('files somebody brings', () => {
  it('are told apart by the end of their name, whatever its case', () => {
    const kinds = (name: string) => sortOut([`/home/mara/${name}`])[0]?.kind;
    expect(['a.ics', 'A.ICS', 'x.mbox', 'x.eml', 'x.vcf', 'x.csv', 'x.md', 'x.json'].map(kinds)).toEqual([
      ...['bring.ics', 'bring.ics', 'bring.mbox', 'bring.eml', 'bring.vcf', 'bring.csv', 'bring.md', 'bring.keep'],
    ]);
    expect(['photo.png', 'a.ics.exe', 'a.constructor', 'a.md.'].map(kinds)).toEqual([null, null, null, 'bring.folder']);
    expect(['export', '.hidden'].map(kinds)).toEqual(['bring.folder', 'bring.folder']);
  });

  it('are named without their folders, each once, and not without limit', () => {
    expect(sortOut(['C:\\Users\\mara\\work.ics', '/x/folder/'])).toMatchObject([
      { name: 'work.ics' },
      { name: 'folder' },
    ]);
    expect(sortOut(['/a.md', '/a.md'])).toHaveLength(1);
    expect(sortOut(Array.from({ length: FILES_MAX + 5 }, (_, n) => `/${n}.md`))).toHaveLength(FILES_MAX);
  });
});
