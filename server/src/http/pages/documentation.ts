// Where does a developer read about the API? The OpenAPI document, a browsable reference that needs no internet, and a start page.

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { openApiDocument, readSamples } from '@ringfence/contract'
import { htmlPage } from '../../core/pages/html-page.ts'
import type { Page } from '../../core/pages/page.ts'
import { ringfenceVersion } from '../../core/version.ts'
import { compressedFile } from './compressed-file.ts'

/** Files of the package swagger-ui-dist. */
const swaggerFiles = {
  '/docs/swagger-ui.css': { file: 'swagger-ui.css', type: 'text/css; charset=utf-8' },
  '/docs/swagger-ui-bundle.js': { file: 'swagger-ui-bundle.js', type: 'text/javascript; charset=utf-8' },
  '/docs/favicon-32x32.png': { file: 'favicon-32x32.png', type: 'image/png' },
} as const

export const referencePaths = [
  '/docs',
  '/docs/start.js',
  ...(Object.keys(swaggerFiles) as (keyof typeof swaggerFiles)[]),
] as const
export type ReferencePath = (typeof referencePaths)[number]

export interface Documentation {
  /** `/`: what this service is, and where to go on. */
  readonly start: Page
  /** The browsable reference. Every answer shares one copy of a file, since anyone may read it, often and slowly. */
  reference(path: ReferencePath): Page
  /** The OpenAPI 3.1 document, one copy of it too. */
  openApi(): Page
}

/** `baseUrl`: the public URL of this service. */
export function openDocumentation(baseUrl: string | undefined): Documentation {
  const swaggerFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const swaggerPages: Partial<Record<ReferencePath, Page>> = {}
  let openApi: Page | undefined
  return {
    start: startPage(ringfenceVersion()),
    reference(path) {
      if (path === '/docs') return referencePage
      if (path === '/docs/start.js') return startScript
      const { file, type } = swaggerFiles[path]
      // Read at the first request: 1.9 MB that most services never send.
      swaggerPages[path] ??= { type, ...compressedFile(join(swaggerFolder, file)) }
      return swaggerPages[path]
    },
    openApi() {
      // Made at the first request, since it takes 10 ms that a start need not wait for.
      openApi ??= openApiPage(baseUrl)
      return openApi
    },
  }
}

function openApiPage(baseUrl: string | undefined): Page {
  const document = { ...openApiDocument(readSamples()), ...(baseUrl !== undefined && { servers: [{ url: baseUrl }] }) }
  return { type: 'application/json; charset=utf-8', body: Buffer.from(JSON.stringify(document)) }
}

const startPage = (version: string): Page =>
  htmlPage({
    title: 'Ringfence',
    content: `<p>Ringfence ${version} is running: fraud prevention for phone numbers, sign-in tokens and devices.</p>
<ul>
<li><a href="/docs">API reference</a> (<a href="/openapi.json">OpenAPI document</a>)</li>
<li><a href="/health">Health</a>: is the process alive? <a href="/ready">Ready</a>: can it take requests?</li>
<li>Guides: README.md and docs/guides, in the folder of this release</li>
</ul>`,
  })

const startScript: Page = {
  type: 'text/javascript; charset=utf-8',
  body: `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, tryItOutEnabled: true, validatorUrl: null })\n`,
}

const referencePage: Page = {
  type: 'text/html; charset=utf-8',
  body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ringfence API reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`,
}
