import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Group, groupOf, newGroup, textOf, treeOf, without } from './conditions.ts'

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
