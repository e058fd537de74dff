// Which number data do the tests of this folder use? A separate data folder, files written from rows, a stopped clock.

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import type { PhoneNumber } from '../../phone/phone-number.ts'
import { type ImportNumbersOptions, importNumbers } from './import-numbers.ts'
import { numbersFolder } from './manifest.ts'
import { openNumberSources } from './number-sources.ts'
import type { PortabilityAnswer, PortabilitySource } from './source.ts'

export const AS_OF = '2026-10-31T02:00:00Z'
export const LATER = '2026-10-31T03:00:00Z'
export const inquiry = { signal: new AbortController().signal, correlator: 'test' }

/** A clock that shows noon of the day of `AS_OF` until a test moves it. */
export function stoppedClock() {
  let now = Date.parse('2026-10-31T12:00:00Z')
  return {
    now: () => now,
    advance: (ms: number) => {
      now += ms
    },
  }
}

export function phoneNumber(digits: string, callingCode = '31'): PhoneNumber {
  return { digits, callingCode }
}

/** The text of a ported-number file. `metadata` replaces or adds keys; undefined leaves a key out. */
export function portedFile(rows: readonly string[], metadata: Record<string, string | undefined> = {}): string {
  return fileText('number,operator,ported-on,action', rows, {
    ringfence: 'ported-numbers 1',
    source: 'nl',
    'calling-code': '31',
    'as-of': AS_OF,
    contents: 'full',
    ...metadata,
  })
}

export function incrementFile(rows: readonly string[], asOf = LATER, follows = AS_OF): string {
  return portedFile(rows, { contents: 'increment', 'as-of': asOf, follows })
}

export function allocationFile(rows: readonly string[], metadata: Record<string, string | undefined> = {}): string {
  return fileText('range,operator,line', rows, {
    ringfence: 'allocation-ranges 1',
    source: 'nl-ranges',
    'calling-code': '31',
    'as-of': AS_OF,
    ...metadata,
  })
}

function fileText(headerRow: string, rows: readonly string[], metadata: Record<string, string | undefined>): string {
  const lines = Object.entries(metadata).flatMap(([key, value]) => (value === undefined ? [] : [`# ${key}: ${value}`]))
  return `${[...lines, headerRow, ...rows, `# rows: ${rows.length}`].join('\n')}\n`
}

/** A data folder that is removed after the test. */
export function testNumbers(t: TestContext) {
  const dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringfence-numbers-'))
  const clock = stoppedClock()
  const problems: unknown[] = []
  t.after(() => fs.rmSync(dataFolder, { recursive: true, force: true }))
  return {
    dataFolder,
    clock,
    /** Problems that the sources reported. */
    problems,
    import(text: string | Uint8Array, options: Partial<ImportNumbersOptions> = {}) {
      const file = path.join(dataFolder, 'import.csv')
      fs.writeFileSync(file, text)
      return importNumbers({ file, dataFolder, clock, ...options })
    },
    async open() {
      const sources = await openNumberSources({ dataFolder, clock, onProblem: (problem) => problems.push(problem) })
      t.after(() => sources.close())
      return sources
    },
    /** Everything in the folder of the numbers, by name. */
    content(): Record<string, string> {
      const folder = numbersFolder(dataFolder)
      if (!fs.existsSync(folder)) return {}
      const names = fs.readdirSync(folder).filter((name) => name !== 'import.lock')
      return Object.fromEntries(names.map((name) => [name, fs.readFileSync(path.join(folder, name), 'base64')]))
    },
    pathOf: (pattern: RegExp) => {
      const folder = numbersFolder(dataFolder)
      return path.join(folder, fs.readdirSync(folder).find((name) => pattern.test(name))!)
    },
  }
}

/** Looks a number up in the source of this name. */
export function ask(
  sources: readonly PortabilitySource[],
  name: string,
  digits: string,
  callingCode = '31',
): Promise<PortabilityAnswer | undefined> {
  return sources.find((source) => source.name === name)!.lookUp(phoneNumber(digits, callingCode), inquiry)
}
