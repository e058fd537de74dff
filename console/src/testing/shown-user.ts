// What does the service answer about a user and a number in tests of their pages?

import type { AnswerOf } from '../api/call.ts'

export const shownUser: AnswerOf<'readUser'> = {
  userId: 'u-1001',
  state: {
    level: 'bad',
    text: '41 proven sessions, 1 bad label. Apart from it, 2 attempts stopped in 30 days.',
    badLabels: 1,
    passed: 3,
    refused: 2,
  },
  identities: [{ type: 'MOBILE', value: '917020141726' }],
  personIds: ['6a1f0c1e-3b52-4d0a-9c0e-2f6d8b7a5e41'],
  numbers: [
    {
      phoneNumber: '917020141726',
      saidBy: 'backend',
      firstSeenAt: '2026-10-02T08:11:00.000Z',
      lastSeenAt: '2026-11-20T21:09:00.000Z',
    },
  ],
  labels: [{ label: 'chargeback', knownAt: '2026-11-22T10:00:00.000Z', dfrId: '1'.repeat(32) }],
  velocities: [
    { name: 'paymentsOfUser', measure: 'count', per: 'user', within: '24h', value: 3 },
    { name: 'spent', measure: 'sum', path: 'params.amount', per: 'user', within: '7d', value: 12450.5 },
  ],
  usual: {
    sessions: 41,
    firstAt: '2026-06-02T08:11:00.000Z',
    lastAt: '2026-11-20T21:09:00.000Z',
    sources: 2,
    isEnough: true,
    countries: [
      { value: 'IN', sessions: 39 },
      { value: 'AE', sessions: 2 },
    ],
    networks: [
      { value: '55836', sessions: 30 },
      { value: '9583', sessions: 11 },
    ],
    operators: [{ value: 'JIO', sessions: 40 }],
    hours: [
      { value: '14', sessions: 12 },
      { value: '15', sessions: 18 },
      { value: '16', sessions: 9 },
      { value: '3', sessions: 2 },
    ],
    numbers: 1,
  },
}

export const shownUserDevices: AnswerOf<'listUserDevices'> = {
  devices: [
    {
      deviceId: '567f4354-0c1b-4a56-8a4e-9d1c35f7a111',
      trusted: true,
      platform: 'WEB',
      browser: 'Chrome',
      os: 'Windows',
      firstSeenAt: '2026-10-02T08:11:00.000Z',
      lastSeenAt: '2026-11-20T21:09:00.000Z',
    },
    {
      deviceId: '2c9a4e1b-7d35-4f60-8b1a-0e6c5d4f3a2b',
      name: 'Old phone',
      trusted: false,
      platform: 'ANDROID',
      model: 'Pixel 8',
      firstSeenAt: '2026-06-02T08:11:00.000Z',
      lastSeenAt: '2026-09-20T21:09:00.000Z',
      revokedAt: '2026-09-21T08:00:00.000Z',
    },
  ],
}

export const phoneNumber = '917020141726'

export const shownNumber: AnswerOf<'readNumber'> = {
  phoneNumber,
  state: { level: 'watch', text: 'In 30 days: 1 decision stopped.', badLabels: 0, passed: 0, refused: 1 },
  phoneDetail: {
    operator: 'JIO',
    homeOperator: 'AIRTEL',
    isPorted: true,
    country: 'IN',
    countryCode: '91',
    type: 'MOBILE',
    location: 'India',
    timeZones: ['Asia/Kolkata'],
  },
  answers: [
    {
      check: 'simSwap',
      result: 'yes',
      maxAgeHours: 240,
      from: 'jio-camara',
      answeredAt: '2026-11-23T09:58:00.000Z',
      reusableSeconds: 480,
    },
    {
      check: 'portability',
      result: 'yes',
      from: 'trai',
      answeredAt: '2026-11-22T09:58:00.000Z',
      reusableSeconds: 0,
    },
  ],
  accounts: [
    {
      userId: 'u-1001',
      saidBy: 'backend',
      firstSeenAt: '2026-10-02T08:11:00.000Z',
      lastSeenAt: '2026-11-20T21:09:00.000Z',
    },
  ],
  unknownAccounts: 2,
  velocities: [
    { name: 'codes', measure: 'count', per: 'phoneNumber', within: '1h', value: 2, when: 'action == "LOGIN"' },
  ],
}

export const shownRoute: AnswerOf<'explainRoute'> = {
  phoneNumber,
  sources: [
    {
      name: 'trai',
      kind: 'local',
      sandbox: false,
      state: 'answered',
      operator: '405-840',
      homeOperator: '404-45',
      ported: true,
      datedAt: '2026-11-01T00:00:00.000Z',
    },
    { name: 'mnp-hub', kind: 'remote', sandbox: false, state: 'notCalled' },
  ],
  operator: 'JIO',
  homeOperator: 'AIRTEL',
  ported: true,
  asked: { operator: 'JIO', because: 'serves' },
  mayChangeBy: [],
  routes: [
    {
      connector: 'jio-camara',
      sandbox: false,
      by: 'operator',
      checks: ['simSwap', 'callForwarding'],
      isOpen: true,
      isPaused: false,
    },
    { connector: 'hub', sandbox: false, by: 'operator', checks: ['simSwap'], isOpen: false, isPaused: false },
  ],
  connector: {
    name: 'jio-camara',
    sandbox: false,
    checks: ['simSwap', 'callForwarding'],
    upstreams: [
      { service: 'sim-swap', circuit: 'closed', timeoutMs: 3000, concurrentCalls: 50, waitingCalls: 100 },
      { service: 'call-forwarding-signal', circuit: 'open', timeoutMs: 3000, concurrentCalls: 50, waitingCalls: 100 },
    ],
  },
}

export const checkEvents: AnswerOf<'searchEvents'> = {
  events: [
    {
      id: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e',
      type: 'telecom.check.completed',
      timestamp: '2026-11-23T09:58:00.000Z',
      outcome: 'yes',
      data: { check: 'simSwap', phoneNumber, result: 'yes', operator: 'JIO', by: 'Maya Rao' },
    },
  ],
}

export const userEvents: AnswerOf<'searchEvents'> = {
  events: [
    {
      id: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6f',
      type: 'decision.created',
      timestamp: '2026-11-23T09:58:00.000Z',
      outcome: 'CHALLENGE',
      data: {
        decisionId: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e',
        action: 'CHALLENGE',
        operation: 'PAYMENT',
        score: 62,
        reasons: ['SIM_SWAPPED', 'NEW_DEVICE'],
        rules: ['fresh-swap-payment'],
        userId: 'u-1001',
      },
    },
    {
      id: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d70',
      type: 'decision.challenge.passed',
      timestamp: '2026-11-22T09:58:00.000Z',
      data: { decisionId: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e', userId: 'u-1001' },
    },
  ],
}
