// Has this number moved to another phone? An eSIM that was moved is this, not a SIM swap. (CAMARA device-swap 1.1)

import {
  changeCalls,
  fillWindow,
  WindowOperator,
  WindowParams,
  windowAnswer,
  windowKey,
  windowRefusals,
} from './change-window.ts'
import { check } from './check.ts'

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
    identifier: 'phoneNumber',
    refusals: windowRefusals,
    calls: changeCalls('device-swap', 'latestDeviceChange'),
  },
})
