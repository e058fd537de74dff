// Can a mobile number of this country be ported to another operator?

/**
 * The 107 of 254 territories with mobile number portability, from Google's libphonenumber 9.0.35, the attribute
 * mobileNumberPortableRegion of PhoneNumberMetadata.xml. libphonenumber-js leaves it out of its metadata.
 */
const portableTerritories = new Set(
  `AG AI AL AM AR AT AU AZ BA BB BE BG BH BJ BL BM BR BS BY CA CH CL CM CO CY CZ DE DK DM DO EC EE EG ES FI FR GB GD GE GF
  GH GI GP GR HK HR HU IE IL IN IR IS IT JM JO JP KE KN KR KW KY KZ LC LT LU LV MA MD MF MK MQ MS MT MX MY NG NL NO NZ OM PA
  PE PK PL PR PT PY QA RO RS RU SA SE SG SI SK SX TC TH TR TT TW US VA VC VG ZA`.split(/\s+/),
)

/**
 * Whether another operator than the one of its range may serve a mobile number of the country.
 *
 * @param country ISO 3166-1 alpha-2; false for a country that libphonenumber does not know
 */
export function isMobileNumberPortable(country: string): boolean {
  return portableTerritories.has(country)
}
