// Where is the password in a postgres:// URL? Users of the machine and readers of a terminal see URLs.

/** The URL without its password, and the password as it is meant. */
export function withoutPassword(url: string): { text: string; password?: string } {
  // Also of several hosts, which URL cannot parse.
  const found = /(?<=^[a-z]+:\/\/[^:@/?#]*):([^@/?#]*)(?=@)|(?<=[?&])password=([^&#]*)&?/i.exec(url)
  if (!found) return { text: url }
  const [part, inUser, inQuery = ''] = found
  const text = url.slice(0, found.index) + url.slice(found.index + part.length)
  return { text, password: decodeURIComponent(inUser ?? inQuery) }
}
