// Has this number's SIM been swapped? (specification 4.1; CAMARA sim-swap 2.1)

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

export const simSwap = check({
  name: 'simSwap',
  title: 'SIM swap',
  summary: "Has this number's SIM been swapped within the last maxAge hours?",
  Params: WindowParams,
  example: {},
  Answer: windowAnswer('the SIM was swapped'),
  Operator: WindowOperator,
  fill: fillWindow,
  keyOf: windowKey,
  isWarning: ({ swapped }) => swapped,
  reportsChange: true,
  camara: {
    api: 'sim-swap',
    identifier: 'phoneNumber',
    refusals: windowRefusals,
    calls: changeCalls('sim-swap', 'latestSimChange'),
  },
})
