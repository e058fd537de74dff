// What does a small HTML page for people look like? One style, allowed by its hash, and no script.

import { createHash } from 'node:crypto'
import type { Page } from './page.ts'

const style =
  'body{font:1.1em/1.5 system-ui,sans-serif;max-width:30em;margin:3em auto;padding:0 1em}button{font:inherit;padding:.6em 2em}'
const styleHash = createHash('sha256').update(style).digest('base64')

export interface HtmlPage {
  /** HTML: escape what comes from outside. */
  readonly title: string
  readonly content: string
  /** Where a form may lead (CSP `form-action`); by default a page has no form. */
  readonly formAction?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

export function htmlPage({ title, content, formAction = "'none'", status = 200, headers = {} }: HtmlPage): Page {
  return {
    status,
    type: 'text/html; charset=utf-8',
    headers: {
      ...headers,
      'content-security-policy': `default-src 'none'; script-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
    },
    body: `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style>
<h1>${title}</h1>${content}
</html>
`,
  }
}
