// How does the console read what happened and why: events, decisions, device reports, reviews, the devices of a user?

import {
  AccountDevices,
  AccountDevicesRequest,
  DeleteAccountDevicesRequest,
  DeletedAccountDevices,
  TrustedDevice,
  UpdateAccountDeviceRequest,
} from '../account-devices.ts'
import { ReadDecisionRequest } from '../decisions.ts'
import { DeviceReportAnswer } from '../device-report/device-report.ts'
import { FoundEvent, FoundEvents, SearchEventsRequest } from '../events/event-search.ts'
import { LabelAnswer, LabelRequest } from '../labels.ts'
import { Review } from '../reviews.ts'
import { admin } from './admin-endpoint.ts'
import { InvestigatedDecision } from './monitor/investigation.ts'
import { LiveEventsRequest } from './monitor/live.ts'
import { problem } from './problem.ts'
import { AdminReportRequest, AdminResolveReviewRequest, AskForChallengeRequest } from './records.ts'

const happened = 'Console records'
const users = 'Console users'

export const recordEndpoints = {
  searchEvents: admin({
    method: 'POST',
    path: '/admin/v1/events/search',
    permission: 'decisions.read',
    effect: 'read',
    tag: happened,
    summary: 'Search events',
    description:
      'Returns decisions, device reports, sign-ins, tokens and telecom checks of a user, phone number, device or IP address, by type, outcome and time; newest first.',
    request: SearchEventsRequest,
    answer: FoundEvents,
  }),
  watchEvents: admin({
    method: 'GET',
    path: '/admin/v1/events/live',
    permission: 'decisions.read',
    stream: true,
    tag: happened,
    summary: 'Watch events',
    description:
      'Sends events as they happen, as server-sent events, from every server. Connect again with Last-Event-ID: what happened meanwhile comes first, up to 10,000 events of the last hour, and some come twice. It ends when the session ends or the role changes. A person or client has at most 5 streams.',
    request: LiveEventsRequest,
    answer: FoundEvent,
  }),
  readDecision: admin({
    method: 'GET',
    path: '/admin/v1/decisions/{decisionId}',
    permission: 'decisions.read',
    tag: happened,
    summary: 'Read a decision',
    description:
      'Returns a stored decision, with the present state of its challenge and review, what was asked, its labels, and the rules that fired or nearly fired.',
    request: ReadDecisionRequest,
    fieldFailures: { decisionId: 'decisionUnknown' },
    answer: InvestigatedDecision,
    refusals: { 404: problem('There is no such decision, or it has expired', 'decision-unknown') },
  }),
  readReport: admin({
    method: 'GET',
    path: '/admin/v1/device-reports/{dfrId}',
    permission: 'decisions.read',
    tag: happened,
    summary: 'Read a device report',
    description:
      'Returns the report as its push sealed it, with how the device was recognised, the reasons and the signals. It confirms no device.',
    request: AdminReportRequest,
    fieldFailures: { dfrId: 'reportUnknown' },
    answer: DeviceReportAnswer,
    refusals: { 404: problem('There is no such report, or it has expired', 'report-unknown') },
  }),
  label: admin({
    method: 'POST',
    path: '/admin/v1/labels',
    permission: 'decisions.label',
    tag: happened,
    summary: 'Label sessions',
    description: 'Says how the sessions of decisions or device reports turned out. Repeating it changes nothing.',
    request: LabelRequest,
    answer: LabelAnswer,
  }),
  resolveReview: admin({
    method: 'POST',
    path: '/admin/v1/decisions/{decisionId}/review',
    permission: 'reviews.resolve',
    tag: happened,
    summary: 'Resolve a review',
    description:
      'Approves or blocks a decision that a rule sent to REVIEW, in the name of who calls. The first reviewer decides: others get 409. One that is assigned to somebody else has to be assigned to you first. Repeating it is a success.',
    request: AdminResolveReviewRequest,
    fieldFailures: { decisionId: 'reviewUnknown' },
    answer: Review,
    refusals: {
      404: problem('There is no such decision, it has expired, or no rule sent it to REVIEW', 'review-unknown'),
      409: problem('Another reviewer has resolved it, or works on it', 'review-resolved', 'review-assigned'),
    },
  }),
  askForChallenge: admin({
    method: 'POST',
    path: '/admin/v1/decisions/{decisionId}/review/challenge',
    permission: 'reviews.resolve',
    tag: happened,
    summary: 'Ask for a challenge',
    description:
      'Lets the user of an open review sign in once more, within 24 hours, in the name of who calls. The event `decision.challenge.requested` says so to the backend. Passing it approves the review; after its time the review waits for a reviewer again. It can be asked for once. Repeating it is a success.',
    request: AskForChallengeRequest,
    fieldFailures: { decisionId: 'reviewUnknown' },
    answer: Review,
    refusals: {
      404: problem('There is no such decision, it has expired, or no rule sent it to REVIEW', 'review-unknown'),
      409: problem(
        'Another reviewer has resolved it, works on it or asked before, or nobody could pass',
        'review-resolved',
        'review-assigned',
        'challenge-not-possible',
      ),
    },
  }),
  listUserDevices: admin({
    method: 'POST',
    path: '/admin/v1/users/devices/list',
    permission: 'users.read',
    effect: 'read',
    tag: users,
    summary: 'List the devices of a user',
    description: 'Returns the devices that were confirmed for a user. It is a POST so that no URL contains a user id.',
    request: AccountDevicesRequest,
    answer: AccountDevices,
  }),
  updateUserDevice: admin({
    method: 'POST',
    path: '/admin/v1/users/devices/update',
    permission: 'users.write',
    tag: users,
    summary: 'Name or revoke a device of a user',
    description:
      'Changes the name of a device, or revokes it: it is unknown to the account until it is confirmed again.',
    request: UpdateAccountDeviceRequest,
    answer: TrustedDevice,
    refusals: { 404: problem('The user has no such device', 'account-device-unknown') },
  }),
  deleteUserDevices: admin({
    method: 'POST',
    path: '/admin/v1/users/devices/delete',
    permission: 'users.write',
    tag: users,
    summary: 'Delete devices of a user',
    description: 'Deletes one device of a user, or all, with what the account learned from them.',
    request: DeleteAccountDevicesRequest,
    answer: DeletedAccountDevices,
  }),
} as const
