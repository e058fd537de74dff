import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { slowHash } from './slow-hash.ts'

const salt = Buffer.alloc(16, 7)
const password = { text: 'correct horse', salt, argon2id: { memoryKib: 64, passes: 1 } }

test('hashes in the order of the calls, and goes on after one that fails', async () => {
  const order: string[] = []
  const noted = (name: string, hash: Promise<Buffer>) =>
    hash.then(
      (bytes) => void order.push(`${name} ${bytes.length}`),
      () => void order.push(`${name} failed`),
    )
  await Promise.all([
    noted('receipt', slowHash({ text: 'asha', salt, scrypt: { cost: 1024 } })),
    noted('short salt', slowHash({ ...password, salt: salt.subarray(0, 2) })),
    noted('password', slowHash(password)),
  ])
  assert.deepEqual(order, ['receipt 32', 'short salt failed', 'password 32'])
})

test('makes the hashes that the functions of node:crypto made before there was a thread', async () => {
  assert.equal(
    (await slowHash(password)).toString('hex'),
    '0aa8d76217ab242c6d14433d5ff105dd539f1ce4be07f1103bc3f7ed6aee0efb',
  )
  assert.equal(
    (await slowHash({ text: 'asha', salt, scrypt: { cost: 1024 } })).toString('hex'),
    '3d8f533bfcbdb9978814226702474f6fc656c2f30e760e30fee635d012017132',
  )
})

test('the thread of hashes has a lower priority than the event loop', {
  skip: process.platform !== 'linux',
}, async () => {
  const niceOf = (id: number | string) => {
    const fields = readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return Number(fields[16])
  }
  await slowHash(password)
  const all = readdirSync('/proc/self/task').flatMap((id) => {
    try {
      return niceOf(id)
    } catch {
      return [] // a thread of a neighbour that ends meanwhile
    }
  })
  assert.equal(Math.max(...all), Math.min(niceOf(process.pid) + 10, 19))
})
