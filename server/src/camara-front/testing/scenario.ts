// What is a scenario of CAMARA's feature files, and which refusals do all operations have in common?

/** Which access token a request has. */
type Token = 'valid' | 'none' | 'expired' | 'changed' | 'of another API'

export interface Scenario {
  /** That of the feature file; several examples of an outline have the same one. */
  readonly id: string
  readonly says: string
  readonly path: string
  readonly scope: string
  readonly body: unknown
  readonly token?: Token
  readonly status: number
  /** `code` of an error. */
  readonly code?: string
  /** Whether the body of a 200 is right. */
  // biome-ignore lint/suspicious/noExplicitAny: a scenario reads the fields that it expects
  readonly isRight?: (body: any, nowMs: number) => boolean
}

/** Numbers of the sandbox by what they have: the last four digits choose. */
export const ordinary = '+917020141726'
export const ending = (suffix: string) => `+91702014${suffix}`

export interface Operation {
  readonly prefix: string
  readonly path: string
  readonly scope: string
  /** What a request needs beside the number. */
  readonly more?: object
  /** A request names the number as device.phoneNumber. */
  readonly ofDevice?: true
  /** How its feature file numbers what all of them have. */
  readonly ids?: Partial<typeof usualIds>
}

const usualIds = { none: '401.1', expired: '401.2', changed: '401.3', forbidden: '403.1', noBody: '400_no_body' }

export const operation = (prefix: string, path: string, scope: string, rest: Partial<Operation> = {}): Operation => ({
  ...rest,
  prefix,
  path,
  scope,
})

/** A request about this number. */
export const asking = ({ more, ofDevice }: Operation, phoneNumber: unknown = ordinary) => ({
  ...more,
  ...(ofDevice ? { device: { phoneNumber } } : { phoneNumber }),
})
type Expected = Pick<Scenario, 'says' | 'body' | 'status'> & Partial<Scenario>
export const of =
  ({ prefix, path, scope }: Operation) =>
  (id: string, expected: Expected): Scenario => ({ path, scope, ...expected, id: `${prefix}_${id}` })

/** What every operation refuses alike. */
export function refused(asked: Operation): Scenario[] {
  const one = of(asked)
  const body = asking(asked)
  const { more, ofDevice } = asked
  const ids = { ...usualIds, ...asked.ids }
  const family = ofDevice ? 'C01' : 'C02'
  const [malformed, unknown, missing, unsuited] = ofDevice ? ['02', '03', '05', '07'] : ['01', '02', '04', '05']
  const wrong = { status: 400, code: 'INVALID_ARGUMENT' }
  return [
    one(ids.none, { says: 'no Authorization header', body, token: 'none', status: 401, code: 'UNAUTHENTICATED' }),
    one(ids.expired, { says: 'an expired token', body, token: 'expired', status: 401, code: 'UNAUTHENTICATED' }),
    one(ids.changed, {
      says: 'a token that was changed',
      body,
      token: 'changed',
      status: 401,
      code: 'UNAUTHENTICATED',
    }),
    one(ids.forbidden, {
      ...{ says: 'a token of another API', body, token: 'of another API' },
      ...{ status: 403, code: 'PERMISSION_DENIED' },
    }),
    one(ids.noBody, { says: 'no body', body: '', ...wrong }),
    one('400_no_json', { says: 'a body that is not JSON', body: '{', ...wrong }),
    one('400_list', { says: 'a list as body', body: [], ...wrong }),
    ...['917020141726', '+0', '+91702014172612345', 'tel:+917020141726', 917020141726, null, {}].map((phoneNumber) =>
      one(`${family}.${malformed}`, {
        ...{ says: 'a number that does not fit the schema', body: asking(asked, phoneNumber), ...wrong },
      }),
    ),
    ...[
      ['+346661113334', 'a number that cannot be'],
      [ending('0142'), 'a number that its operator does not know'],
      [ending('0132'), 'a number of no operator'],
    ].map(([phoneNumber, says]) =>
      one(`${family}.${unknown}`, {
        ...{ says: says!, body: asking(asked, phoneNumber), status: 404, code: 'IDENTIFIER_NOT_FOUND' },
      }),
    ),
    one(`${family}.${missing}`, {
      ...{ says: 'no number, and none of the token', body: { ...more }, status: 422, code: 'MISSING_IDENTIFIER' },
    }),
    one(`${family}.${unsuited}`, {
      ...{ says: 'a number that the service is not for', body: asking(asked, ending('0141')) },
      ...{ status: 422, code: 'SERVICE_NOT_APPLICABLE' },
    }),
    ...(ofDevice ? deviceRefused(asked) : []),
  ]
}

/** What operations about devices refuse besides. */
function deviceRefused(asked: Operation): Scenario[] {
  const one = of(asked)
  const { more } = asked
  const wrong = { status: 400, code: 'INVALID_ARGUMENT' }
  return [
    one('C01.01', { says: 'an empty device', body: { ...more, device: {} }, ...wrong }),
    ...[
      { ipv4Address: '84.125.93.10' },
      { ipv4Address: { publicAddress: '84.125.93.10' } },
      { ipv4Address: { publicAddress: '84.125.93.256', publicPort: 59765 } },
      { ipv4Address: { publicAddress: '84.125.93.10', publicPort: 65_536 } },
      { ipv6Address: '84.125.93.10/24' },
      { networkAccessIdentifier: 123456789 },
    ].map((device) =>
      one('C01.02', { says: `the device ${JSON.stringify(device)}`, body: { ...more, device }, ...wrong }),
    ),
    ...[
      { ipv4Address: { publicAddress: '84.125.93.10', publicPort: 59765 } },
      { ipv6Address: '2001:db8:85a3:8d3:1319:8a2e:370:7344' },
      { networkAccessIdentifier: '123456789@domain.com' },
    ].map((device) =>
      one('C01.06', {
        ...{ says: `only ${Object.keys(device)}`, body: { ...more, device } },
        ...{ status: 422, code: 'UNSUPPORTED_IDENTIFIER' },
      }),
    ),
  ]
}
