// Is this a valid phone number, and of which country and line type?

/** A valid number, as the whole of `telecom/` passes it on. */
export interface PhoneNumber {
  /** E.164 without the plus sign: country calling code and national number, e.g. "917020141726". */
  readonly digits: string
  /** "91" */
  readonly callingCode: string
  /** ISO 3166-1 alpha-2; absent for non-geographic codes such as +800 and +883. */
  readonly country?: string
  /** Line type of libphonenumber's metadata; absent when the metadata does not tell. */
  readonly type?: LineType
}

export type LineType =
  | 'MOBILE'
  | 'FIXED_LINE'
  | 'FIXED_LINE_OR_MOBILE'
  | 'TOLL_FREE'
  | 'PREMIUM_RATE'
  | 'SHARED_COST'
  | 'VOIP'
  | 'PERSONAL_NUMBER'
  | 'PAGER'
  | 'UAN'
  | 'VOICEMAIL'
