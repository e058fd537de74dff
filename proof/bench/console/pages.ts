// Which calls does each page of the console send? Read from its source: the names of calls in a page and in what it imports.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type AdminEndpointName, adminEndpoints } from '@ringfence/contract'

const source = path.join(import.meta.dirname, '..', '..', '..', 'console', 'src')
const frame = path.join(source, 'shell', 'shell.tsx')

export interface Page {
  /** Its path in the console. */
  readonly path: string
  readonly calls: readonly AdminEndpointName[]
}

/** Every route, with the calls that read. Those of the frame around all pages come first. */
export function pagesOfConsole(): Page[] {
  const router = path.join(source, 'router.tsx')
  const routes = [
    ...readFileSync(router, 'utf8').matchAll(/(?:path: |[pP]age\(\s*)'([^']+)'[\s\S]*?import\('([^']+)'\)/g),
  ]
  const pages = routes.map(([, route, file]) => ({
    path: route!,
    calls: callsOf(path.join(source, file!)),
  }))
  return [{ path: 'every page', calls: callsOf(frame) }, ...pages]
}

/** In the order of the contract. */
function callsOf(file: string): AdminEndpointName[] {
  const texts = filesFrom(file).map((each) => readFileSync(each, 'utf8'))
  const isCalled = (name: string) => texts.some((text) => text.includes(`'${name}'`))
  return (Object.keys(adminEndpoints) as AdminEndpointName[]).filter(
    (name) => adminEndpoints[name].effect === 'read' && isCalled(name),
  )
}

/** The file and those of the console that it imports, but for the typed calls. */
function filesFrom(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file) || path.dirname(file) === path.join(source, 'api') || !file.startsWith(source)) return []
  seen.add(file)
  const imports = [...readFileSync(file, 'utf8').matchAll(/(?:from|import) ?\(?'(\.[^']+\.tsx?)'/g)]
  for (const [, imported] of imports) filesFrom(path.join(path.dirname(file), imported!), seen)
  return [...seen]
}
