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
import type { ActorCall } from '../call.ts'
import type { AdminNeeds } from '../room.ts'
import { asClient } from './as-client.ts'

export const adminDescribeLists = (
  body: DescribeListsRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<DescribedLists> => describeLists(body, asClient(call), needs)

export const adminReadList = (body: ReadListRequest, call: ActorCall, needs: AdminNeeds): Promise<ListPage> =>
  readList(body, asClient(call), needs)

export const adminLookUpList = (body: LookUpListRequest, call: ActorCall, needs: AdminNeeds): Promise<ListLookUp> =>
  lookUpList(body, asClient(call), needs)

/** The actor is the author. */
export const adminCreateList = (
  { name, kind, purpose, description }: Omit<CreateListRequest, 'by'>,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<List> =>
  createList({ name, kind, purpose, ...(description !== undefined && { description }) }, asClient(call), needs)

export const adminDeleteList = (body: DeleteListRequest, call: ActorCall, needs: AdminNeeds): Promise<DeletedList> =>
  deleteList(body, asClient(call), needs)

export const adminAddListEntries = (
  { name, entries }: Omit<AddListEntriesRequest, 'by'>,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<AddedListEntries> => addListEntries({ name, entries }, asClient(call), needs)

export const adminRemoveListEntries = (
  body: RemoveListEntriesRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<RemovedListEntries> => removeListEntries(body, asClient(call), needs)

export const adminPreviewListImport = (
  body: PreviewListImportRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<PreviewedListImport> => previewListImport(body, asClient(call), needs)
