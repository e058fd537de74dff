// What do CAMARA's feature files expect of Number Recycling 0.2, Tenure 0.2 and KYC Match 0.5? Restated, under their ids.

import { asking, ending, of, operation, ordinary, refused, type Scenario } from './scenario.ts'

const ids = { expired: '401.1', changed: '401.2', none: '401.3' }
const recycling = operation('checkNumberRecycling', '/number-recycling/v0.3/check', 'number-recycling:check', {
  ...{ more: { specifiedDate: '2020-01-01' }, ids: { ...ids, noBody: '400.2' } },
})
const tenure = operation('checkTenure', '/kyc-tenure/v0.2/check-tenure', 'kyc-tenure:check-tenure', {
  ...{ more: { tenureDate: '2020-01-01' }, ids: { ...ids, noBody: '400.1' } },
})
const match = operation('KYC_Match', '/kyc-match/v0.5/match', 'kyc-match:match', {
  ...{ more: { name: 'Asha Rao' }, ids: { ...ids, noBody: '400.1' } },
})

const wrong = { status: 400, code: 'INVALID_ARGUMENT' }
const outOfRange = { status: 400, code: 'OUT_OF_RANGE' }
const noDates = ['2020-13-01', '2020-1-1', '01-01-2020', '2020-01-01T00:00:00Z', 'yesterday', '', 20200101, null]

/** A valid value of each field of KYC Match. */
const particulars = {
  idDocument: '66666666q',
  idDocumentType: 'passport',
  idDocumentExpiryDate: '2099-12-31',
  name: 'Asha Rao',
  givenName: 'Asha',
  familyName: 'Rao',
  nameKanaHankaku: 'federica',
  nameKanaZenkaku: 'FEDERICA',
  middleNames: 'Devi',
  familyNameAtBirth: 'Iyer',
  address: 'Tokyo-to Chiyoda-ku Iidabashi 3-10-10',
  streetName: 'Nicolas Salmeron',
  streetNumber: '4',
  postalCode: '1028460',
  region: 'Tokyo',
  locality: 'ZZZZ',
  country: 'JP',
  houseNumberExtension: 'VI',
  birthdate: '1978-08-22',
  email: 'asha@example.com',
  gender: 'OTHER',
  cityOfBirth: 'Madrid',
  countryOfBirth: 'ES',
  nationality: 'ES',
}
export const subscriberScenarios: readonly Scenario[] = [
  of(recycling)('01', {
    ...{ says: 'the subscriber of then has it', body: asking(recycling), status: 200 },
    isRight: (found) => found.phoneNumberRecycled === false && Object.keys(found).length === 1,
  }),
  of(recycling)('02', {
    ...{ says: 'somebody else has it since', body: asking(recycling, ending('0162')), status: 200 },
    isRight: (found) => found.phoneNumberRecycled === true,
  }),
  ...noDates.map((specifiedDate) =>
    of(recycling)('400.01', {
      ...{ says: `specifiedDate is ${JSON.stringify(specifiedDate)}`, body: { phoneNumber: ordinary, specifiedDate } },
      ...wrong,
    }),
  ),
  of(recycling)('400.3', { says: 'an empty object', body: {}, ...wrong }),
  of(recycling)('400.4', {
    ...{ says: 'a date in the future', body: { phoneNumber: ordinary, specifiedDate: '2099-01-01' } },
    ...outOfRange,
  }),
  of(recycling)('400.5', { says: 'no date', body: { phoneNumber: ordinary }, ...wrong }),
  ...refused(recycling),

  of(tenure)('1', {
    ...{ says: 'subscribed before the date', body: asking(tenure), status: 200 },
    isRight: (found) => found.tenureDateCheck === true && found.contractType === 'PAYM',
  }),
  of(tenure)('2', {
    ...{ says: 'subscribed after the date', body: asking(tenure, ending('0163')), status: 200 },
    isRight: (found) => found.tenureDateCheck === false && found.contractType === 'PAYG',
  }),
  of(tenure)('400.2', { says: 'an empty object', body: {}, ...wrong }),
  of(tenure)('400.3', {
    ...{ says: 'a date in the future', body: { phoneNumber: ordinary, tenureDate: '2099-01-01' } },
    ...outOfRange,
  }),
  ...noDates.map((tenureDate) =>
    of(tenure)('400.4', {
      ...{ says: `tenureDate is ${JSON.stringify(tenureDate)}`, body: { phoneNumber: ordinary, tenureDate }, ...wrong },
    }),
  ),
  ...refused(tenure),

  of(match)('1', { says: 'a name', body: asking(match), status: 200, isRight: (found) => found.nameMatch === 'true' }),
  ...Object.entries(particulars).flatMap(([name, value]) => [
    of(match)('2_success_specific_property', {
      ...{ says: `${name} is compared`, body: { phoneNumber: ordinary, [name]: value }, status: 200 },
      isRight: (found) => Object.hasOwn(found, `${name}Match`),
    }),
  ]),
  ...[
    { birthdate: '22-08-1978' },
    { gender: 'X' },
    { country: 'JPN' },
    { idDocumentType: 'library_card' },
    { name: 7 },
    { name: null },
  ].map((field) =>
    of(match)('400.3', { says: JSON.stringify(field), body: { phoneNumber: ordinary, ...field }, ...wrong }),
  ),
  of(match)('10_invalid_param_combination', {
    ...{ says: 'nothing but the number', body: { phoneNumber: ordinary } },
    ...{ status: 400, code: 'KNOW_YOUR_CUSTOMER.INVALID_PARAM_COMBINATION' },
  }),
  ...refused(match),
]
