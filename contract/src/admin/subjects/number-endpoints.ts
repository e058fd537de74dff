// How does the console read everything of a phone number, check it, and explain the way of a check?

import { admin } from '../admin-endpoint.ts'
import { ListedNumbers, ListNumbersRequest } from './entities.ts'
import { AdminCheckNumberRequest, AdminNumberRequest, CheckedNumber, ShownNumber, ShownRoute } from './numbers.ts'

const numbers = 'Console numbers'

export const numberEndpoints = {
  listNumbers: admin({
    method: 'POST',
    path: '/admin/v1/numbers/list',
    permission: 'numbers.read',
    effect: 'read',
    tag: numbers,
    summary: 'List phone numbers',
    description:
      'Returns phone numbers of the event log, a page at a time: when they were seen, decisions, labels and state. They are about half a minute behind.',
    request: ListNumbersRequest,
    answer: ListedNumbers,
  }),
  readNumber: admin({
    method: 'POST',
    path: '/admin/v1/numbers/read',
    permission: 'numbers.read',
    effect: 'read',
    tag: numbers,
    summary: 'Read a phone number',
    description:
      'Returns operator, stored answers of checks, users seen with the number, and what velocities count. It calls no operator. It is a POST so that no URL contains a phone number.',
    request: AdminNumberRequest,
    answer: ShownNumber,
  }),
  explainRoute: admin({
    method: 'POST',
    path: '/admin/v1/numbers/route',
    permission: 'numbers.read',
    effect: 'read',
    tag: numbers,
    summary: 'Explain the route of a check',
    description:
      'Says which source states which operator, which connectors a check would ask, in which order and why, and whether a circuit is open. It calls no operator; a remote source counts by its stored answer, and only the sandbox is called.',
    request: AdminNumberRequest,
    answer: ShownRoute,
  }),
  checkNumber: admin({
    method: 'POST',
    path: '/admin/v1/numbers/check',
    permission: 'numbers.check',
    tag: numbers,
    summary: 'Check a phone number now',
    description:
      'Makes a check as a backend does: an answer that may be reused is reused, else the operator is called, which may cost. A check without an answer has the result unknown. It is always recorded as an event.',
    request: AdminCheckNumberRequest,
    answer: CheckedNumber,
  }),
} as const
