// Which calls do backends and people make about lists? They create them, change their entries, and look values up.

import {
  AddedListEntries,
  AddListEntriesRequest,
  CreateListRequest,
  DeletedList,
  DeleteListRequest,
  DescribedLists,
  DescribeListsRequest,
  List,
  ListLookUp,
  ListPage,
  LookUpListRequest,
  ReadListRequest,
  RemovedListEntries,
  RemoveListEntriesRequest,
} from '../lists.ts'
import { type Endpoint, everyCallOfBoth, refused } from './endpoint.ts'

const lists = {
  method: 'POST',
  caller: 'client',
  scope: 'lists',
  errorFormat: 'telecom',
  tag: 'Lists',
  accepted: 'Done',
} as const

const reading = { ...lists, permission: 'lists.read', effect: 'read' } as const
const changing = { ...lists, permission: 'lists.write', effect: 'write' } as const

const wrongField = refused('A field is wrong, or the body is not JSON', 'field-invalid', 'invalid-json')
const unnamed = { ...everyCallOfBoth, 400: wrongField } as const
const refusals = { ...unnamed, 404: refused('There is no such list', 'list-unknown') } as const

export const listEndpoints = {
  createList: {
    ...changing,
    path: '/v1/lists/create',
    summary: 'Create a list',
    description: 'Creates an empty list of values of one kind. A tenant has at most 100 lists.',
    request: CreateListRequest,
    answer: List,
    refusals: { ...unnamed, 409: refused('There is a list of this name', 'list-exists') },
  },
  describeLists: {
    ...reading,
    path: '/v1/lists/describe',
    summary: 'Describe lists',
    description: 'Returns one list or all lists, with the number of their entries.',
    request: DescribeListsRequest,
    answer: DescribedLists,
    refusals,
  },
  deleteList: {
    ...changing,
    path: '/v1/lists/delete',
    summary: 'Delete a list',
    description:
      'Deletes a list and its entries. Rules that name it go on: inList is false. Repeating it is a success with deleted: false.',
    request: DeleteListRequest,
    answer: DeletedList,
    refusals: unnamed,
  },
  addListEntries: {
    ...changing,
    path: '/v1/lists/add',
    summary: 'Add entries to a list',
    description:
      'Adds up to 1,000 entries, or changes note and expiry of existing ones: all or none. In force on every server within a second. Repeating it changes nothing.',
    request: AddListEntriesRequest,
    answer: AddedListEntries,
    refusals,
  },
  removeListEntries: {
    ...changing,
    path: '/v1/lists/remove',
    summary: 'Remove entries from a list',
    description:
      'Removes up to 1,000 entries. A range of IP addresses is removed by the same range. In force on every server within a second.',
    request: RemoveListEntriesRequest,
    answer: RemovedListEntries,
    refusals,
  },
  lookUpList: {
    ...reading,
    path: '/v1/lists/look-up',
    summary: 'Look up a value in a list',
    description: 'Returns whether a value is in a list, and the entries that match it.',
    request: LookUpListRequest,
    answer: ListLookUp,
    refusals,
  },
  readList: {
    ...reading,
    path: '/v1/lists/entries',
    summary: 'Read the entries of a list',
    description: 'Returns the entries of a list in pages. Send `next` as `cursor` until it is absent.',
    request: ReadListRequest,
    answer: ListPage,
    refusals,
  },
} as const satisfies Record<string, Endpoint>
