/** What is put on and taken off: of the ticks only those the person touched, and the labels of the line. Null: nothing. */
export function labelChange(
  touched: readonly string[],
  ticked: readonly string[],
  line: string,
): { add?: string[]; remove?: string[] } | null {
  const typed = line
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  const add = [...new Set([...touched.filter((one) => ticked.includes(one)), ...typed])];
  const remove = touched.filter((one) => !ticked.includes(one) && !typed.includes(one));
  if (add.length + remove.length === 0) return null;
  return { ...(add.length > 0 && { add }), ...(remove.length > 0 && { remove }) };
}
