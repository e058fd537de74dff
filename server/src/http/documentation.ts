// Where does a developer read the interface? The OpenAPI document, and a browsable reference that needs no internet.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { openApiDocument, readSamples } from '@ringfence/contract'
import type { Platform } from '../platform.ts'
import { type Page, type PageRow, page } from './surface.ts'

// Anyone may ask for these pages, often, and read them slowly: what never changes is read once, and all answers share it.

const document = openApiDocument(readSamples())

/** The OpenAPI 3.1 document, made from the contract, with the address of this service. */
export function openApiPage({ settings }: Platform): Page {
  const here = { ...document, ...(settings.baseUrl && { servers: [{ url: settings.baseUrl }] }) }
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(here) }
}

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

function asset(path: string, file: string, type: string): PageRow {
  const body = readFileSync(join(swaggerUi, file))
  return page(path, 'anyone', () => ({ type, body }))
}

/** Files of Swagger UI, as its package ships them. */
export const docsAssets: readonly PageRow[] = [
  asset('/docs/swagger-ui.css', 'swagger-ui.css', 'text/css; charset=utf-8'),
  asset('/docs/swagger-ui-bundle.js', 'swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
  asset('/docs/favicon-32x32.png', 'favicon-32x32.png', 'image/png'),
  page('/docs/start.js', 'anyone', () => ({
    type: 'text/javascript; charset=utf-8',
    body: `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, tryItOutEnabled: true, validatorUrl: null })\n`,
  })),
]

export const docsPage = (): Page => ({
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
})
