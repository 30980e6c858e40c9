/** The labels to add and remove: the checkboxes the person changed, and the typed labels. Null when there are none. */
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
