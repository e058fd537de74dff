// Which scenarios do the feature files in a folder have, and of which API and version are they?

import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { type OpenApi, readOpenApi } from './open-api.ts'

/** A scenario with the steps of its background, and the values of its example filled in. */
export interface Scenario {
  readonly id: string
  readonly name: string
  readonly steps: readonly string[]
}

export interface Feature {
  readonly file: string
  /** The OpenAPI document beside it; undefined: there is none, as for feature files of our own. */
  readonly openApi: OpenApi | undefined
  /** CAMARA's version of the API: "0.4.0", "wip" on a main branch. */
  readonly release: string
  readonly scenarios: readonly Scenario[]
}

interface Pickle {
  readonly name: string
  readonly steps: readonly { readonly text: string }[]
  readonly tags: readonly { readonly name: string }[]
}

/** What is used of @cucumber/gherkin. */
interface Gherkin {
  readonly AstBuilder: new (newId: () => string) => object
  readonly GherkinClassicTokenMatcher: new () => object
  readonly Parser: new (builder: object, matcher: object) => { parse(text: string): object }
  compile(document: object, uri: string, newId: () => string): readonly Pickle[]
}
const gherkin = createRequire(import.meta.url)('@cucumber/gherkin') as Gherkin

/** The feature files below a folder, such as a clone of a CAMARA repository. Throws for a file that is not Gherkin, with its name. */
export function readFeatures(folder: string): Feature[] {
  const files = globSync('**/*.feature', { cwd: folder }).sort()
  return files.map((file) => readFeature(join(folder, file)))
}

export function readFeature(file: string): Feature {
  const openApi = openApiOf(file)
  return { file: basename(file), openApi, release: openApi?.version ?? 'own', scenarios: scenariosOf(file) }
}

function scenariosOf(file: string): Scenario[] {
  let last = 0
  const newId = () => String(++last)
  const parser = new gherkin.Parser(new gherkin.AstBuilder(newId), new gherkin.GherkinClassicTokenMatcher())
  let pickles: readonly Pickle[]
  try {
    pickles = gherkin.compile(parser.parse(readFileSync(file, 'utf8')), file, newId)
  } catch (cause) {
    throw new Error(`${file} is not a feature file: ${(cause as Error).message}`, { cause })
  }
  return pickles.map(({ name, steps, tags }) => ({
    id: tags.at(-1)?.name.slice(1) ?? name,
    name,
    steps: steps.map(({ text }) => text.trim().replaceAll(/ +/g, ' ')),
  }))
}

/** `code/Test_definitions/kyc-match.feature` → `code/API_definitions/kyc-match.yaml`. */
function openApiOf(file: string): OpenApi | undefined {
  const folder = join(dirname(file), '../API_definitions')
  const name = basename(file, '.feature')
  const found = globSync('*.yaml', { cwd: folder })
    .filter((each) => name.startsWith(basename(each, '.yaml')))
    .sort((a, b) => b.length - a.length)[0]
  return found === undefined ? undefined : readOpenApi(join(folder, found))
}
