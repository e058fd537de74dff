// What does the console send to read decisions, device reports and reviews?

import Type, { type Static } from 'typebox'
import { DeviceReportRequest } from '../device-report/device-report.ts'
import { ResolveReviewRequest } from '../reviews.ts'

export const AdminReportRequest = Type.Object(
  {
    dfrId: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'The dfrId of an event or a decision' }),
    deviceType: DeviceReportRequest.properties.deviceType,
  },
  { $id: 'AdminReportRequest' },
)
export type AdminReportRequest = Static<typeof AdminReportRequest>

const { decisionId, outcome, note } = ResolveReviewRequest.properties

export const AskForChallengeRequest = Type.Object({ decisionId, note }, { $id: 'AskForChallengeRequest' })
export type AskForChallengeRequest = Static<typeof AskForChallengeRequest>

/** The person who calls is the reviewer. */
export const AdminResolveReviewRequest = Type.Object(
  { decisionId, outcome, note },
  { $id: 'AdminResolveReviewRequest' },
)
export type AdminResolveReviewRequest = Static<typeof AdminResolveReviewRequest>
