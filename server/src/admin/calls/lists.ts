// /admin/v1/lists…: lists and their entries. The same code answers the calls of backends.

import type {
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
  PreviewedListImport,
  PreviewListImportRequest,
  ReadListRequest,
  RemovedListEntries,
  RemoveListEntriesRequest,
} from '@ringfence/contract'
import type { ActorCall } from '../../call.ts'
import type { Platform } from '../../platform.ts'
import {
  addListEntries,
  createList,
  deleteList,
  describeLists,
  lookUpList,
  readList,
  removeListEntries,
} from '../../rules/lists/list-calls.ts'
import { previewListImport } from '../../rules/lists/preview-import.ts'
import { asClient } from './as-client.ts'

export const adminDescribeLists = (
  body: DescribeListsRequest,
  call: ActorCall,
  platform: Platform,
): Promise<DescribedLists> => describeLists(body, asClient(call), platform)

export const adminReadList = (body: ReadListRequest, call: ActorCall, platform: Platform): Promise<ListPage> =>
  readList(body, asClient(call), platform)

export const adminLookUpList = (body: LookUpListRequest, call: ActorCall, platform: Platform): Promise<ListLookUp> =>
  lookUpList(body, asClient(call), platform)

/** The actor is the author. */
export const adminCreateList = (
  { name, kind, purpose, description }: Omit<CreateListRequest, 'by'>,
  call: ActorCall,
  platform: Platform,
): Promise<List> =>
  createList({ name, kind, purpose, ...(description !== undefined && { description }) }, asClient(call), platform)

export const adminDeleteList = (body: DeleteListRequest, call: ActorCall, platform: Platform): Promise<DeletedList> =>
  deleteList(body, asClient(call), platform)

export const adminAddListEntries = (
  { name, entries }: Omit<AddListEntriesRequest, 'by'>,
  call: ActorCall,
  platform: Platform,
): Promise<AddedListEntries> => addListEntries({ name, entries }, asClient(call), platform)

export const adminRemoveListEntries = (
  body: RemoveListEntriesRequest,
  call: ActorCall,
  platform: Platform,
): Promise<RemovedListEntries> => removeListEntries(body, asClient(call), platform)

export const adminPreviewListImport = (
  body: PreviewListImportRequest,
  call: ActorCall,
  platform: Platform,
): Promise<PreviewedListImport> => previewListImport(body, asClient(call), platform)
