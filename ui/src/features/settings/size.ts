/** A file size in readable form, as file managers write it: `491 MB`. */
export function sizeText(bytes: number): string {
  const units = [
    ['gigabyte', 1e9],
    ['megabyte', 1e6],
    ['kilobyte', 1e3],
  ] as const;
  const [unit, size] = units.find(([, size]) => bytes >= size) ?? (['byte', 1] as const);
  const value = bytes / size;
  // Rounds down, so that it never claims more than there is.
  const digits = value < 10 && unit !== 'byte' ? 1 : 0;
  const cut = Math.floor(value * 10 ** digits) / 10 ** digits;
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(
    cut,
  );
}
