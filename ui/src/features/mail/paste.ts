/** The paths of local files in a `text/uri-list`, as file managers copy them. */
export function pathsIn(list: string): string[] {
  return list.split(/\r?\n/).flatMap((line) => {
    if (!line.startsWith('file://') || !URL.canParse(line)) return [];
    const { host, pathname } = new URL(line);
    if (host !== '' && host !== 'localhost') return [];
    try {
      return [decodeURIComponent(pathname)];
    } catch {
      // This URL does not decode to a file name.
      return [];
    }
  });
}
