// Can mobile numbers of this country be taken along to another operator?

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
 * Whether a mobile number of the country may be served by another operator than the one its range was allocated to.
 *
 * @param country ISO 3166-1 alpha-2. One that libphonenumber does not know is taken as not portable.
 */
export function isMobileNumberPortable(country: string): boolean {
  return portableTerritories.has(country)
}
