// Where do we not do what a scenario of CAMARA's expects, and why? Each of them was decided; anything else fails.

export interface Difference {
  readonly feature: RegExp
  readonly id: RegExp
  readonly why: string
}

export const differences: readonly Difference[] = [
  {
    feature: /^(call-forwarding|kyc-match)/,
    id: /400\.2_empty_request_body$/,
    why: 'An empty object is 400 `INVALID_ARGUMENT` here, and a body without number 422 `MISSING_IDENTIFIER` in the same file: 422',
  },
  {
    feature: /^call-forwarding/,
    id: /404\.1_call_forwarding_for_unknown/,
    why: 'Forwarding that the operator cannot say is 404 here, but `active` may be absent in a 200: 501 or 503, as the number is known',
  },
  {
    feature: /^device-(reachability|roaming)-status/,
    id: /C01\.02_device_identifiers_not_schema_compliant$/,
    why: 'The file misspells `networkAccessIdentifier`, and these versions ignore members that they do not know',
  },
  {
    feature: /^device-swap/,
    id: /check_device_swap_8_more_than_monitored_period$/,
    why: 'Without `maxAge` the window is 240 hours: "not swapped" from an operator that looks back less would be made up, so 400 `OUT_OF_RANGE`',
  },
  {
    feature: /^kyc-match/,
    id: /KYC_Match_5_success_specific_property_false$/,
    why: 'The file of 0.4.0 sends a value that matches and expects `false`; that of main is corrected, and passes',
  },
]
