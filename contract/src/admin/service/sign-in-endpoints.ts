// How does the console read how sign-in is set up and how it goes, and test a channel?

import { admin } from '../admin-endpoint.ts'
import { problem } from '../problem.ts'
import { NoFields } from '../session.ts'
import {
  OutboxMessages,
  SignInCounts,
  SignInCountsRequest,
  SignInSetUp,
  TestChannelRequest,
  TestedChannel,
} from './sign-in.ts'

const tag = 'Console set-up'

export const channelEndpoints = {
  readSignIn: admin({
    method: 'GET',
    path: '/admin/v1/sign-in-channels',
    permission: 'signins.read',
    tag,
    summary: 'Read how people sign in',
    description:
      'Returns the channels of the configuration file, the limits of messages, and how much of them is used.',
    request: NoFields,
    answer: SignInSetUp,
  }),
  countSignIns: admin({
    method: 'GET',
    path: '/admin/v1/sign-in-channels/counts',
    permission: 'signins.read',
    tag,
    summary: 'Count sign-ins and messages',
    description:
      'Returns how many sign-ins and messages had which outcome, by day and method. Reads a bounded number of events.',
    request: SignInCountsRequest,
    answer: SignInCounts,
  }),
  readOutbox: admin({
    method: 'GET',
    path: '/admin/v1/sign-in-channels/outbox',
    permission: 'signins.test',
    tag,
    summary: 'Read the development outbox',
    description:
      'Returns messages that an outbox channel shows in place of sending them, with their codes. Only in a sandbox: otherwise it would show staff how to sign in as somebody else.',
    request: NoFields,
    answer: OutboxMessages,
    refusals: { 404: problem('This service is no sandbox', 'outbox-closed') },
  }),
  testChannel: admin({
    method: 'POST',
    path: '/admin/v1/sign-in-channels/test',
    permission: 'signins.test',
    tag,
    summary: 'Test a channel',
    description: 'Sends a test message without a code to a phone number or email address. At most 20 an hour.',
    request: TestChannelRequest,
    answer: TestedChannel,
    refusals: {
      404: problem('There is no such channel, or it sends no messages', 'channel-not-found'),
      409: problem('There were 20 tests in this hour', 'limit-reached'),
    },
  }),
} as const
