// What may a browser do with a page? Load its parts from this service, and nothing else.

/** Headers of every page. The API reference needs its own files and `/openapi.json`; other HTML pages override the policy (html-page.ts). */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const
