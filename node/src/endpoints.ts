// Generated from contract/src by scripts/generate-client-types.ts; change it there.

import type { Shape } from './shape.ts'
import type { Calls } from './types.ts'

export interface ClientEndpoint {
  readonly address: 'baseUrl' | 'authUrl'
  readonly path: string
  readonly fields: readonly string[]
  readonly answer: Shape
}

export const endpoints: Readonly<Record<keyof Calls, ClientEndpoint>> = {
  simSwapCheck: {
    address: 'baseUrl',
    path: '/v1/telecom/sim-swap-check',
    fields: ['phoneNumber', 'maxAge'],
    answer: { $ref: 'SimSwapResult' },
  },
  callForwardingCheck: {
    address: 'baseUrl',
    path: '/v1/telecom/call-forwarding-check',
    fields: ['phoneNumber'],
    answer: { $ref: 'CallForwardingResult' },
  },
  portability: {
    address: 'baseUrl',
    path: '/v1/telecom/portability',
    fields: ['phoneNumber'],
    answer: { $ref: 'PortabilityResult' },
  },
}

export const shapes: Readonly<Record<string, Shape>> = {
  SimSwapPhoneDetail: {
    type: 'object',
    properties: {
      operator: { type: 'string' },
      countryCode: { type: 'string' },
      country: { type: 'string' },
      type: { enum: ['MOBILE', 'LANDLINE'] },
      homeOperator: { type: 'string' },
      location: { type: 'string' },
      timeZones: { type: 'array', items: { type: 'string' } },
    },
  },
  InBodyError: {
    type: 'object',
    required: ['errorCode', 'message', 'description'],
    properties: { errorCode: { type: 'string' }, message: { type: 'string' }, description: { type: 'string' } },
  },
  SimSwapResult: {
    anyOf: [
      {
        type: 'object',
        required: ['success', 'swapped', 'phoneDetail'],
        properties: {
          success: { type: 'boolean', const: true },
          swapped: { type: 'boolean' },
          phoneDetail: { $ref: 'SimSwapPhoneDetail' },
        },
      },
      {
        type: 'object',
        required: ['success', 'error'],
        properties: {
          success: { type: 'boolean', const: false },
          error: { $ref: 'InBodyError' },
          phoneDetail: { $ref: 'SimSwapPhoneDetail' },
        },
      },
    ],
  },
  PhoneDetail: {
    type: 'object',
    properties: {
      operator: { type: 'string' },
      countryCode: { type: 'string' },
      country: { type: 'string' },
      type: { enum: ['MOBILE', 'LANDLINE'] },
      homeOperator: { type: 'string' },
      isPorted: { type: 'boolean' },
      location: { type: 'string' },
      timeZones: { type: 'array', items: { type: 'string' } },
    },
  },
  CallForwardingResult: {
    anyOf: [
      {
        type: 'object',
        required: ['success', 'callForwarding', 'callForwardingType', 'phoneDetail'],
        properties: {
          success: { type: 'boolean', const: true },
          callForwarding: { type: 'boolean' },
          callForwardingType: { enum: ['active', 'inactive'] },
          phoneDetail: { $ref: 'PhoneDetail' },
        },
      },
      {
        type: 'object',
        required: ['success', 'error'],
        properties: {
          success: { type: 'boolean', const: false },
          error: { $ref: 'InBodyError' },
          phoneDetail: { $ref: 'PhoneDetail' },
        },
      },
    ],
  },
  PortabilityPhoneDetail: {
    type: 'object',
    required: ['isPorted'],
    properties: {
      operator: { type: 'string' },
      countryCode: { type: 'string' },
      country: { type: 'string' },
      type: { enum: ['MOBILE', 'LANDLINE'] },
      homeOperator: { type: 'string' },
      isPorted: { type: 'boolean' },
      location: { type: 'string' },
      timeZones: { type: 'array', items: { type: 'string' } },
    },
  },
  PortabilityResult: {
    anyOf: [
      {
        type: 'object',
        required: ['success', 'phoneDetail'],
        properties: { success: { type: 'boolean', const: true }, phoneDetail: { $ref: 'PortabilityPhoneDetail' } },
      },
      {
        type: 'object',
        required: ['success', 'error'],
        properties: {
          success: { type: 'boolean', const: false },
          error: { $ref: 'InBodyError' },
          phoneDetail: { $ref: 'PhoneDetail' },
        },
      },
    ],
  },
}
