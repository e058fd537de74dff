// How does a test run the command of another version? This module is preloaded, and names another folder of migrations.

import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

const own = `'./migrations/'`

/** The environment of a command whose migrations are in this folder. */
export function withMigrations(folder: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=${import.meta.url}?folder=${encodeURIComponent(folder)}` }
}

const folder = new URL(import.meta.url).searchParams.get('folder')
if (folder !== null) {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith('/server/src/core/storage/migrate.ts')) return loaded
      const source = Buffer.from(loaded.source as Uint8Array).toString()
      assert.ok(source.includes(own), `${url} does not name its folder as ${own}`)
      return { ...loaded, source: source.replace(own, `'${pathToFileURL(`${folder}/`)}'`) }
    },
  })
}
