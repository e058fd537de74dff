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
  validateToken: {
    address: 'authUrl',
    path: '/auth/v1/validate/token',
    fields: ['token'],
    answer: { $ref: 'TokenVerification' },
  },
  secureInfo: {
    address: 'authUrl',
    path: '/auth/v1/secure-info',
    fields: ['token'],
    answer: { $ref: 'SecureInfoResult' },
  },
  issueToken: {
    address: 'authUrl',
    path: '/auth/v1/tokens',
    fields: ['userId', 'identities', 'requestId'],
    answer: { $ref: 'IssuedToken' },
  },
  revokeToken: {
    address: 'authUrl',
    path: '/auth/v1/tokens/revoke',
    fields: ['token'],
    answer: { $ref: 'RevokedToken' },
  },
  deviceFingerprint: {
    address: 'baseUrl',
    path: '/client/v1/device-fingerprint',
    fields: ['dfrId', 'deviceType'],
    answer: { $ref: 'DeviceReport' },
  },
  labelReports: { address: 'baseUrl', path: '/client/v1/labels', fields: ['labels'], answer: { $ref: 'LabelAnswer' } },
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
  Identity: {
    type: 'object',
    required: ['identityType', 'identityValue', 'channel', 'methods', 'verified'],
    properties: {
      identityType: { type: 'string' },
      identityValue: { type: 'string' },
      channel: { type: 'string' },
      methods: { type: 'array', items: { type: 'string' } },
      verified: { type: 'boolean' },
      verifiedAt: { type: 'string' },
    },
  },
  IpLocation: {
    type: 'object',
    properties: {
      accuracyRadius: { type: 'number' },
      city: { type: 'object', properties: { name: { type: 'string' } } },
      subdivisions: { type: 'object', properties: { code: { type: 'string' }, name: { type: 'string' } } },
      country: {
        type: 'object',
        required: ['code'],
        properties: { code: { type: 'string' }, name: { type: 'string' } },
      },
      continent: {
        type: 'object',
        required: ['code'],
        properties: { code: { enum: ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA'] } },
      },
      latitude: { type: 'number' },
      longitude: { type: 'number' },
      asn: {
        type: 'object',
        required: ['asn', 'network'],
        properties: { asn: { type: 'string' }, name: { type: 'string' }, network: { type: 'string' } },
      },
    },
  },
  Network: {
    type: 'object',
    required: ['ip', 'ipLocation'],
    properties: { ip: { type: 'string' }, timezone: { type: 'string' }, ipLocation: { $ref: 'IpLocation' } },
  },
  DeviceInfo: {
    type: 'object',
    properties: {
      userAgent: { type: 'string' },
      platform: { type: 'string' },
      vendor: { type: 'string' },
      browser: { type: 'string' },
      connection: { type: 'string' },
      language: { type: 'string' },
      cookieEnabled: { type: 'boolean' },
      screenWidth: { type: 'integer' },
      screenHeight: { type: 'integer' },
      screenColorDepth: { type: 'integer' },
      devicePixelRatio: { type: 'number' },
      timezoneOffset: { type: 'integer' },
      cpuArchitecture: { type: 'string' },
      fontFamily: { type: 'string' },
      deviceId: { type: 'string' },
      browserInfo: {
        type: 'object',
        properties: {
          browserName: { type: 'string' },
          os: { type: 'string' },
          osVersion: { type: 'string' },
          device: { type: 'string' },
        },
      },
    },
  },
  SecureInfo: {
    type: 'object',
    properties: {
      incognito: { type: 'boolean' },
      confidence: {
        type: 'object',
        required: ['score', 'revision'],
        properties: { score: { type: 'number' }, revision: { type: 'string' } },
      },
      bot: { type: 'object', required: ['result'], properties: { result: { enum: ['notDetected', 'good', 'bad'] } } },
      rootApps: { type: 'object', required: ['result'], properties: { result: { type: 'boolean' } } },
      emulator: { type: 'object', required: ['result'], properties: { result: { type: 'boolean' } } },
      jailbroken: { type: 'object', required: ['result'], properties: { result: { type: 'boolean' } } },
      clonedApp: { type: 'object', required: ['result'], properties: { result: { type: 'boolean' } } },
      frida: { type: 'object', required: ['result'], properties: { result: { type: 'boolean' } } },
      privacySettings: { type: 'object', required: ['result'], properties: { result: { type: 'boolean' } } },
      tampering: {
        type: 'object',
        required: ['result', 'anomalyScore'],
        properties: { result: { type: 'boolean' }, anomalyScore: { type: 'number' } },
      },
      factoryReset: {
        type: 'object',
        required: ['time', 'timestamp'],
        properties: { time: { type: 'string' }, timestamp: { type: 'integer' } },
      },
      suspectScore: { type: 'object', required: ['result'], properties: { result: { type: 'number' } } },
      vpn: {
        type: 'object',
        required: ['result', 'methods'],
        properties: {
          result: { type: 'boolean' },
          originCountry: { type: 'string' },
          methods: {
            type: 'object',
            properties: { timezoneMismatch: { type: 'boolean' }, publicVPN: { type: 'boolean' } },
          },
        },
      },
    },
  },
  TokenVerification: {
    type: 'object',
    required: ['token', 'status', 'userId', 'timestamp', 'identities'],
    properties: {
      token: { type: 'string' },
      status: { type: 'string', const: 'SUCCESS' },
      userId: { type: 'string' },
      timestamp: { type: 'string' },
      identities: { type: 'array', items: { $ref: 'Identity' } },
      network: { $ref: 'Network' },
      deviceInfo: { $ref: 'DeviceInfo' },
      secureInfo: { $ref: 'SecureInfo' },
    },
  },
  SecureInfoDetail: {
    type: 'object',
    properties: {
      incognito: { type: 'boolean' },
      confidence: {
        type: 'object',
        required: ['score', 'revision'],
        properties: { score: { type: 'number' }, revision: { type: 'string' } },
      },
      bot: { type: 'object', required: ['result'], properties: { result: { enum: ['notDetected', 'good', 'bad'] } } },
      rootApps: { type: 'object', required: ['result'], properties: { result: { type: 'boolean' } } },
      emulator: { type: 'object', required: ['result'], properties: { result: { type: 'boolean' } } },
      jailbroken: { type: 'object', required: ['result'], properties: { result: { type: 'boolean' } } },
      clonedApp: { type: 'object', required: ['result'], properties: { result: { type: 'boolean' } } },
      frida: { type: 'object', required: ['result'], properties: { result: { type: 'boolean' } } },
      privacySettings: { type: 'object', required: ['result'], properties: { result: { type: 'boolean' } } },
      tampering: {
        type: 'object',
        required: ['result', 'anomalyScore'],
        properties: { result: { type: 'boolean' }, anomalyScore: { type: 'number' } },
      },
      factoryReset: {
        type: 'object',
        required: ['time', 'timestamp'],
        properties: { time: { type: 'string' }, timestamp: { type: 'integer' } },
      },
      suspectScore: { type: 'object', required: ['result'], properties: { result: { type: 'number' } } },
      virtualMachine: { type: 'object', required: ['result'], properties: { result: { type: 'boolean' } } },
      locationSpoofing: { type: 'object', required: ['result'], properties: { result: { type: 'boolean' } } },
      developerTools: { type: 'object', required: ['result'], properties: { result: { type: 'boolean' } } },
      vpn: {
        type: 'object',
        required: ['result', 'methods'],
        properties: {
          result: { type: 'boolean' },
          originCountry: { type: 'string' },
          originTimezone: { type: 'string' },
          methods: {
            type: 'object',
            properties: {
              timezoneMismatch: { type: 'boolean' },
              publicVPN: { type: 'boolean' },
              auxiliaryMobile: { type: 'boolean' },
              osMismatch: { type: 'boolean' },
            },
          },
        },
      },
    },
  },
  DeviceInfoDetail: {
    type: 'object',
    properties: {
      userAgent: { type: 'string' },
      platform: { type: 'string' },
      vendor: { type: 'string' },
      browser: { type: 'string' },
      connection: { type: 'string' },
      language: { type: 'string' },
      cookieEnabled: { type: 'boolean' },
      screenWidth: { type: 'integer' },
      screenHeight: { type: 'integer' },
      screenColorDepth: { type: 'integer' },
      devicePixelRatio: { type: 'number' },
      timezoneOffset: { type: 'integer' },
      cpuArchitecture: { type: 'string' },
      fontFamily: { type: 'string' },
      deviceId: { type: 'string' },
      browserInfo: {
        type: 'object',
        properties: {
          browserName: { type: 'string' },
          os: { type: 'string' },
          osVersion: { type: 'string' },
          device: { type: 'string' },
          browserMajorVersion: { type: 'string' },
          browserFullVersion: { type: 'string' },
          userAgent: { type: 'string' },
        },
      },
    },
  },
  SecureInfoResult: {
    type: 'object',
    required: ['status'],
    properties: {
      status: { type: 'string', const: 'SUCCESS' },
      secure_info: { $ref: 'SecureInfoDetail' },
      network_info: { $ref: 'Network' },
      device_info: { $ref: 'DeviceInfoDetail' },
    },
  },
  IssuedToken: {
    type: 'object',
    required: ['token', 'expiresAt'],
    properties: { token: { type: 'string' }, expiresAt: { type: 'string' } },
  },
  RevokedToken: { type: 'object', required: ['status'], properties: { status: { type: 'string', const: 'SUCCESS' } } },
  RuleAction: {
    type: 'object',
    required: ['action', 'name', 'description', 'message'],
    properties: {
      action: { enum: ['ALLOW', 'WARN', 'BLOCK'] },
      name: { type: 'string' },
      description: { type: 'string' },
      message: { type: 'string' },
    },
  },
  AppliedRules: {
    type: 'object',
    required: ['rules', 'totalScore'],
    properties: { rules: { type: 'object', values: { type: 'number' } }, totalScore: { type: 'number' } },
  },
  DeviceReport: {
    type: 'object',
    required: [
      'requestId',
      'sessionId',
      'newDevice',
      'deviceId',
      'sessionRiskScore',
      'deviceRiskScore',
      'vpn',
      'proxy',
      'simulator',
      'jailbroken',
      'cloned',
      'geoSpoofed',
      'mirroredScreen',
      'hooking',
      'appTampering',
      'factoryReset',
      'factoryResetTime',
      'ip',
      'ipDetails',
      'gpsLocation',
      'deviceMeta',
      'ruleAction',
      'appliedRules',
      'additionalData',
    ],
    properties: {
      requestId: { type: 'string' },
      sessionId: { type: 'string' },
      newDevice: { type: 'boolean' },
      deviceId: { type: 'string' },
      sessionRiskScore: { type: 'number' },
      deviceRiskScore: { type: 'number' },
      vpn: { type: 'boolean' },
      proxy: { type: 'boolean' },
      simulator: { type: 'boolean' },
      jailbroken: { type: 'boolean' },
      cloned: { type: 'boolean' },
      geoSpoofed: { type: 'boolean' },
      mirroredScreen: { type: 'boolean' },
      hooking: { type: 'boolean' },
      appTampering: { type: 'boolean' },
      factoryReset: { type: 'boolean' },
      factoryResetTime: { type: 'integer' },
      ip: { type: 'string' },
      ipDetails: {
        type: 'object',
        properties: {
          city: { type: 'string' },
          region: { type: 'string' },
          country: { type: 'string' },
          isp: { type: 'string' },
          asn: { type: 'string' },
          fraudScore: { type: 'number' },
        },
      },
      gpsLocation: {
        type: 'object',
        properties: { latitude: { type: 'number' }, longitude: { type: 'number' }, altitude: { type: 'number' } },
      },
      deviceMeta: {
        type: 'object',
        properties: {
          brand: { type: 'string' },
          model: { type: 'string' },
          iOSVersion: { type: 'string' },
          cpuType: { type: 'string' },
          screenResolution: { type: 'string' },
          totalRAM: { type: 'string' },
          storageAvailable: { type: 'string' },
          storageTotal: { type: 'string' },
        },
      },
      ruleAction: { $ref: 'RuleAction' },
      appliedRules: { $ref: 'AppliedRules' },
      additionalData: { type: 'object', values: {} },
    },
  },
  LabelAnswer: {
    type: 'object',
    required: ['accepted', 'unknown'],
    properties: { accepted: { type: 'integer' }, unknown: { type: 'array', items: { type: 'string' } } },
  },
}
