// How does the console read rules and lists, and change lists?

import Type from 'typebox'
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
import { admin } from './admin-endpoint.ts'
import { PreviewedListImport, PreviewListImportRequest } from './lists/list-import.ts'
import { problem } from './problem.ts'
import { ReadRulesRequest, RuleHistory, RuleVersions, ShownRules } from './rules.ts'
import { NoFields } from './session.ts'

const rules = 'Console rules'
const lists = 'Console lists'

const unknownList = { 404: problem('There is no such list', 'list-unknown') } as const

/** The person who calls is the author. */
const AdminCreateListRequest = Type.Omit(CreateListRequest, ['by'], { $id: 'AdminCreateListRequest' })
const AdminAddListEntriesRequest = Type.Omit(AddListEntriesRequest, ['by'], { $id: 'AdminAddListEntriesRequest' })

export const ruleEndpoints = {
  listRuleVersions: admin({
    method: 'GET',
    path: '/admin/v1/rules',
    permission: 'rules.read',
    tag: rules,
    summary: 'List the versions of the rules',
    description: 'Returns every version of the rules, and which one is live, in shadow, or the draft.',
    request: NoFields,
    answer: RuleVersions,
  }),
  readRuleHistory: admin({
    method: 'GET',
    path: '/admin/v1/rules/history',
    permission: 'rules.read',
    tag: rules,
    summary: 'Read the history of the rules',
    description: 'Returns who changed what, when and why.',
    request: NoFields,
    answer: RuleHistory,
  }),
  readRules: admin({
    method: 'GET',
    path: '/admin/v1/rules/versions/{version}',
    permission: 'rules.read',
    tag: rules,
    summary: 'Read the rules of a version',
    description: 'Returns the rules and velocities of a version: a number, or draft, shadow or live.',
    request: ReadRulesRequest,
    fieldFailures: { version: 'ruleVersionUnknown' },
    answer: ShownRules,
    refusals: { 404: problem('There is no such version', 'rule-version-unknown') },
  }),
  describeLists: admin({
    method: 'GET',
    path: '/admin/v1/lists',
    permission: 'lists.read',
    tag: lists,
    summary: 'Describe lists',
    description: 'Returns one list or all lists, with the number of their entries.',
    request: DescribeListsRequest,
    answer: DescribedLists,
    refusals: unknownList,
  }),
  readList: admin({
    method: 'GET',
    path: '/admin/v1/lists/{name}/entries',
    permission: 'lists.read',
    tag: lists,
    summary: 'Read the entries of a list',
    description: 'Returns the entries of a list in pages. Send `next` as `cursor` until it is absent.',
    request: ReadListRequest,
    answer: ListPage,
    refusals: unknownList,
  }),
  lookUpList: admin({
    method: 'POST',
    path: '/admin/v1/lists/look-up',
    permission: 'lists.read',
    effect: 'read',
    tag: lists,
    summary: 'Look up a value in a list',
    description: 'Returns whether a value is in a list, and the entries that match it.',
    request: LookUpListRequest,
    answer: ListLookUp,
    refusals: unknownList,
  }),
  createList: admin({
    method: 'POST',
    path: '/admin/v1/lists/create',
    permission: 'lists.write',
    tag: lists,
    summary: 'Create a list',
    description: 'Creates an empty list of values of one kind. A tenant has at most 100 lists.',
    request: AdminCreateListRequest,
    answer: List,
    refusals: { 409: problem('There is a list of this name', 'list-exists') },
  }),
  deleteList: admin({
    method: 'POST',
    path: '/admin/v1/lists/delete',
    permission: 'lists.write',
    tag: lists,
    summary: 'Delete a list',
    description: 'Deletes a list and its entries. Repeating it is a success with deleted: false.',
    request: DeleteListRequest,
    answer: DeletedList,
  }),
  addListEntries: admin({
    method: 'POST',
    path: '/admin/v1/lists/add',
    permission: 'lists.write',
    tag: lists,
    summary: 'Add entries to a list',
    description: 'Adds up to 1,000 entries, or changes note and expiry of existing ones: all or none.',
    request: AdminAddListEntriesRequest,
    answer: AddedListEntries,
    refusals: unknownList,
  }),
  previewListImport: admin({
    method: 'POST',
    path: '/admin/v1/lists/preview-import',
    permission: 'lists.write',
    effect: 'read',
    tag: lists,
    summary: 'Preview an import',
    description:
      'Returns what each line of a file would add to a list, and what is wrong with it. Writes nothing: add the entries to import them.',
    request: PreviewListImportRequest,
    answer: PreviewedListImport,
    refusals: unknownList,
  }),
  removeListEntries: admin({
    method: 'POST',
    path: '/admin/v1/lists/remove',
    permission: 'lists.write',
    tag: lists,
    summary: 'Remove entries from a list',
    description: 'Removes up to 1,000 entries. Repeating it changes nothing.',
    request: RemoveListEntriesRequest,
    answer: RemovedListEntries,
    refusals: unknownList,
  }),
} as const
