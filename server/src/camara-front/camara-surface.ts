// Which paths does our own CAMARA API have? One for each call of the catalogue, those of phones, OAuth, and the metadata.

import {
  type CamaraEndpoint,
  camaraAuthorizationPath,
  camaraEndpoints,
  camaraNumberVerificationEndpoints,
  camaraTokenEndpoint,
  numberVerificationApi,
} from '@ringfence/contract'
import type { AnyCall } from '../call.ts'
import { bodyReader, type ObjectSchema } from '../http/body.ts'
import { type EndpointRow, endpoint, type Handler, page, type Row } from '../http/surface.ts'
import { answerCall } from './answer-call.ts'
import { issueAccessToken } from './issue-access-token.ts'
import { metadataPage, metadataPaths } from './metadata.ts'
import { sharePhoneNumber, verifyPhone } from './phone-flow/answer-phone-call.ts'
import { authorizePage } from './phone-flow/authorize.ts'

function camaraRow(definition: CamaraEndpoint): EndpointRow {
  const schema = definition.request as ObjectSchema
  const failures = Object.fromEntries(Object.keys(schema.properties).map((field) => [field, 'fieldInvalid' as const]))
  return {
    kind: 'endpoint',
    method: definition.method,
    path: definition.path,
    caller: definition.caller,
    errorFormat: definition.errorFormat,
    scope: undefined,
    admission: undefined,
    tokenScopes: [definition.call.scope, definition.api.api],
    body: bodyReader<unknown>(schema, failures),
    fieldFailures: new Set(Object.values(failures)),
    hasFacts: false,
    acceptsForm: false,
    acceptsAssertion: false,
    isStream: false,
    handler: answerCall(definition) as unknown as Handler<unknown, unknown, AnyCall>,
  }
}

const ofPhone = camaraNumberVerificationEndpoints

export const camaraSurface: readonly Row[] = [
  {
    ...endpoint(camaraTokenEndpoint, '/camara/oauth2/token', 'client', 'oauth', issueAccessToken, {
      grant_type: 'clientGrantUnsupported',
      scope: 'scopeInvalid',
      code: 'fieldInvalid',
      redirect_uri: 'fieldInvalid',
      code_verifier: 'fieldInvalid',
    }),
    scope: 'telecom',
  },
  page(camaraAuthorizationPath, 'person', authorizePage),
  {
    ...endpoint(ofPhone.verify, '/number-verification/v2/verify', 'token', 'camara', verifyPhone, 'fieldInvalid'),
    tokenScopes: [numberVerificationApi.verify.scope],
  },
  {
    ...endpoint(ofPhone.share, '/number-verification/v2/device-phone-number', 'token', 'camara', sharePhoneNumber, {}),
    tokenScopes: [numberVerificationApi.share.scope],
  },
  ...Object.values(camaraEndpoints).map(camaraRow),
  ...metadataPaths.map((path) => page(path, 'anyone', metadataPage)),
]
