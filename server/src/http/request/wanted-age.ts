// How old may an answer be that a caller wants? Of the request header cache-control (RFC 9111, 5.2.1).

/** In seconds; 0: it wants a new one (no-cache, no-store). Undefined: any. Directives that are malformed are ignored. */
export function wantedAgeOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const ages = header.split(',').flatMap((directive) => {
    const [name = '', value = ''] = directive.trim().toLowerCase().split('=')
    if (name === 'no-cache' || name === 'no-store') return 0
    return name === 'max-age' && /^"?\d{1,10}"?$/.test(value) ? Number(value.replaceAll('"', '')) : []
  })
  return ages.length === 0 ? undefined : Math.min(...ages)
}
