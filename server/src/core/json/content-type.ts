// Is a body JSON, according to its content type? For requests and for responses of upstreams.

/** application/json, or any +json type (RFC 6839), with any parameters. */
const jsonType = /^application\/(?:[\w.!#$&^-]+\+)?json[ \t]*(?:;|$)/i

export const isJson = (contentType: unknown): boolean => typeof contentType === 'string' && jsonType.test(contentType)

/** In lower case, without parameters: `text/csv`. Empty when there is none. */
export const mediaTypeOf = (contentType: string | undefined): string =>
  (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase()

/** Whether a content type names no other charset than UTF-8, or the part of it that is ASCII. */
export const isUtf8Type = (contentType = ''): boolean =>
  [...contentType.matchAll(/;\s*charset\s*=\s*"?([^\s";]*)/gi)].every(([, name]) => /^(utf-?8|us-ascii)$/i.test(name!))
