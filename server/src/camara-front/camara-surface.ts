// Which paths does our own CAMARA API have? One for each call of the catalogue, those of phones, OAuth, and the metadata.

import {
  camaraAuthorizationPath,
  camaraEndpoints,
  camaraNumberVerificationEndpoints,
  camaraTokenEndpoint,
} from '@ringfence/contract'
import { handle, page, type Row } from '../core/rows.ts'
import { silentCallback } from '../sign-in/authentication/silent/silent-callback.ts'
import { verificationCallbackPath } from '../telecom/number-verification/verification.ts'
import { answerCall } from './answer-call.ts'
import { issueAccessToken } from './issue-access-token.ts'
import { metadataPage, metadataPaths } from './metadata.ts'
import { sharePhoneNumber, verifyPhone } from './phone-flow/answer-phone-call.ts'
import { authorizePage } from './phone-flow/authorize.ts'
import { operatorReturn } from './phone-flow/operator-return.ts'
import type { CamaraFrontNeeds } from './room.ts'

const ofPhone = camaraNumberVerificationEndpoints

export const camaraSurface: readonly Row<CamaraFrontNeeds>[] = [
  handle(camaraTokenEndpoint, issueAccessToken),
  page(camaraAuthorizationPath, 'person', authorizePage),
  handle(ofPhone.verify, verifyPhone),
  handle(ofPhone.share, sharePhoneNumber),
  ...Object.values(camaraEndpoints).map((each) => handle(each, answerCall(each))),
  // Where phones return to, whoever sent them: our CAMARA API, or a sign-in without a message.
  page(
    `${verificationCallbackPath}/{connection}`,
    'person',
    async (needs: CamaraFrontNeeds, query, _, { connection = '' }) =>
      (await operatorReturn(needs, query, connection)) ?? silentCallback(needs, query, connection),
  ),
  ...metadataPaths.map((path) => page(path, 'anyone', metadataPage)),
]
