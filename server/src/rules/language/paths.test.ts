import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inputOf } from '../cases.ts'
import { findPath, openParts, paths } from './paths.ts'
import { openPartReaders, readers } from './readers.ts'

test('every path has a reader, which reads this path and no other', () => {
  assert.deepEqual(
    Object.keys(readers),
    paths.map(({ path }) => path),
  )
  for (const { path } of paths) {
    const input = inputOf({ [path]: path })
    for (const [name, read] of Object.entries(readers)) assert.equal(read(input), name === path ? path : undefined)
  }
})

test('every open part has a reader', () => {
  assert.deepEqual(
    Object.keys(openPartReaders),
    openParts.map(({ prefix }) => prefix.slice(0, -1)),
  )
  for (const [part, read] of Object.entries(openPartReaders)) {
    assert.equal(read(inputOf({ [`${part}.a.b`]: 'x' }))?.['a.b'], 'x')
    assert.equal(read({}), undefined)
  }
})

test('every path has a description and a type', () => {
  for (const { path, kind, description } of [...paths, ...openParts.map((part) => ({ ...part, path: part.prefix }))]) {
    assert.ok(['flag', 'number', 'text', 'any'].includes(kind), path)
    assert.ok(description.length > 3, path)
  }
})

test('finds only paths of the vocabulary and of open parts', () => {
  for (const path of [
    '',
    '.',
    'params',
    'params.',
    'signals',
    'toString',
    '__proto__',
    'ipDetails.__proto__',
    'vpn.',
  ]) {
    assert.equal(findPath(path), undefined, path)
  }
  assert.equal(findPath('params.a.b')?.kind, 'any')
  assert.equal(findPath('updateInfo.additionalInput.a')?.kind, 'text')
})
