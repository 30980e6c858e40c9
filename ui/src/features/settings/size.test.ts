import { expect, test } from 'vitest';
import { sizeText } from './size';

test('sizes are short, and never more than there is', () => {
  expect([0, 999, 1499, 491_400_032, 1_117_320_736, 64e9].map(sizeText)).toEqual([
    '0 byte',
    '999 byte',
    '1.4 kB',
    '491 MB',
    '1.1 GB',
    '64 GB',
  ]);
});
