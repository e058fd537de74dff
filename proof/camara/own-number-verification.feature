Feature: Number Verification, with values that CAMARA's files leave open

  Scenario Outline: verify with <member> as <json>
    Given the resource "/number-verification/v2" as base url
    And the request body is set to "{}"
    And the request body property "$.<member>" is set to the JSON <json>
    When the request "phoneNumberVerify" is sent
    Then the response status code is 400
    And the response property "$.code" is "INVALID_ARGUMENT"
    And the response header "x-correlator" has same value as the request header "x-correlator"

    Examples:
      | member | json |
      | phoneNumber | "917020141726" |
      | phoneNumber | "+0" |
      | phoneNumber | "+91702014172612345" |
      | phoneNumber | 917020141726 |
      | phoneNumber | null |
      | hashedPhoneNumber | "x" |
      | hashedPhoneNumber | "f00d" |
      | additional_property | "foo_value" |

  Scenario Outline: <call> with <given>
    Given the resource "/number-verification/v2" as base url
    And <given>
    When the request "<call>" is sent
    Then the response status code is <status>
    And the response property "$.code" is "<code>"
    And the response property "$.message" contains a user friendly text

    Examples:
      | call | given | status | code |
      | phoneNumberVerify | the header "Authorization" is not sent | 401 | UNAUTHENTICATED |
      | phoneNumberVerify | the header "Authorization" is set to an invalid access token | 401 | UNAUTHENTICATED |
      | phoneNumberVerify | the header "Authorization" is set to an access token without the required scope | 403 | PERMISSION_DENIED |
      | phoneNumberVerify | the header "Authorization" is set to a token for which neither Network-based nor SIM-based authentication was used | 403 | NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK |
      | phoneNumberVerify | the phone number ends in 0174 | 403 | NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK |
      | phoneNumberShare | the header "Authorization" is not sent | 401 | UNAUTHENTICATED |
      | phoneNumberShare | the header "Authorization" is set to an access token without the required scope | 403 | PERMISSION_DENIED |
      | phoneNumberShare | the phone number ends in 0174 | 403 | NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK |
      | phoneNumberVerify | the header "Authorization" is set to an expired access token | 401 | UNAUTHENTICATED |

  Scenario Outline: the phone has the number, in clear and hashed
    Given the resource "/number-verification/v2" as base url
    And the body property "$.<member>" is set to <number>
    When the request "phoneNumberVerify" is sent
    Then the response status code is 200
    And the response property "$.devicePhoneNumberVerified" == <verified>

    Examples:
      | member | number | verified |
      | phoneNumber | the phone number identified by the access token | true |
      | phoneNumber | a valid phone number different from the one identified by the access token | false |
      | hashedPhoneNumber | the phone number identified by the access token, hashed in SHA-256 | true |
      | hashedPhoneNumber | a valid phone number different from the one identified by the access token | false |

  Scenario: the number of the phone
    Given the resource "/number-verification/v2" as base url
    When the request "phoneNumberShare" is sent
    Then the response status code is 200
    And the response property "$.devicePhoneNumber" is equal to the phone number associated with the access token
