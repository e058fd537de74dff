// Which endpoints do console and command line call? Those of the admin API, and those of clients that people may call too.

import { listEndpoints } from '../endpoints/list-endpoints.ts'
import { accountEndpoints } from './account-endpoints.ts'
import type { AdminEndpoint } from './admin-endpoint.ts'
import { appEndpoints } from './app-endpoints.ts'
import { auditEndpoints } from './audit/audit-endpoints.ts'
import { demoEndpoints } from './demo/demo-endpoints.ts'
import { monitorEndpoints } from './monitor/monitor-endpoints.ts'
import { ownRoleEndpoints } from './own-roles/own-role-endpoints.ts'
import { passkeyEndpoints } from './passkeys/passkey-endpoints.ts'
import { peopleEndpoints } from './people-endpoints.ts'
import { personalDataEndpoints } from './privacy/personal-data-endpoints.ts'
import { privacyEndpoints } from './privacy/privacy-endpoints.ts'
import { recordEndpoints } from './record-endpoints.ts'
import { reviewWorkEndpoints } from './reviews/review-work-endpoints.ts'
import { ruleEditingEndpoints } from './rule-editing/endpoints.ts'
import { ruleEndpoints } from './rule-endpoints.ts'
import { channelEndpoints } from './service/sign-in-endpoints.ts'
import { systemEndpoints } from './service/system-endpoints.ts'
import { sessionEndpoints } from './session-endpoints.ts'
import { setupEndpoints } from './setup-endpoints.ts'
import { ssoEndpoints } from './sso/sso-endpoints.ts'
import { numberEndpoints } from './subjects/number-endpoints.ts'
import { subjectEndpoints } from './subjects/subject-endpoints.ts'
import { userEndpoints } from './subjects/user-endpoints.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

export const adminEndpoints = {
  ...auditEndpoints,
  ...sessionEndpoints,
  ...monitorEndpoints,
  ...recordEndpoints,
  ...reviewWorkEndpoints,
  ...personalDataEndpoints,
  ...privacyEndpoints,
  ...ruleEndpoints,
  ...ruleEditingEndpoints,
  ...listEndpoints,
  ...setupEndpoints,
  ...subjectEndpoints,
  ...appEndpoints,
  ...webhookEndpoints,
  ...peopleEndpoints,
  ...ownRoleEndpoints,
  ...ssoEndpoints,
  ...channelEndpoints,
  ...systemEndpoints,
  ...demoEndpoints,
  ...userEndpoints,
  ...numberEndpoints,
  ...accountEndpoints,
  ...passkeyEndpoints,
} as const satisfies Record<string, AdminEndpoint>

export type AdminEndpointName = keyof typeof adminEndpoints
