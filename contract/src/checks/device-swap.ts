// Has this number moved to another phone? An eSIM that was moved is this, not a SIM swap. (CAMARA device-swap 1.1)

import {
  type ChangeFacts,
  changeCalls,
  changeResponses,
  fillWindow,
  WindowOperator,
  WindowParams,
  windowAnswer,
  windowKey,
  windowRefusals,
} from './change-window.ts'
import { check } from './check.ts'

const changed = (changedHoursAgo: number): ChangeFacts => ({ changedHoursAgo })

export const deviceSwap = check({
  name: 'deviceSwap',
  title: 'device swap',
  summary: 'Has this number moved to another phone within the last maxAge hours?',
  Params: WindowParams,
  example: {},
  Answer: windowAnswer('the number moved to another phone'),
  Operator: WindowOperator,
  fill: fillWindow,
  keyOf: windowKey,
  isWarning: ({ swapped }) => swapped,
  reportsChange: true,
  camara: {
    api: 'device-swap',
    path: '/device-swap/v1',
    identifier: 'phoneNumber',
    refusals: windowRefusals,
    calls: changeCalls('device-swap', 'latestDeviceChange'),
  },
  sandbox: {
    ordinary: changed(20_000),
    scenarios: [
      {
        suffixes: ['0160'],
        name: 'device-changed-2-hours-ago',
        shows: 'The number moved to another phone two hours ago: an eSIM that somebody else installed.',
        facts: changed(2),
      },
      {
        suffixes: ['0161'],
        name: 'device-changed-300-hours-ago',
        shows: 'The number moved to another phone 300 hours ago: the default window of 240 does not find it.',
        facts: changed(300),
      },
    ],
    respond: changeResponses('latestDeviceChange'),
  },
})
