import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { test } from 'node:test'
import { recorded } from '../testdata/recordings.ts'
import { signals } from './index.ts'
import { judgeAll } from './judge.ts'
import type { Signal } from './signal.ts'

const folder = new URL('.', import.meta.url)

test('every signal is in a file of its name with a test beside it, in the folder of its only platform, and every such file is in the list', () => {
  const fileOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  )
  const defining = files.filter((file) =>
    /^export const \w+ = signal\(/m.test(readFileSync(new URL(file, folder), 'utf8')),
  )
  const placeOf = new Map(defining.map((file) => [basename(file), file]))
  assert.deepEqual([...placeOf.keys()].toSorted(), signals.map(({ name }) => `${fileOf(name)}.ts`).toSorted())
  assert.equal(placeOf.size, defining.length, 'two files have one name')
  for (const { name, platforms } of signals as readonly Signal[]) {
    const place = placeOf.get(`${fileOf(name)}.ts`)!
    assert.equal(dirname(place), platforms.length === 1 ? platforms[0]!.toLowerCase() : '.', name)
    assert.ok(existsSync(new URL(place.replace(/\.ts$/, '.test.ts'), folder)), `${name} has no test`)
    assert.match(readFileSync(new URL(place, folder), 'utf8'), new RegExp(`^export const ${name} = signal\\(`, 'm'))
  }
})

test('at most one signal says how rules read a report field, and what its default is', () => {
  for (const part of ['rule', 'unknown'] as const) {
    const fields = signals.flatMap(({ report }) => (report?.[part] === undefined ? [] : [report.field]))
    assert.deepEqual(fields, [...new Set(fields)])
  }
  const read = new Set(signals.flatMap(({ report }) => (report?.rule ? [report.field] : [])))
  for (const { name, report } of signals)
    assert.ok(!report || read.has(report.field), `no rule reads the field of ${name}`)
})

test('a signal without evidence is absent, never a constant', () => {
  const nothing = { platform: 'WEB', facts: {}, malformedFacts: [], headers: {}, network: undefined, now: 0 } as const
  assert.deepEqual(judgeAll(nothing), { verdicts: {}, reasons: {}, versions: {} })
})

test('does not judge phones by signals of browsers', () => {
  const { lacking: _, ...driven } = recorded('playwright-headless')
  const { verdicts } = judgeAll({ ...driven, platform: 'IOS', headers: {} })
  assert.deepEqual(verdicts, {})
})

test('a judgement has the reasons and versions of every signal that answered', () => {
  const { verdicts, reasons, versions } = judgeAll(recorded('chromium-elsewhere'))
  const { suspectScore, ...detectors } = verdicts
  assert.deepEqual(suspectScore, { result: 3 })
  assert.deepEqual(Object.keys(reasons), Object.keys(detectors))
  assert.deepEqual(Object.keys(versions), Object.keys(detectors))
})
