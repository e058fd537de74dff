// What does a test of tokens need? A login to issue tokens for, and a short call for each endpoint.

import { endpoints, type IssuedToken } from '@ringfence/contract'
import type { TestAnswer, TestService } from '../../testing/test-service.ts'
import { issue, type TokenContent } from './issue.ts'

export const identity = {
  identityType: 'MOBILE',
  identityValue: '917020141726',
  channel: 'OTP',
  methods: ['SMS'],
  verified: true,
  verifiedAt: '2026-03-01T11:59:58Z',
}
export const login = { userId: 'customer-4711', identities: [identity] }

export interface TokenCalls {
  issue(body?: object): Promise<string>
  /** A token with content that only SDKs collect, or without a login. */
  issueDirectly(content: Omit<TokenContent, 'tenantId'>): Promise<IssuedToken>
  validate(token: unknown, headers?: Readonly<Record<string, string>>): Promise<TestAnswer>
  secureInfo(token: unknown, headers?: Readonly<Record<string, string>>): Promise<TestAnswer>
  revoke(token: unknown, headers?: Readonly<Record<string, string>>): Promise<TestAnswer>
}

export function tokenCalls({ post, parts: needs, tenantId }: TestService): TokenCalls {
  return {
    issue: async (body = login) => (await post(endpoints.issueToken.path, body)).body.token,
    issueDirectly: (content) => issue({ tenantId, ...content }, needs),
    validate: (token, headers) => post(endpoints.validateToken.path, { token }, headers),
    secureInfo: (token, headers) => post(endpoints.secureInfo.path, { token }, headers),
    revoke: (token, headers) => post(endpoints.revokeToken.path, { token }, headers),
  }
}
