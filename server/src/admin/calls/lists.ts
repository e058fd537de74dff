// /admin/v1/lists/preview-import: what a file would add to a list. Clients and people share the other calls of lists.

import type { PreviewedListImport, PreviewListImportRequest } from '@ringfence/contract'
import { previewListImport } from '../../rules/lists/preview-import.ts'
import type { ActorCall } from '../call.ts'
import type { AdminNeeds } from '../room.ts'
import { asClient } from './as-client.ts'

export const adminPreviewListImport = (
  body: PreviewListImportRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<PreviewedListImport> => previewListImport(body, asClient(call), needs)
