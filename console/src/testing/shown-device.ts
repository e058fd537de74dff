// What does the service answer about a device in tests of its page? A browser that travels, with two accounts.

import type { AnswerOf } from '../api/call.ts'

export const deviceId = '567f4354-0c1b-4a56-8a4e-9d1c35f7a111'

const installation = '0b9f1c52-8d1e-4c39-9a57-2f60b1d9c001'
const chrome = { platform: 'WEB', browser: 'Chrome 141.0.7390.55', os: 'Windows 11' } as const
const pune = { city: 'Pune', country: 'IN', latitude: 18.52, longitude: 73.86, radiusKm: 20 }
const paris = { city: 'Paris', country: 'FR', latitude: 48.86, longitude: 2.35, radiusKm: 10 }

export const shownDevice: AnswerOf<'readDevice'> = {
  deviceId,
  state: {
    level: 'bad',
    text: 'In 30 days: 9 bad labels, 4 decisions not stopped.',
    badLabels: 9,
    passed: 4,
    refused: 0,
  },
  firstSeenAt: '2026-10-02T08:11:00.000Z',
  lastSeenAt: '2026-11-23T06:40:00.000Z',
  description: chrome,
  latest: {
    dfrId: '0d5f7b9b1c3e4a6f8a7b6c5d4e3f2a1b',
    at: '2026-11-23T06:40:00.000Z',
    action: 'BLOCK',
    rules: ['Hidden IP address and new account'],
    signals: ['vpn', 'timeZoneMismatch'],
    sessionRiskScore: 61,
    deviceRiskScore: 84.5,
    recognition: { by: 'key', confidence: 0.9996 },
  },
  installations: [
    {
      installationId: installation,
      hasKey: true,
      bySimilarity: false,
      stage: 'established',
      firstSeenAt: '2026-10-02T08:11:00.000Z',
      lastSeenAt: '2026-11-23T06:40:00.000Z',
    },
    {
      installationId: '1c2d3e4f-8d1e-4c39-9a57-2f60b1d9c002',
      hasKey: false,
      bySimilarity: true,
      confidence: 0.931,
      stage: 'new',
      firstSeenAt: '2026-11-20T21:02:00.000Z',
      lastSeenAt: '2026-11-20T21:09:00.000Z',
    },
  ],
  visitsRead: 3,
  places: [
    { ...paris, visits: 1, lastSeenAt: '2026-11-23T06:40:00.000Z' },
    { ...pune, visits: 14, lastSeenAt: '2026-11-20T21:09:00.000Z' },
  ],
  accounts: [
    {
      userId: 'u-1001',
      trusted: true,
      saidBy: 'backend',
      firstSeenAt: '2026-10-02T08:11:00.000Z',
      lastSeenAt: '2026-11-20T21:09:00.000Z',
    },
    {
      userId: 'u-7745',
      trusted: false,
      saidBy: 'page',
      firstSeenAt: '2026-11-23T06:40:00.000Z',
      lastSeenAt: '2026-11-23T06:40:00.000Z',
    },
  ],
  unknownAccounts: 1,
  numbers: [
    {
      phoneNumber: '917020141726',
      saidBy: 'backend',
      firstSeenAt: '2026-10-02T08:11:00.000Z',
      lastSeenAt: '2026-11-20T21:09:00.000Z',
    },
  ],
  unknownNumbers: 0,
  labels: [{ label: 'chargeback', knownAt: '2026-11-22T10:00:00.000Z', dfrId: '1'.repeat(32) }],
  velocities: [
    { name: 'cardsOfDevice', measure: 'distinct', path: 'params.card', per: 'device', within: '24h', value: 4 },
  ],
}

export const shownVisits: AnswerOf<'listDeviceVisits'> = {
  visits: [
    {
      at: '2026-11-23T06:40:00.000Z',
      dfrId: '0d5f7b9b1c3e4a6f8a7b6c5d4e3f2a1b',
      signals: ['vpn', 'timeZoneMismatch'],
      country: 'FR',
      isStored: true,
      installationId: installation,
      recognition: { by: 'key', confidence: 0.9996 },
      description: chrome,
      ipAddress: '203.0.113.7',
      network: 'Example Hosting',
      place: paris,
      userId: 'u-7745',
      sessionRiskScore: 61,
      deviceRiskScore: 84.5,
      action: 'BLOCK',
      rules: ['Hidden IP address and new account'],
      changes: [
        { kind: 'signal', what: 'vpn', after: 'fires' },
        { kind: 'network', what: 'ipAddress', before: '198.51.100.20', after: '203.0.113.7' },
        { kind: 'place', what: 'city', before: 'Pune', after: 'Paris' },
        { kind: 'person', what: 'userId', before: 'u-1001', after: 'u-7745' },
        { kind: 'device', what: 'language', before: 'en-IN', after: 'fr-FR' },
      ],
    },
    {
      at: '2026-11-20T21:09:00.000Z',
      dfrId: '1'.repeat(32),
      signals: [],
      country: 'IN',
      isStored: true,
      label: 'chargeback',
      recognition: { by: 'similarity', confidence: 0.874, token: 'copied' },
      description: chrome,
      ipAddress: '198.51.100.20',
      network: 'Example Broadband',
      place: pune,
      sessionRiskScore: 4,
      deviceRiskScore: 9,
      action: 'ALLOW',
      rules: [],
      changes: [],
    },
    { at: '2026-10-02T08:11:00.000Z', dfrId: '2'.repeat(32), signals: [], country: 'IN', isStored: false },
  ],
}
