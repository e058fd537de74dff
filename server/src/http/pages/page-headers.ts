// What may a browser do with a page? Load its parts from this service, and nothing else.

/** Headers of every page. The API reference needs its own files and `/openapi.json`; other HTML pages override the policy (html-page.ts). */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const

/** Headers of an answer that is only read by scripts. A browser that opens it as a page shows a text, and runs nothing. */
export const dataHeaders = { 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" } as const

/** When BASE_URL is https: browsers come back over https only (RFC 6797). A year; other hosts of the domain are not ours to decide. */
export const httpsOnly = { 'strict-transport-security': 'max-age=31536000' } as const
