// How does the console read its first page, and try what your backend will do?

import { admin } from '../admin-endpoint.ts'
import { FindRecordsRequest, FoundRecords } from './find.ts'
import { Overview, OverviewRequest } from './overview.ts'
import { Performance, PerformanceRequest } from './performance.ts'
import { FoundDecisions, SearchDecisionsRequest } from './search-decisions.ts'
import { TriedDecision, TryDecisionRequest } from './try-decision.ts'

export const monitorEndpoints = {
  findRecords: admin({
    method: 'POST',
    path: '/admin/v1/records/find',
    permission: 'decisions.read',
    effect: 'read',
    tag: 'Console records',
    summary: 'Find a record by your id',
    description:
      'Finds a device report and its decisions by dfrId, or a decision by your id of the transaction, if it was sent as Idempotency-Key. Nothing found is an empty answer.',
    request: FindRecordsRequest,
    answer: FoundRecords,
  }),
  readOverview: admin({
    method: 'GET',
    path: '/admin/v1/overview',
    permission: 'decisions.read',
    tag: 'Console records',
    summary: 'Read the overview',
    description:
      'Returns how many decisions, reasons, rules and sign-ins there were in a time range, how upstreams and data are, and what needs attention. Counts are about half a minute behind.',
    request: OverviewRequest,
    answer: Overview,
  }),
  readPerformance: admin({
    method: 'POST',
    path: '/admin/v1/performance',
    permission: 'decisions.read',
    effect: 'read',
    tag: 'Console records',
    summary: 'Read the performance',
    description:
      'Returns how decisions turned out in a period and in the one before: actions, challenges, labels, reviews, amounts, rules by false positives, and checks by operator. What follows a decision counts on its day. Counts are about half a minute behind.',
    request: PerformanceRequest,
    answer: Performance,
  }),
  searchDecisions: admin({
    method: 'POST',
    path: '/admin/v1/decisions/search',
    permission: 'decisions.read',
    effect: 'read',
    tag: 'Console records',
    summary: 'Search decisions',
    description:
      'Returns the decisions that a figure of rules or performance counts: by operation, app, country, rule, action and time; newest first, with their labels.',
    request: SearchDecisionsRequest,
    answer: FoundDecisions,
  }),
  tryDecision: admin({
    method: 'POST',
    path: '/admin/v1/decisions/try',
    permission: 'decisions.try',
    tag: 'Console records',
    summary: 'Try a decision',
    description:
      'Decides as POST /v1/decisions does, in the name of the person: it is stored and counted, and may call an operator, which may cost. Name at least one of userId, phoneNumber, email and dfrId.',
    request: TryDecisionRequest,
    answer: TriedDecision,
  }),
} as const
