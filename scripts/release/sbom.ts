// Which components does the release contain, for a vulnerability scanner? A CycloneDX document, from npm's own.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { ProductionPackage } from '../production-tree.ts'
import { root } from './server-bundle.ts'
import type { Source } from './source.ts'

const Component = Type.Object({ 'bom-ref': Type.String(), purl: Type.String() })
const Dependency = Type.Object({ ref: Type.String(), dependsOn: Type.Array(Type.String()) })
const bomCheck = Compile(
  Type.Object({
    metadata: Type.Object({ tools: Type.Unknown() }),
    components: Type.Array(Component),
    dependencies: Type.Array(Dependency),
  }),
)

/** Of npm's document, the packages that the release contains; without the time and the random number of the run. */
export async function sbomOf(packages: readonly ProductionPackage[], source: Source): Promise<string> {
  // Not --omit=dev: with workspaces, npm then leaves out packages that development needs too.
  const words = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  const { stdout } = await promisify(execFile)('npm', words, { cwd: root, maxBuffer: 1 << 26 })
  const bom = bomCheck.Parse(JSON.parse(stdout))
  const refs = new Map(packages.map((each) => [`${each.name}@${each.version}`, each]))
  const components = bom.components
    .filter((component) => refs.has(component['bom-ref']))
    // npm leaves out licences that are not in the SPDX list.
    .map((component) => ({ licenses: [{ license: { name: refs.get(component['bom-ref'])!.licence } }], ...component }))
  const missing = [...refs.keys()].filter((ref) => !components.some((component) => component['bom-ref'] === ref))
  if (missing.length > 0) throw new Error(`npm sbom does not know ${missing.join(', ')}: run npm ci first`)
  const own = `ringfence@${source.version}`
  const content = {
    metadata: {
      timestamp: source.committedAt.toISOString(),
      lifecycles: [{ phase: 'build' }],
      tools: bom.metadata.tools,
      component: {
        'bom-ref': own,
        type: 'application',
        name: 'ringfence',
        version: source.version,
        purl: `pkg:npm/${own}`,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components,
    dependencies: [
      { ref: own, dependsOn: [...refs.keys()].toSorted() },
      ...bom.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
    ],
  }
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

/** A UUID of version 8 (RFC 9562): the same for the same content. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
