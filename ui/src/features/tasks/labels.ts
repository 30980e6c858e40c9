/** Splits typed labels at the commas: trimmed, none twice. */
export function labelsOf(typed: string): string[] {
  return [...new Set(typed.split(',').map((one) => one.trim()))].filter((one) => one !== '');
}
