Feature: What our CAMARA API and the sandbox refuse alike, with values that CAMARA's files leave open

  Scenario Outline: <path> without, with an expired, a changed or another token, without a body, and for numbers that are not served
    # One request for each line of the list below.
    Given the resource "<path>"
    And <given>
    When the request "call" is sent
    Then the response status code is <status>
    And the response property "$.status" is <status>
    And the response property "$.code" is "<code>"
    And the response property "$.message" contains a user friendly text
    And the response header "x-correlator" has same value as the request header "x-correlator"
    And the response header "Content-Type" is "application/json"

    Examples:
      | path | given | status | code |
      | /sim-swap/v2/check | the header "Authorization" is not sent | 401 | UNAUTHENTICATED |
      | /sim-swap/v2/check | the header "Authorization" is set to an expired access token | 401 | UNAUTHENTICATED |
      | /sim-swap/v2/check | the header "Authorization" is set to an invalid access token | 401 | UNAUTHENTICATED |
      | /sim-swap/v2/check | the header "Authorization" is set to an access token without the required scope | 403 | PERMISSION_DENIED |
      | /sim-swap/v2/check | the request body is not included | 400 | INVALID_ARGUMENT |
      | /sim-swap/v2/check | the request body is set to the text { | 400 | INVALID_ARGUMENT |
      | /sim-swap/v2/check | the request body is set to the text [] | 400 | INVALID_ARGUMENT |
      | /sim-swap/v2/check | the request body property "$.phoneNumber" is not included | 422 | MISSING_IDENTIFIER |
      | /sim-swap/v2/retrieve-date | the header "Authorization" is not sent | 401 | UNAUTHENTICATED |
      | /sim-swap/v2/retrieve-date | the header "Authorization" is set to an expired access token | 401 | UNAUTHENTICATED |
      | /sim-swap/v2/retrieve-date | the header "Authorization" is set to an invalid access token | 401 | UNAUTHENTICATED |
      | /sim-swap/v2/retrieve-date | the header "Authorization" is set to an access token without the required scope | 403 | PERMISSION_DENIED |
      | /sim-swap/v2/retrieve-date | the request body is not included | 400 | INVALID_ARGUMENT |
      | /sim-swap/v2/retrieve-date | the request body is set to the text { | 400 | INVALID_ARGUMENT |
      | /sim-swap/v2/retrieve-date | the request body is set to the text [] | 400 | INVALID_ARGUMENT |
      | /sim-swap/v2/retrieve-date | the request body property "$.phoneNumber" is not included | 422 | MISSING_IDENTIFIER |
      | /device-swap/v1/check | the header "Authorization" is not sent | 401 | UNAUTHENTICATED |
      | /device-swap/v1/check | the header "Authorization" is set to an expired access token | 401 | UNAUTHENTICATED |
      | /device-swap/v1/check | the header "Authorization" is set to an invalid access token | 401 | UNAUTHENTICATED |
      | /device-swap/v1/check | the header "Authorization" is set to an access token without the required scope | 403 | PERMISSION_DENIED |
      | /device-swap/v1/check | the request body is not included | 400 | INVALID_ARGUMENT |
      | /device-swap/v1/check | the request body is set to the text { | 400 | INVALID_ARGUMENT |
      | /device-swap/v1/check | the request body is set to the text [] | 400 | INVALID_ARGUMENT |
      | /device-swap/v1/check | the request body property "$.phoneNumber" is not included | 422 | MISSING_IDENTIFIER |
      | /device-swap/v1/retrieve-date | the header "Authorization" is not sent | 401 | UNAUTHENTICATED |
      | /device-swap/v1/retrieve-date | the header "Authorization" is set to an expired access token | 401 | UNAUTHENTICATED |
      | /device-swap/v1/retrieve-date | the header "Authorization" is set to an invalid access token | 401 | UNAUTHENTICATED |
      | /device-swap/v1/retrieve-date | the header "Authorization" is set to an access token without the required scope | 403 | PERMISSION_DENIED |
      | /device-swap/v1/retrieve-date | the request body is not included | 400 | INVALID_ARGUMENT |
      | /device-swap/v1/retrieve-date | the request body is set to the text { | 400 | INVALID_ARGUMENT |
      | /device-swap/v1/retrieve-date | the request body is set to the text [] | 400 | INVALID_ARGUMENT |
      | /device-swap/v1/retrieve-date | the request body property "$.phoneNumber" is not included | 422 | MISSING_IDENTIFIER |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | the header "Authorization" is not sent | 401 | UNAUTHENTICATED |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | the header "Authorization" is set to an expired access token | 401 | UNAUTHENTICATED |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | the header "Authorization" is set to an invalid access token | 401 | UNAUTHENTICATED |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | the header "Authorization" is set to an access token without the required scope | 403 | PERMISSION_DENIED |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | the request body is not included | 400 | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | the request body is set to the text { | 400 | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | the request body is set to the text [] | 400 | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | the request body property "$.phoneNumber" is not included | 422 | MISSING_IDENTIFIER |
      | /call-forwarding-signal/v0.4/call-forwardings | the header "Authorization" is not sent | 401 | UNAUTHENTICATED |
      | /call-forwarding-signal/v0.4/call-forwardings | the header "Authorization" is set to an expired access token | 401 | UNAUTHENTICATED |
      | /call-forwarding-signal/v0.4/call-forwardings | the header "Authorization" is set to an invalid access token | 401 | UNAUTHENTICATED |
      | /call-forwarding-signal/v0.4/call-forwardings | the header "Authorization" is set to an access token without the required scope | 403 | PERMISSION_DENIED |
      | /call-forwarding-signal/v0.4/call-forwardings | the request body is not included | 400 | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/call-forwardings | the request body is set to the text { | 400 | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/call-forwardings | the request body is set to the text [] | 400 | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/call-forwardings | the request body property "$.phoneNumber" is not included | 422 | MISSING_IDENTIFIER |
      | /number-recycling/v0.2/check | the header "Authorization" is not sent | 401 | UNAUTHENTICATED |
      | /number-recycling/v0.2/check | the header "Authorization" is set to an expired access token | 401 | UNAUTHENTICATED |
      | /number-recycling/v0.2/check | the header "Authorization" is set to an invalid access token | 401 | UNAUTHENTICATED |
      | /number-recycling/v0.2/check | the header "Authorization" is set to an access token without the required scope | 403 | PERMISSION_DENIED |
      | /number-recycling/v0.2/check | the request body is not included | 400 | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | the request body is set to the text { | 400 | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | the request body is set to the text [] | 400 | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | the request body property "$.phoneNumber" is not included | 422 | MISSING_IDENTIFIER |
      | /number-recycling/v0.3/check | the header "Authorization" is not sent | 401 | UNAUTHENTICATED |
      | /number-recycling/v0.3/check | the header "Authorization" is set to an expired access token | 401 | UNAUTHENTICATED |
      | /number-recycling/v0.3/check | the header "Authorization" is set to an invalid access token | 401 | UNAUTHENTICATED |
      | /number-recycling/v0.3/check | the header "Authorization" is set to an access token without the required scope | 403 | PERMISSION_DENIED |
      | /number-recycling/v0.3/check | the request body is not included | 400 | INVALID_ARGUMENT |
      | /number-recycling/v0.3/check | the request body is set to the text { | 400 | INVALID_ARGUMENT |
      | /number-recycling/v0.3/check | the request body is set to the text [] | 400 | INVALID_ARGUMENT |
      | /number-recycling/v0.3/check | the request body property "$.phoneNumber" is not included | 422 | MISSING_IDENTIFIER |
      | /kyc-tenure/v0.2/check-tenure | the header "Authorization" is not sent | 401 | UNAUTHENTICATED |
      | /kyc-tenure/v0.2/check-tenure | the header "Authorization" is set to an expired access token | 401 | UNAUTHENTICATED |
      | /kyc-tenure/v0.2/check-tenure | the header "Authorization" is set to an invalid access token | 401 | UNAUTHENTICATED |
      | /kyc-tenure/v0.2/check-tenure | the header "Authorization" is set to an access token without the required scope | 403 | PERMISSION_DENIED |
      | /kyc-tenure/v0.2/check-tenure | the request body is not included | 400 | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | the request body is set to the text { | 400 | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | the request body is set to the text [] | 400 | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | the request body property "$.phoneNumber" is not included | 422 | MISSING_IDENTIFIER |
      | /kyc-tenure/v0.3/check-tenure | the header "Authorization" is not sent | 401 | UNAUTHENTICATED |
      | /kyc-tenure/v0.3/check-tenure | the header "Authorization" is set to an expired access token | 401 | UNAUTHENTICATED |
      | /kyc-tenure/v0.3/check-tenure | the header "Authorization" is set to an invalid access token | 401 | UNAUTHENTICATED |
      | /kyc-tenure/v0.3/check-tenure | the header "Authorization" is set to an access token without the required scope | 403 | PERMISSION_DENIED |
      | /kyc-tenure/v0.3/check-tenure | the request body is not included | 400 | INVALID_ARGUMENT |
      | /kyc-tenure/v0.3/check-tenure | the request body is set to the text { | 400 | INVALID_ARGUMENT |
      | /kyc-tenure/v0.3/check-tenure | the request body is set to the text [] | 400 | INVALID_ARGUMENT |
      | /kyc-tenure/v0.3/check-tenure | the request body property "$.phoneNumber" is not included | 422 | MISSING_IDENTIFIER |
      | /kyc-match/v0.4/match | the header "Authorization" is not sent | 401 | UNAUTHENTICATED |
      | /kyc-match/v0.4/match | the header "Authorization" is set to an expired access token | 401 | UNAUTHENTICATED |
      | /kyc-match/v0.4/match | the header "Authorization" is set to an invalid access token | 401 | UNAUTHENTICATED |
      | /kyc-match/v0.4/match | the header "Authorization" is set to an access token without the required scope | 403 | PERMISSION_DENIED |
      | /kyc-match/v0.4/match | the request body is not included | 400 | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | the request body is set to the text { | 400 | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | the request body is set to the text [] | 400 | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | the request body property "$.phoneNumber" is not included | 422 | MISSING_IDENTIFIER |
      | /kyc-match/v0.5/match | the header "Authorization" is not sent | 401 | UNAUTHENTICATED |
      | /kyc-match/v0.5/match | the header "Authorization" is set to an expired access token | 401 | UNAUTHENTICATED |
      | /kyc-match/v0.5/match | the header "Authorization" is set to an invalid access token | 401 | UNAUTHENTICATED |
      | /kyc-match/v0.5/match | the header "Authorization" is set to an access token without the required scope | 403 | PERMISSION_DENIED |
      | /kyc-match/v0.5/match | the request body is not included | 400 | INVALID_ARGUMENT |
      | /kyc-match/v0.5/match | the request body is set to the text { | 400 | INVALID_ARGUMENT |
      | /kyc-match/v0.5/match | the request body is set to the text [] | 400 | INVALID_ARGUMENT |
      | /kyc-match/v0.5/match | the request body property "$.phoneNumber" is not included | 422 | MISSING_IDENTIFIER |
      | /location-verification/v3/verify | the header "Authorization" is not sent | 401 | UNAUTHENTICATED |
      | /location-verification/v3/verify | the header "Authorization" is set to an expired access token | 401 | UNAUTHENTICATED |
      | /location-verification/v3/verify | the header "Authorization" is set to an invalid access token | 401 | UNAUTHENTICATED |
      | /location-verification/v3/verify | the header "Authorization" is set to an access token without the required scope | 403 | PERMISSION_DENIED |
      | /location-verification/v3/verify | the request body is not included | 400 | INVALID_ARGUMENT |
      | /location-verification/v3/verify | the request body is set to the text { | 400 | INVALID_ARGUMENT |
      | /location-verification/v3/verify | the request body is set to the text [] | 400 | INVALID_ARGUMENT |
      | /location-verification/v3/verify | the request body property "$.device" is not included | 422 | MISSING_IDENTIFIER |
      | /device-roaming-status/v1/retrieve | the header "Authorization" is not sent | 401 | UNAUTHENTICATED |
      | /device-roaming-status/v1/retrieve | the header "Authorization" is set to an expired access token | 401 | UNAUTHENTICATED |
      | /device-roaming-status/v1/retrieve | the header "Authorization" is set to an invalid access token | 401 | UNAUTHENTICATED |
      | /device-roaming-status/v1/retrieve | the header "Authorization" is set to an access token without the required scope | 403 | PERMISSION_DENIED |
      | /device-roaming-status/v1/retrieve | the request body is not included | 400 | INVALID_ARGUMENT |
      | /device-roaming-status/v1/retrieve | the request body is set to the text { | 400 | INVALID_ARGUMENT |
      | /device-roaming-status/v1/retrieve | the request body is set to the text [] | 400 | INVALID_ARGUMENT |
      | /device-roaming-status/v1/retrieve | the request body property "$.device" is not included | 422 | MISSING_IDENTIFIER |
      | /device-reachability-status/v1/retrieve | the header "Authorization" is not sent | 401 | UNAUTHENTICATED |
      | /device-reachability-status/v1/retrieve | the header "Authorization" is set to an expired access token | 401 | UNAUTHENTICATED |
      | /device-reachability-status/v1/retrieve | the header "Authorization" is set to an invalid access token | 401 | UNAUTHENTICATED |
      | /device-reachability-status/v1/retrieve | the header "Authorization" is set to an access token without the required scope | 403 | PERMISSION_DENIED |
      | /device-reachability-status/v1/retrieve | the request body is not included | 400 | INVALID_ARGUMENT |
      | /device-reachability-status/v1/retrieve | the request body is set to the text { | 400 | INVALID_ARGUMENT |
      | /device-reachability-status/v1/retrieve | the request body is set to the text [] | 400 | INVALID_ARGUMENT |
      | /device-reachability-status/v1/retrieve | the request body property "$.device" is not included | 422 | MISSING_IDENTIFIER |

  Scenario Outline: <path> for a number of the sandbox's own scenario
    Given the resource "<path>"
    And the phone number ends in <ending>
    When the request "call" is sent
    Then the response status code is <status>
    And the response property "$.code" is "<code>"

    Examples:
      | path | ending | status | code |
      | /sim-swap/v2/check | 0132 | 404 | IDENTIFIER_NOT_FOUND |
      | /sim-swap/v2/check | 0142 | 404 | IDENTIFIER_NOT_FOUND |
      | /sim-swap/v2/check | 0141 | 422 | SERVICE_NOT_APPLICABLE |
      | /sim-swap/v2/check | 0151 | 503 | UNAVAILABLE |
      | /sim-swap/v2/retrieve-date | 0132 | 404 | IDENTIFIER_NOT_FOUND |
      | /sim-swap/v2/retrieve-date | 0142 | 404 | IDENTIFIER_NOT_FOUND |
      | /sim-swap/v2/retrieve-date | 0141 | 422 | SERVICE_NOT_APPLICABLE |
      | /sim-swap/v2/retrieve-date | 0151 | 503 | UNAVAILABLE |
      | /device-swap/v1/check | 0132 | 404 | IDENTIFIER_NOT_FOUND |
      | /device-swap/v1/check | 0142 | 404 | IDENTIFIER_NOT_FOUND |
      | /device-swap/v1/check | 0141 | 422 | SERVICE_NOT_APPLICABLE |
      | /device-swap/v1/check | 0151 | 503 | UNAVAILABLE |
      | /device-swap/v1/retrieve-date | 0132 | 404 | IDENTIFIER_NOT_FOUND |
      | /device-swap/v1/retrieve-date | 0142 | 404 | IDENTIFIER_NOT_FOUND |
      | /device-swap/v1/retrieve-date | 0141 | 422 | SERVICE_NOT_APPLICABLE |
      | /device-swap/v1/retrieve-date | 0151 | 503 | UNAVAILABLE |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | 0132 | 404 | IDENTIFIER_NOT_FOUND |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | 0142 | 404 | IDENTIFIER_NOT_FOUND |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | 0141 | 422 | SERVICE_NOT_APPLICABLE |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | 0151 | 503 | UNAVAILABLE |
      | /call-forwarding-signal/v0.4/call-forwardings | 0132 | 404 | IDENTIFIER_NOT_FOUND |
      | /call-forwarding-signal/v0.4/call-forwardings | 0142 | 404 | IDENTIFIER_NOT_FOUND |
      | /call-forwarding-signal/v0.4/call-forwardings | 0141 | 422 | SERVICE_NOT_APPLICABLE |
      | /call-forwarding-signal/v0.4/call-forwardings | 0151 | 503 | UNAVAILABLE |
      | /number-recycling/v0.2/check | 0132 | 404 | IDENTIFIER_NOT_FOUND |
      | /number-recycling/v0.2/check | 0142 | 404 | IDENTIFIER_NOT_FOUND |
      | /number-recycling/v0.2/check | 0141 | 422 | SERVICE_NOT_APPLICABLE |
      | /number-recycling/v0.2/check | 0151 | 503 | UNAVAILABLE |
      | /number-recycling/v0.3/check | 0132 | 404 | IDENTIFIER_NOT_FOUND |
      | /number-recycling/v0.3/check | 0142 | 404 | IDENTIFIER_NOT_FOUND |
      | /number-recycling/v0.3/check | 0141 | 422 | SERVICE_NOT_APPLICABLE |
      | /number-recycling/v0.3/check | 0151 | 503 | UNAVAILABLE |
      | /kyc-tenure/v0.2/check-tenure | 0132 | 404 | IDENTIFIER_NOT_FOUND |
      | /kyc-tenure/v0.2/check-tenure | 0142 | 404 | IDENTIFIER_NOT_FOUND |
      | /kyc-tenure/v0.2/check-tenure | 0141 | 422 | SERVICE_NOT_APPLICABLE |
      | /kyc-tenure/v0.2/check-tenure | 0151 | 503 | UNAVAILABLE |
      | /kyc-tenure/v0.3/check-tenure | 0132 | 404 | IDENTIFIER_NOT_FOUND |
      | /kyc-tenure/v0.3/check-tenure | 0142 | 404 | IDENTIFIER_NOT_FOUND |
      | /kyc-tenure/v0.3/check-tenure | 0141 | 422 | SERVICE_NOT_APPLICABLE |
      | /kyc-tenure/v0.3/check-tenure | 0151 | 503 | UNAVAILABLE |
      | /kyc-match/v0.4/match | 0132 | 404 | IDENTIFIER_NOT_FOUND |
      | /kyc-match/v0.4/match | 0142 | 404 | IDENTIFIER_NOT_FOUND |
      | /kyc-match/v0.4/match | 0141 | 422 | SERVICE_NOT_APPLICABLE |
      | /kyc-match/v0.4/match | 0151 | 503 | UNAVAILABLE |
      | /kyc-match/v0.5/match | 0132 | 404 | IDENTIFIER_NOT_FOUND |
      | /kyc-match/v0.5/match | 0142 | 404 | IDENTIFIER_NOT_FOUND |
      | /kyc-match/v0.5/match | 0141 | 422 | SERVICE_NOT_APPLICABLE |
      | /kyc-match/v0.5/match | 0151 | 503 | UNAVAILABLE |
      | /location-verification/v3/verify | 0132 | 404 | IDENTIFIER_NOT_FOUND |
      | /location-verification/v3/verify | 0142 | 404 | IDENTIFIER_NOT_FOUND |
      | /location-verification/v3/verify | 0141 | 422 | SERVICE_NOT_APPLICABLE |
      | /location-verification/v3/verify | 0151 | 503 | UNAVAILABLE |
      | /device-roaming-status/v1/retrieve | 0132 | 404 | IDENTIFIER_NOT_FOUND |
      | /device-roaming-status/v1/retrieve | 0142 | 404 | IDENTIFIER_NOT_FOUND |
      | /device-roaming-status/v1/retrieve | 0141 | 422 | SERVICE_NOT_APPLICABLE |
      | /device-roaming-status/v1/retrieve | 0151 | 503 | UNAVAILABLE |
      | /device-reachability-status/v1/retrieve | 0132 | 404 | IDENTIFIER_NOT_FOUND |
      | /device-reachability-status/v1/retrieve | 0142 | 404 | IDENTIFIER_NOT_FOUND |
      | /device-reachability-status/v1/retrieve | 0141 | 422 | SERVICE_NOT_APPLICABLE |
      | /device-reachability-status/v1/retrieve | 0151 | 503 | UNAVAILABLE |

  Scenario Outline: <path> with <member> as <json>
    Given the resource "<path>"
    And the request body property "$.<member>" is set to the JSON <json>
    When the request "call" is sent
    Then the response status code is 400
    And the response property "$.code" is "<code>"
    And the response property "$.message" contains a user friendly text

    Examples:
      | path | member | json | code |
      | /sim-swap/v2/check | phoneNumber | "917020141726" | INVALID_ARGUMENT |
      | /sim-swap/v2/check | phoneNumber | "+0" | INVALID_ARGUMENT |
      | /sim-swap/v2/check | phoneNumber | "+91702014172612345" | INVALID_ARGUMENT |
      | /sim-swap/v2/check | phoneNumber | "tel:+917020141726" | INVALID_ARGUMENT |
      | /sim-swap/v2/check | phoneNumber | 917020141726 | INVALID_ARGUMENT |
      | /sim-swap/v2/check | phoneNumber | null | INVALID_ARGUMENT |
      | /sim-swap/v2/check | phoneNumber | {} | INVALID_ARGUMENT |
      | /sim-swap/v2/retrieve-date | phoneNumber | "917020141726" | INVALID_ARGUMENT |
      | /sim-swap/v2/retrieve-date | phoneNumber | "+0" | INVALID_ARGUMENT |
      | /sim-swap/v2/retrieve-date | phoneNumber | "+91702014172612345" | INVALID_ARGUMENT |
      | /sim-swap/v2/retrieve-date | phoneNumber | "tel:+917020141726" | INVALID_ARGUMENT |
      | /sim-swap/v2/retrieve-date | phoneNumber | 917020141726 | INVALID_ARGUMENT |
      | /sim-swap/v2/retrieve-date | phoneNumber | null | INVALID_ARGUMENT |
      | /sim-swap/v2/retrieve-date | phoneNumber | {} | INVALID_ARGUMENT |
      | /device-swap/v1/check | phoneNumber | "917020141726" | INVALID_ARGUMENT |
      | /device-swap/v1/check | phoneNumber | "+0" | INVALID_ARGUMENT |
      | /device-swap/v1/check | phoneNumber | "+91702014172612345" | INVALID_ARGUMENT |
      | /device-swap/v1/check | phoneNumber | "tel:+917020141726" | INVALID_ARGUMENT |
      | /device-swap/v1/check | phoneNumber | 917020141726 | INVALID_ARGUMENT |
      | /device-swap/v1/check | phoneNumber | null | INVALID_ARGUMENT |
      | /device-swap/v1/check | phoneNumber | {} | INVALID_ARGUMENT |
      | /device-swap/v1/retrieve-date | phoneNumber | "917020141726" | INVALID_ARGUMENT |
      | /device-swap/v1/retrieve-date | phoneNumber | "+0" | INVALID_ARGUMENT |
      | /device-swap/v1/retrieve-date | phoneNumber | "+91702014172612345" | INVALID_ARGUMENT |
      | /device-swap/v1/retrieve-date | phoneNumber | "tel:+917020141726" | INVALID_ARGUMENT |
      | /device-swap/v1/retrieve-date | phoneNumber | 917020141726 | INVALID_ARGUMENT |
      | /device-swap/v1/retrieve-date | phoneNumber | null | INVALID_ARGUMENT |
      | /device-swap/v1/retrieve-date | phoneNumber | {} | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | phoneNumber | "917020141726" | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | phoneNumber | "+0" | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | phoneNumber | "+91702014172612345" | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | phoneNumber | "tel:+917020141726" | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | phoneNumber | 917020141726 | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | phoneNumber | null | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/unconditional-call-forwardings | phoneNumber | {} | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/call-forwardings | phoneNumber | "917020141726" | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/call-forwardings | phoneNumber | "+0" | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/call-forwardings | phoneNumber | "+91702014172612345" | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/call-forwardings | phoneNumber | "tel:+917020141726" | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/call-forwardings | phoneNumber | 917020141726 | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/call-forwardings | phoneNumber | null | INVALID_ARGUMENT |
      | /call-forwarding-signal/v0.4/call-forwardings | phoneNumber | {} | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | phoneNumber | "917020141726" | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | phoneNumber | "+0" | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | phoneNumber | "+91702014172612345" | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | phoneNumber | "tel:+917020141726" | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | phoneNumber | 917020141726 | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | phoneNumber | null | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | phoneNumber | {} | INVALID_ARGUMENT |
      | /number-recycling/v0.3/check | phoneNumber | "917020141726" | INVALID_ARGUMENT |
      | /number-recycling/v0.3/check | phoneNumber | "+0" | INVALID_ARGUMENT |
      | /number-recycling/v0.3/check | phoneNumber | "+91702014172612345" | INVALID_ARGUMENT |
      | /number-recycling/v0.3/check | phoneNumber | "tel:+917020141726" | INVALID_ARGUMENT |
      | /number-recycling/v0.3/check | phoneNumber | 917020141726 | INVALID_ARGUMENT |
      | /number-recycling/v0.3/check | phoneNumber | null | INVALID_ARGUMENT |
      | /number-recycling/v0.3/check | phoneNumber | {} | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | phoneNumber | "917020141726" | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | phoneNumber | "+0" | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | phoneNumber | "+91702014172612345" | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | phoneNumber | "tel:+917020141726" | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | phoneNumber | 917020141726 | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | phoneNumber | null | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | phoneNumber | {} | INVALID_ARGUMENT |
      | /kyc-tenure/v0.3/check-tenure | phoneNumber | "917020141726" | INVALID_ARGUMENT |
      | /kyc-tenure/v0.3/check-tenure | phoneNumber | "+0" | INVALID_ARGUMENT |
      | /kyc-tenure/v0.3/check-tenure | phoneNumber | "+91702014172612345" | INVALID_ARGUMENT |
      | /kyc-tenure/v0.3/check-tenure | phoneNumber | "tel:+917020141726" | INVALID_ARGUMENT |
      | /kyc-tenure/v0.3/check-tenure | phoneNumber | 917020141726 | INVALID_ARGUMENT |
      | /kyc-tenure/v0.3/check-tenure | phoneNumber | null | INVALID_ARGUMENT |
      | /kyc-tenure/v0.3/check-tenure | phoneNumber | {} | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | phoneNumber | "917020141726" | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | phoneNumber | "+0" | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | phoneNumber | "+91702014172612345" | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | phoneNumber | "tel:+917020141726" | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | phoneNumber | 917020141726 | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | phoneNumber | null | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | phoneNumber | {} | INVALID_ARGUMENT |
      | /kyc-match/v0.5/match | phoneNumber | "917020141726" | INVALID_ARGUMENT |
      | /kyc-match/v0.5/match | phoneNumber | "+0" | INVALID_ARGUMENT |
      | /kyc-match/v0.5/match | phoneNumber | "+91702014172612345" | INVALID_ARGUMENT |
      | /kyc-match/v0.5/match | phoneNumber | "tel:+917020141726" | INVALID_ARGUMENT |
      | /kyc-match/v0.5/match | phoneNumber | 917020141726 | INVALID_ARGUMENT |
      | /kyc-match/v0.5/match | phoneNumber | null | INVALID_ARGUMENT |
      | /kyc-match/v0.5/match | phoneNumber | {} | INVALID_ARGUMENT |
      | /location-verification/v3/verify | device.phoneNumber | "917020141726" | INVALID_ARGUMENT |
      | /location-verification/v3/verify | device.phoneNumber | "+0" | INVALID_ARGUMENT |
      | /location-verification/v3/verify | device.phoneNumber | "+91702014172612345" | INVALID_ARGUMENT |
      | /location-verification/v3/verify | device.phoneNumber | "tel:+917020141726" | INVALID_ARGUMENT |
      | /location-verification/v3/verify | device.phoneNumber | 917020141726 | INVALID_ARGUMENT |
      | /location-verification/v3/verify | device.phoneNumber | null | INVALID_ARGUMENT |
      | /location-verification/v3/verify | device.phoneNumber | {} | INVALID_ARGUMENT |
      | /device-roaming-status/v1/retrieve | device.phoneNumber | "917020141726" | INVALID_ARGUMENT |
      | /device-roaming-status/v1/retrieve | device.phoneNumber | "+0" | INVALID_ARGUMENT |
      | /device-roaming-status/v1/retrieve | device.phoneNumber | "+91702014172612345" | INVALID_ARGUMENT |
      | /device-roaming-status/v1/retrieve | device.phoneNumber | "tel:+917020141726" | INVALID_ARGUMENT |
      | /device-roaming-status/v1/retrieve | device.phoneNumber | 917020141726 | INVALID_ARGUMENT |
      | /device-roaming-status/v1/retrieve | device.phoneNumber | null | INVALID_ARGUMENT |
      | /device-roaming-status/v1/retrieve | device.phoneNumber | {} | INVALID_ARGUMENT |
      | /device-reachability-status/v1/retrieve | device.phoneNumber | "917020141726" | INVALID_ARGUMENT |
      | /device-reachability-status/v1/retrieve | device.phoneNumber | "+0" | INVALID_ARGUMENT |
      | /device-reachability-status/v1/retrieve | device.phoneNumber | "+91702014172612345" | INVALID_ARGUMENT |
      | /device-reachability-status/v1/retrieve | device.phoneNumber | "tel:+917020141726" | INVALID_ARGUMENT |
      | /device-reachability-status/v1/retrieve | device.phoneNumber | 917020141726 | INVALID_ARGUMENT |
      | /device-reachability-status/v1/retrieve | device.phoneNumber | null | INVALID_ARGUMENT |
      | /device-reachability-status/v1/retrieve | device.phoneNumber | {} | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | specifiedDate | "2020-13-01" | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | specifiedDate | "2020-02-30" | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | specifiedDate | "2020-1-1" | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | specifiedDate | "01-01-2020" | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | specifiedDate | "2020-01-01T00:00:00Z" | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | specifiedDate | "yesterday" | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | specifiedDate | "" | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | specifiedDate | 20200101 | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | specifiedDate | null | INVALID_ARGUMENT |
      | /number-recycling/v0.2/check | specifiedDate | "2099-01-01" | OUT_OF_RANGE |
      | /kyc-tenure/v0.2/check-tenure | tenureDate | "2020-13-01" | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | tenureDate | "2020-02-30" | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | tenureDate | "2020-1-1" | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | tenureDate | "01-01-2020" | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | tenureDate | "2020-01-01T00:00:00Z" | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | tenureDate | "yesterday" | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | tenureDate | "" | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | tenureDate | 20200101 | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | tenureDate | null | INVALID_ARGUMENT |
      | /kyc-tenure/v0.2/check-tenure | tenureDate | "2099-01-01" | OUT_OF_RANGE |
      | /kyc-match/v0.4/match | birthdate | "22-08-1978" | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | birthdate | "2023-02-29" | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | birthdate | "2999-01-01" | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | gender | "X" | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | country | "JPN" | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | idDocumentType | "library_card" | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | name | 7 | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | name | null | INVALID_ARGUMENT |
      | /kyc-match/v0.4/match | name | "" | INVALID_ARGUMENT |
      | /sim-swap/v2/check | maxAge | "72" | INVALID_ARGUMENT |
      | /sim-swap/v2/check | maxAge | 12.5 | INVALID_ARGUMENT |
      | /sim-swap/v2/check | maxAge | null | INVALID_ARGUMENT |
      | /sim-swap/v2/check | maxAge | true | INVALID_ARGUMENT |
      | /sim-swap/v2/check | maxAge | [1] | INVALID_ARGUMENT |
      | /sim-swap/v2/check | maxAge | 100000 | OUT_OF_RANGE |
      | /sim-swap/v2/check | maxAge | 2401 | OUT_OF_RANGE |
      | /sim-swap/v2/check | maxAge | 0 | OUT_OF_RANGE |
      | /sim-swap/v2/check | maxAge | -1 | OUT_OF_RANGE |
      | /device-swap/v1/check | maxAge | "72" | INVALID_ARGUMENT |
      | /device-swap/v1/check | maxAge | 12.5 | INVALID_ARGUMENT |
      | /device-swap/v1/check | maxAge | null | INVALID_ARGUMENT |
      | /device-swap/v1/check | maxAge | true | INVALID_ARGUMENT |
      | /device-swap/v1/check | maxAge | [1] | INVALID_ARGUMENT |
      | /device-swap/v1/check | maxAge | 100000 | OUT_OF_RANGE |
      | /device-swap/v1/check | maxAge | 2401 | OUT_OF_RANGE |
      | /device-swap/v1/check | maxAge | 0 | OUT_OF_RANGE |
      | /device-swap/v1/check | maxAge | -1 | OUT_OF_RANGE |
      | /location-verification/v3/verify | area | null | INVALID_ARGUMENT |
      | /location-verification/v3/verify | area.areaType | "SQUARE" | INVALID_ARGUMENT |
      | /location-verification/v3/verify | area.center | null | INVALID_ARGUMENT |
      | /location-verification/v3/verify | area.center.latitude | 91 | INVALID_ARGUMENT |
      | /location-verification/v3/verify | area.center.longitude | 181 | INVALID_ARGUMENT |
      | /location-verification/v3/verify | area.radius | 0 | INVALID_ARGUMENT |
      | /location-verification/v3/verify | area.radius | "5000" | INVALID_ARGUMENT |
      | /location-verification/v3/verify | maxAge | "600" | INVALID_ARGUMENT |
      | /location-verification/v3/verify | maxAge | 1.5 | INVALID_ARGUMENT |
      | /location-verification/v3/verify | maxAge | null | INVALID_ARGUMENT |
      | /location-verification/v3/verify | device | {} | INVALID_ARGUMENT |
      | /location-verification/v3/verify | device | {"ipv4Address":"84.125.93.10"} | INVALID_ARGUMENT |
      | /location-verification/v3/verify | device | {"ipv4Address":{"publicAddress":"84.125.93.256","publicPort":59765}} | INVALID_ARGUMENT |
      | /location-verification/v3/verify | device | {"ipv4Address":{"publicAddress":"84.125.93.10","publicPort":65536}} | INVALID_ARGUMENT |
      | /location-verification/v3/verify | device | {"ipv6Address":"84.125.93.10/24"} | INVALID_ARGUMENT |
      | /location-verification/v3/verify | device | {"networkAccessIdentifier":123456789} | INVALID_ARGUMENT |

  Scenario Outline: a device with only <json>
    Given the resource "/device-roaming-status/v1/retrieve"
    And the request body property "$.device" is set to the JSON <json>
    When the request "call" is sent
    Then the response status code is 422
    And the response property "$.code" is "UNSUPPORTED_IDENTIFIER"

    Examples:
      | json |
      | {"ipv4Address":{"publicAddress":"84.125.93.10","publicPort":59765}} |
      | {"ipv6Address":"2001:db8:85a3:8d3:1319:8a2e:370:7344"} |
      | {"networkAccessIdentifier":"123456789@domain.com"} |

  Scenario Outline: a location within <maxAge> seconds
    Given the resource "/location-verification/v3/verify"
    And the request body property "$.maxAge" is set to the JSON <maxAge>
    When the request "call" is sent
    Then the response status code is 200
    And the response property "$.verificationResult" is "TRUE"
    And the response property "$.lastLocationTime" value is not older than the value of "$.maxAge" in the request

    Examples:
      | maxAge |
      | 60 |
      | 86400 |

  Scenario Outline: only <version> compares a bank account
    Given the resource "/kyc-match/<version>/match"
    And the request body is set to a valid parameter combination with property "$.bankAccountNumber" set to a valid formatted value that does perfectly match the value stored in the MNO system
    When the request "call" is sent
    Then the response status code is <status>

    Examples:
      | version | status |
      | v0.4 | 400 |
      | v0.5 | 200 |

  Scenario Outline: <path> with a member that it does not know
    Given the resource "<path>"
    And the request body property "$.shoeSize" is set to the JSON 44
    When the request "call" is sent
    Then the response status code is <status>

    Examples:
      | path | status |
      | /kyc-match/v0.4/match | 200 |
      | /kyc-match/v0.5/match | 400 |
      | /number-recycling/v0.2/check | 200 |
      | /number-recycling/v0.3/check | 400 |
      | /kyc-tenure/v0.2/check-tenure | 200 |
      | /kyc-tenure/v0.3/check-tenure | 400 |

  Scenario: everything that the subscriber has of a name is compared
    Given the resource "/kyc-match/v0.4/match"
    And the request body is set to a valid parameter combination with property "$.birthdate" set to a valid formatted value that does not match the value stored in the MNO system
    When the request "call" is sent
    Then the response status code is 200
    And the response property "$.birthdateMatch" is equal to "false"
