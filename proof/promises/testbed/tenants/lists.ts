// Can a tenant read or change another tenant's lists? Every call about lists, with the name of a list that both know.

import { endpoints } from '@ringfence/contract'
import type { TestService } from '../../../../server/src/testing/test-service.ts'
import type { RecordKind, Tenant } from './records.ts'

const { createList, describeLists, deleteList, addListEntries, removeListEntries, lookUpList, readList } = endpoints

const name = 'stolen-cards'
const cardOf = (owner: Tenant) => `card-${owner.id}`

/** A list with one entry, and everything that its owner sees of it. */
async function plantList(owner: Tenant, service: TestService) {
  const post = ({ credentials }: Tenant, path: string, body: object) => service.post(path, body, { ...credentials })
  await post(owner, createList.path, { name, kind: 'text', purpose: 'block' })
  await post(owner, addListEntries.path, { name, entries: [{ value: cardOf(owner) }] })
  const shown = async () => JSON.stringify((await post(owner, readList.path, { name })).body)
  if (!(await shown()).includes(cardOf(owner))) throw new Error('the owner has no list')
  return { post, shown }
}

/** What another tenant sends to each endpoint. */
const attempts: readonly (readonly [endpoint: string, body: (value: string) => object])[] = [
  [describeLists.path, () => ({ name })],
  [readList.path, () => ({ name })],
  [lookUpList.path, (value) => ({ name, value })],
  [removeListEntries.path, (value) => ({ name, values: [value] })],
  [addListEntries.path, () => ({ name, entries: [{ value: 'foreign' }] })],
  [deleteList.path, () => ({ name })],
  [createList.path, () => ({ name, kind: 'text', purpose: 'allow' })],
]

export const listRecords: readonly RecordKind[] = attempts.map(([endpoint, body]) => ({
  endpoint,
  what: 'list of the same name',
  async plant(owner, service) {
    const { post, shown } = await plantList(owner, service)
    const before = await shown()
    return async (other) => {
      const { status, body: answer } = await post(other, endpoint, body(cardOf(owner)))
      const after = await shown()
      const text = JSON.stringify(answer)
      const isLeak = text.includes(cardOf(owner)) || answer.inList === true || answer.removed > 0
      return after === before && !isLeak ? undefined : `${status} ${text} and ${after}`
    }
  },
}))
