// Which paths does our own CAMARA API have? One for each call of the catalogue, those of phones, OAuth, and the metadata.

import {
  camaraAuthorizationPath,
  camaraEndpoints,
  camaraNumberVerificationEndpoints,
  camaraTokenEndpoint,
} from '@ringfence/contract'
import { handle, page, type Row } from '../http/surface.ts'
import { answerCall } from './answer-call.ts'
import { issueAccessToken } from './issue-access-token.ts'
import { metadataPage, metadataPaths } from './metadata.ts'
import { sharePhoneNumber, verifyPhone } from './phone-flow/answer-phone-call.ts'
import { authorizePage } from './phone-flow/authorize.ts'

const ofPhone = camaraNumberVerificationEndpoints

export const camaraSurface: readonly Row[] = [
  handle(camaraTokenEndpoint, issueAccessToken),
  page(camaraAuthorizationPath, 'person', authorizePage),
  handle(ofPhone.verify, verifyPhone),
  handle(ofPhone.share, sharePhoneNumber),
  ...Object.values(camaraEndpoints).map((each) => handle(each, answerCall(each))),
  ...metadataPaths.map((path) => page(path, 'anyone', metadataPage)),
]
