import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RuleVocabulary } from '../../../api/types.ts'
import { type Group, groupOf, isUnfinished, listsFor, newGroup, newRow, textOf, treeOf, without } from './conditions.ts'

const vpn = { op: '==', path: 'vpn', value: true }
const amount = { op: '>', path: 'params.amount', value: 1000 }
const listed = { op: 'inList', path: 'userId', list: 'vips' }
const known = { op: 'exists', path: 'email' }
const among = { op: 'in', path: 'params.country', values: ['DE', 'FR'] }
const all = (...of: object[]) => ({ op: 'all', of })
const any = (...of: object[]) => ({ op: 'any', of })
const not = (of: object) => ({ op: 'not', of })

test('a form gives back each condition as it was, also what it has no row for', () => {
  for (const tree of [
    ...[vpn, amount, listed, known, among, not(vpn), not(not(vpn)), not(among)],
    ...[all(vpn, amount), any(vpn, listed), not(all(vpn, amount)), not(any(vpn, amount)), not(not(any(vpn, amount)))],
    all(vpn, any(amount, not(all(listed, known)), among), not(known)),
    any(all(vpn, amount), all(listed, not(any(known, among)))),
  ])
    assert.deepEqual(treeOf(groupOf(tree)), tree)
})

test('a form joins the parts of a group in four ways', () => {
  const join = (tree: object) => groupOf(tree).join
  assert.deepEqual(
    [all(vpn, amount), any(vpn, amount), not(all(vpn, amount)), not(any(vpn, amount)), not(vpn)].map(join),
    ['all', 'any', 'notAll', 'none', 'notAll'],
  )
})

test('a new group differs from the one around it, so that both stay', () => {
  for (const tree of [all(vpn, amount), any(vpn, amount), not(any(vpn, amount))]) {
    const group = groupOf(tree)
    const added: Group = { ...group, parts: [...group.parts, newGroup(group)] }
    assert.deepEqual(groupOf(treeOf(added)), added)
  }
})

test('a group without its last part is gone', () => {
  const group = groupOf(all(vpn, amount))
  assert.deepEqual(treeOf(without(group, 0)!), amount)
  assert.equal(without(groupOf(vpn), 0), undefined)
  assert.match(textOf(among), /params\.country in \["DE","FR"\]/)
})

test('only lists that can contain what is at a path are offered for it, and each for a value of your own', () => {
  const lists = [
    { name: 'mules', kind: 'phoneNumber', paths: ['phoneNumber', 'updateInfo.phoneNumber'] },
    { name: 'vips', kind: 'userId', paths: ['userId'] },
    { name: 'words', kind: 'text', paths: ['phoneNumber', 'userId', 'email'] },
  ]
  const openParts = [{ prefix: 'params.', kind: 'any', description: '' }]
  const offered = (path: string) =>
    listsFor(path, { lists, openParts } as unknown as RuleVocabulary).map(({ name }) => name)
  assert.deepEqual(offered('phoneNumber'), ['mules', 'words'])
  assert.deepEqual(offered('userId'), ['vips', 'words'])
  assert.deepEqual(offered('email'), ['words'])
  assert.deepEqual(offered('params.card'), ['mules', 'vips', 'words'])
})

test('a new condition compares nothing, and the rule is unfinished until a person has chosen', () => {
  assert.equal(isUnfinished(newRow), true)
  assert.equal(isUnfinished(groupOf(treeOf(newGroup(groupOf(vpn))))), true)
  assert.equal(isUnfinished(groupOf(all(vpn, not(any(amount, treeOf(newRow) as object))))), true)
  assert.equal(isUnfinished(groupOf(all(vpn, among))), false)
})
