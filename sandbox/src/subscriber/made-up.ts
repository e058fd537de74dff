// Who is the subscriber of a number that nobody has set? A plausible person, always the same one for the same number.

import { hash } from 'node:crypto'
import { countryOf } from '../phone-number.ts'
import { elsewhere, kana, people } from './people.ts'
import { fullAddress, fullName, type Particulars, type Subscriber } from './subscriber.ts'

/** Chosen so that 917020141726, the number of the documentation, is that of Asha Rao, born on 1991-04-30. */
const salt = 'sandbox 411900'

const dayMs = 86_400_000

/** `latestDeviceChange`: since when the number is in this phone. */
export function madeUpSubscriber(number: string, latestDeviceChange: string | null): Subscriber {
  const pick = picker(number)
  const country = countryOf(number)
  const { male, female, family, streets, city, postalCode, region, at } = people[country ?? ''] ?? elsewhere
  const gender = pick(['MALE', 'FEMALE'])
  const givenName = pick(gender === 'MALE' ? male : female)
  const familyName = pick(family)
  const birthdate = pick.date(1950, 2005)
  const person: Omit<Particulars, 'name' | 'address'> = {
    ...{ givenName, familyName, gender, birthdate },
    middleNames: null,
    familyNameAtBirth: gender === 'FEMALE' ? pick(family) : familyName,
    nameKanaHankaku: halfWidth(reading(familyName, givenName)),
    nameKanaZenkaku: reading(familyName, givenName),
    ...{ streetName: pick(streets), streetNumber: String(1 + pick.below(120)) },
    houseNumberExtension: pick([null, 'A', 'B']),
    ...{ postalCode, locality: city, region, country },
    ...{ cityOfBirth: city, countryOfBirth: country, nationality: country },
    ...{
      idDocument: `X${10_000_000 + pick.below(90_000_000)}`,
      idDocumentType: pick(['passport', 'national_id_card']),
    },
    idDocumentExpiryDate: pick.date(2028, 2036),
    bankAccountNumber: `SANDBOX:${10_000_000 + pick.below(90_000_000)}`,
    email: `subscriber.${number.slice(-6)}@example.com`,
  }
  const subscribedOn = pick.date(2012, 2017)
  const complete = { ...person, name: null, address: null }
  return {
    ...complete,
    ...{ name: fullName(complete), address: fullAddress(complete) },
    latestDeviceChange,
    place: { latitude: near(at[0], pick.below(1000)), longitude: near(at[1], pick.below(1000)), accuracy: 200 },
    roaming: null,
    connectivity: ['DATA', 'SMS'],
    ...{ subscribedOn, contractType: 'PAYM', recycledOn: subscribedOn },
  }
}

/** Within some 200 metres. */
const near = (degrees: number, random: number) => Number((degrees + (random - 500) / 250_000).toFixed(5))

/** Each call picks by other bytes of the number's hash. */
function picker(number: string) {
  let calls = 0
  const below = (limit: number) => {
    calls += 1
    return hash('sha256', `${salt} ${calls} ${number}`, 'buffer').readUInt32BE(0) % limit
  }
  const pick = <Item>(from: readonly Item[]): Item => from[below(from.length)]!
  return Object.assign(pick, {
    below,
    /** A date from one year to another. */
    date(from: number, until: number): string {
      const [first, last] = [Date.UTC(from, 0), Date.UTC(until, 0)]
      return new Date(first + below((last - first) / dayMs) * dayMs).toISOString().slice(0, 10)
    },
  })
}

/** In katakana; null: nobody has given it for this name. */
function reading(familyName: string, givenName: string): string | null {
  const [family, given] = [kana[familyName], kana[givenName]]
  return family && given ? `${family} ${given}` : null
}

const halfWidthOf = new Map(
  Array.from({ length: 0xff9d - 0xff66 + 1 }, (_, at) => String.fromCharCode(0xff66 + at)).map((half) => [
    half.normalize('NFKC'),
    half,
  ]),
)
  .set('\u3099', '\uff9e')
  .set('\u309a', '\uff9f')

const halfWidth = (text: string | null) =>
  text && [...text.normalize('NFD')].map((letter) => halfWidthOf.get(letter) ?? letter).join('')
