/** Files of this computer that a list of addresses names, as file managers copy them. */
export function pathsIn(list: string): string[] {
  return list.split(/\r?\n/).flatMap((line) => {
    if (!line.startsWith('file://') || !URL.canParse(line)) return [];
    const { host, pathname } = new URL(line);
    if (host !== '' && host !== 'localhost') return [];
    try {
      return [decodeURIComponent(pathname)];
    } catch {
      // No name that this computer could have given.
      return [];
    }
  });
}
