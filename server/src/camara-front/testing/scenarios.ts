// What do CAMARA's feature files expect of each API that we serve? SIM Swap 2.1, Device Swap 1.0 and Call Forwarding Signal 0.4 are here.

import { deviceScenarios } from './device-scenarios.ts'
import { ending, type Operation, of, operation, ordinary, refused, type Scenario } from './scenario.ts'
import { subscriberScenarios } from './subscriber-scenarios.ts'

const hourMs = 3_600_000
const simCheck = operation('check_sim_swap', '/sim-swap/v2/check', 'sim-swap:check')
const simDate = operation('retrieve_sim_swap_date', '/sim-swap/v2/retrieve-date', 'sim-swap:retrieve-date')
const deviceCheck = operation('check_device_swap', '/device-swap/v1/check', 'device-swap:check')
const deviceDate = operation('retrieve_device_swap_date', '/device-swap/v1/retrieve-date', 'device-swap:retrieve-date')
const unconditional = operation(
  'call_forwarding_signal_unconditional',
  '/call-forwarding-signal/v0.4/unconditional-call-forwardings',
  'call-forwarding-signal:unconditional-call-forwardings:read',
)
const kinds = operation(
  'call_forwarding_signal',
  '/call-forwarding-signal/v0.4/call-forwardings',
  'call-forwarding-signal:call-forwardings:read',
)

/** `recent`: swapped these hours ago; `old`: before the default window of 240 hours. */
function swapChecks(asked: Operation, recent: [suffix: string, hours: number], old: [suffix: string, hours: number]) {
  const one = of(asked)
  const swapped = (is: boolean) => (found: { swapped: unknown }) => found.swapped === is
  const about = (suffix: string, maxAge?: number) => ({ phoneNumber: ending(suffix), ...(maxAge && { maxAge }) })
  const wrong = { status: 400, code: 'INVALID_ARGUMENT' }
  const outOfRange = { status: 400, code: 'OUT_OF_RANGE' }
  return [
    one('1', {
      ...{ says: 'an ordinary number', body: { phoneNumber: ordinary }, status: 200 },
      isRight: (found) => typeof found.swapped === 'boolean' && Object.keys(found).join() === 'swapped',
    }),
    one('2', {
      ...{ says: 'swapped within the default window', body: about(recent[0]), status: 200, isRight: swapped(true) },
    }),
    ...[260, 120, 24, 12].map((hours) =>
      one('3', {
        says: `swapped within ${hours} hours`,
        ...{ body: about(recent[0], hours), status: 200, isRight: swapped(hours >= recent[1]) },
      }),
    ),
    one('4', {
      ...{ says: 'swapped before the default window', body: about(old[0]), status: 200, isRight: swapped(false) },
    }),
    one('5', {
      ...{ says: 'swapped one hour before the window', body: about(old[0], old[1] - 1), status: 200 },
      isRight: swapped(false),
    }),
    one('6', { says: 'never swapped', body: { phoneNumber: ordinary }, status: 200, isRight: swapped(false) }),
    ...[260, 120, 24, 12].map((hours) =>
      one('7', {
        says: `never swapped, and a window of ${hours - 1} hours`,
        ...{ body: { phoneNumber: ordinary, maxAge: hours - 1 }, status: 200, isRight: swapped(false) },
      }),
    ),
    ...['72', 12.5, null, true, [1]].map((maxAge) =>
      one('400.1', { says: `maxAge is ${JSON.stringify(maxAge)}`, body: { phoneNumber: ordinary, maxAge }, ...wrong }),
    ),
    ...[100_000, 2401, 0, -1].map((maxAge) =>
      one('400.2', { says: `maxAge is ${maxAge}`, body: { phoneNumber: ordinary, maxAge }, ...outOfRange }),
    ),
  ]
}

function swapDates(asked: Operation, field: string, recent: [suffix: string, hours: number]) {
  const one = of(asked)
  const hoursAgo = (found: Record<string, string>, nowMs: number) => (nowMs - Date.parse(found[field]!)) / hourMs
  return [
    one('1', {
      ...{ says: 'an ordinary number', body: { phoneNumber: ordinary }, status: 200 },
      isRight: (found, nowMs) => hoursAgo(found, nowMs) > 2400,
    }),
    one('2', {
      ...{ says: `swapped ${recent[1]} hours ago`, body: { phoneNumber: ending(recent[0]) }, status: 200 },
      isRight: (found, nowMs) => Math.abs(hoursAgo(found, nowMs) - recent[1]) <= 1,
    }),
  ]
}

export const scenarios: readonly Scenario[] = [
  ...swapChecks(simCheck, ['0111', 100], ['0112', 500]),
  of(simCheck)('400.3', {
    ...{ says: 'a window longer than the law allows', body: { phoneNumber: ending('0114'), maxAge: 169 } },
    ...{ status: 400, code: 'OUT_OF_RANGE' },
  }),
  ...refused(simCheck),
  ...swapDates(simDate, 'latestSimChange', ['0111', 100]),
  of(simDate)('5', {
    ...{ says: 'no change within what the operator may tell', body: { phoneNumber: ending('0113') }, status: 200 },
    isRight: (found) => found.latestSimChange === null && found.monitoredPeriod === 120,
  }),
  ...refused(simDate),
  ...swapChecks(deviceCheck, ['0160', 2], ['0161', 300]),
  ...refused(deviceCheck),
  ...swapDates(deviceDate, 'latestDeviceChange', ['0161', 300]),
  ...refused(deviceDate),
  ...(
    [
      ['01', 'not forwarded', ordinary, false],
      ['02', 'forwarded', ending('0120'), true],
      ['02', 'forwarded only when busy or unanswered', ending('0121'), false],
    ] as const
  ).map(([id, says, phoneNumber, active]) =>
    of(unconditional)(id, {
      ...{ says, body: { phoneNumber }, status: 200 },
      isRight: (found) => found.active === active,
    }),
  ),
  ...refused(unconditional),
  ...(
    [
      ['01', 'not forwarded', ordinary, ['inactive']],
      ['02', 'forwarded', ending('0120'), ['unconditional']],
      ['02', 'forwarded when busy or unanswered', ending('0121'), ['conditional_busy', 'conditional_no_answer']],
    ] as const
  ).map(([id, says, phoneNumber, found]) =>
    of(kinds)(id, {
      ...{ says, body: { phoneNumber }, status: 200 },
      isRight: (body) => JSON.stringify(body) === JSON.stringify(found),
    }),
  ),
  ...refused(kinds),
  ...subscriberScenarios,
  ...deviceScenarios,
]
