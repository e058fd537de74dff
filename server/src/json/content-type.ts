// Is this JSON? By content type, of requests and of upstream answers alike.

/** application/json, or any +json (RFC 6839), with whatever parameters. */
const jsonType = /^application\/(?:[\w.!#$&^-]+\+)?json[ \t]*(?:;|$)/i

export const isJson = (contentType: unknown): boolean => typeof contentType === 'string' && jsonType.test(contentType)
