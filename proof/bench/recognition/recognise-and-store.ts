// What does the server do with a visit? It names the device, and stores what has changed.

import { storeInstallation } from '../../../server/src/device/identity/installation-change.ts'
import {
  type Recognition,
  type RecognitionServices,
  recognise,
  type Visit,
} from '../../../server/src/device/identity/recognise.ts'

export async function recogniseAndStore(visit: Visit, services: RecognitionServices): Promise<Recognition> {
  const answer = await recognise(visit, services)
  if (answer.change) await storeInstallation(services.database, answer.change)
  return answer
}
