// What may a browser do with our pages? Load what they are made of from this service, and nothing else.

/** Headers of every page: the reference is the only one that is HTML, and all it needs are its own files and `/openapi.json`. */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const
