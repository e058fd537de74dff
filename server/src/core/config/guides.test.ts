import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { connectorKinds } from '../../telecom/connectors/index.ts'
import { atEnd } from '../../testing/at-end.ts'
import { testResources } from '../../upstream/testing/test-resources.ts'
import { ConfigurationFile, readConfig } from './config.ts'
import { openKind } from './open-kind.ts'

const root = join(import.meta.dirname, '../../../..')

const blocks = globSync('{*.md,docs/**/*.md}', { cwd: root }).flatMap((path) => {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/^ *```ya?ml\n(.*?)^ *```/gms)].map(([, yaml = ''], index) => ({
    title: `block ${index + 1} of ${path}`,
    yaml,
  }))
})

test('every YAML block of the documentation parses', () => {
  assert.ok(blocks.length > 20)
  for (const { title, yaml } of blocks) {
    for (const { errors } of parseAllDocuments(yaml)) assert.deepEqual(errors, [], title)
  }
})

test('every configuration of the documentation is accepted, and its connectors can be created', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-guides-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  const secret = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'pem', type: 'pkcs8' })
  const resources = { ...testResources(), readSecret: () => String(secret) }
  const created = []
  for (const { title, yaml } of blocks) {
    const [document] = parseAllDocuments(yaml)
    const isConfiguration = Object.keys(Object(document?.toJS())).some((key) => key in ConfigurationFile.properties)
    // The mapping of a number file has operators too.
    if (!isConfiguration || document!.has('source')) continue
    const file = join(folder, 'ringfence.yaml')
    await writeFile(file, yaml)
    try {
      for (const [name, entry] of Object.entries(readConfig({ file }).connectors)) {
        const connector = openKind('connectors', name, entry, connectorKinds, resources)
        atEnd(t, () => connector.close?.())
        created.push(entry.type)
      }
    } catch (cause) {
      // Some blocks show only the keys that a connector gets in addition.
      if (/^connectors\.\w+\.[\w., ]+ (is|are) missing$/.test((cause as Error).message)) continue
      throw new Error(`${title}: ${(cause as Error).message}`, { cause })
    }
  }
  for (const type of ['camara', 'http', 'twilio-lookup']) assert.ok(created.includes(type), type)
})
