// Can the sheet of one page change another one? The first class of each selector belongs to its sheet, and who uses it imports the sheet.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('..', import.meta.url))
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
const text = (file: string) => readFileSync(`${source}${file}`, 'utf8')

/** The theme holds for every element. */
const isTheme = (file: string) => file.startsWith('theme/')
const sheets = files.filter((file) => file.endsWith('.css'))

/** Without those of keyframes, and of an at-rule. */
function selectorsOf(sheet: string): string[] {
  const rules = text(sheet)
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/@keyframes [^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '')
  return [...rules.matchAll(/([^{};]+)\{/g)]
    .map(([, found]) => found!.trim())
    .filter((found) => !found.startsWith('@'))
    .flatMap((found) => found.split(/,(?![^(]*\))/).map((each) => each.trim()))
}

const firstClass = (selector: string) => /^[a-z]*\.([A-Za-z][\w-]*)/.exec(selector)?.[1]

/** Class → sheets in which a selector begins with it. */
const owners = new Map<string, Set<string>>()
for (const sheet of sheets) {
  for (const selector of selectorsOf(sheet)) {
    const name = firstClass(selector)
    if (name !== undefined) owners.set(name, (owners.get(name) ?? new Set()).add(sheet))
  }
}

test('each selector outside of the theme begins with a class', () => {
  const bare = sheets
    .filter((sheet) => !isTheme(sheet))
    .flatMap((sheet) =>
      selectorsOf(sheet)
        .filter((selector) => !/^[a-z]*\.|^:root$/.test(selector))
        .map((selector) => `${sheet}: ${selector}`),
    )
  assert.deepEqual(bare, [])
})

test('no two sheets have selectors that begin with the same class', () => {
  const shared = [...owners].filter(([, found]) => found.size > 1)
  assert.deepEqual(
    shared.map(([name, found]) => `.${name}: ${[...found].join(', ')}`),
    [],
  )
})

// Else it would come a second time, after the sheet of a page that was visited before.
test('no sheet imports another, and parts come with the console alone', () => {
  const again = files
    .filter((file) => /\.(css|tsx)$/.test(file) && !file.startsWith('shell/') && file !== 'main.tsx')
    .filter((file) =>
      (file.startsWith('pages/') && file.endsWith('.tsx')
        ? /import '[^']*\/parts\/[^']*css'/
        : /import ['"][^'"]*css/
      ).test(text(file)),
    )
  assert.deepEqual(again, [])
})

test('each file imports the sheet of a page whose classes it uses', () => {
  const missing = files
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => {
      const code = text(file)
      const imported = [...code.matchAll(/import '(\.[^']+\.css)'/g)].map(([, path]) =>
        new URL(path!, `file:///${file}`).pathname.slice(1),
      )
      return [...new Set(classesIn(code))].flatMap((name) => {
        const [sheet] = owners.get(name) ?? []
        const isOfPage = sheet?.startsWith('pages/')
        return isOfPage && !imported.includes(sheet!) ? [`${file} uses .${name} of ${sheet}`] : []
      })
    })
  assert.deepEqual(missing, [])
})

/** Words of the texts in `className`. */
function classesIn(code: string): string[] {
  return [...code.matchAll(/className=(?:"([^"]*)"|\{((?:[^{}]|\{[^{}]*\})*)\})/g)].flatMap(([, plain, expression]) => {
    const texts = plain === undefined ? [...expression!.matchAll(/'([^']*)'|`([^`]*)`/g)] : [[plain, plain]]
    return texts.flatMap(([, quoted, template]) =>
      (quoted ?? template ?? '').replaceAll(/\$\{[^}]*\}/g, ' ').split(/\s+/),
    )
  })
}
