// Generated from contract/src by scripts/generate-client-types.ts; change it there.

export type NoFields = Record<string, never>
/**
 * How the session of one report or decision turned out
 */
export type ReportLabel =
  | {
      /**
       * dfrId of the report
       */
      dfrId: string
      /**
       * How the session turned out; every value except legitimate is bad
       */
      outcome: 'fraud' | 'chargeback' | 'accountTakeover' | 'abuse' | 'legitimate'
      /**
       * When this became known, RFC 3339; not in the future, with 5 minutes of clock skew allowed. Default: now
       */
      knownAt?: string
      /**
       * Your id of the user of the session. legitimate confirms the device for this user; any other outcome ends its trust. Only while the report is stored
       */
      userId?: string
    }
  | {
      /**
       * requestId of the engine call
       */
      requestId: string
      /**
       * How the session turned out; every value except legitimate is bad
       */
      outcome: 'fraud' | 'chargeback' | 'accountTakeover' | 'abuse' | 'legitimate'
      /**
       * When this became known, RFC 3339; not in the future, with 5 minutes of clock skew allowed. Default: now
       */
      knownAt?: string
      /**
       * Your id of the user of the session. legitimate confirms the device for this user; any other outcome ends its trust. Only while the report is stored
       */
      userId?: string
    }
  | {
      /**
       * decisionId of the decision; labels its device report too
       */
      decisionId: string
      /**
       * How the session turned out; every value except legitimate is bad
       */
      outcome: 'fraud' | 'chargeback' | 'accountTakeover' | 'abuse' | 'legitimate'
      /**
       * When this became known, RFC 3339; not in the future, with 5 minutes of clock skew allowed. Default: now
       */
      knownAt?: string
      /**
       * Your id of the user of the session. legitimate confirms the device for this user; any other outcome ends its trust. Only while the report is stored
       */
      userId?: string
    }

/**
 * Every call of the service: its request and its answer.
 */
export interface Calls {
  /**
   * Returns who did what in the console and through the admin API, newest first.
   */
  listAudit: {
    request: ListAuditRequest
    answer: AuditPage
  }
  /**
   * Returns up to 500 lines, oldest first. Repeat it with `next` until there is none.
   */
  exportAudit: {
    request: ExportAuditRequest
    answer: AuditSlice
  }
  /**
   * Checks up to 500 lines: that none was changed, moved or deleted. Repeat it with `next` and `head` until there is no `next`.
   */
  verifyAudit: {
    request: VerifyAuditRequest
    answer: VerifiedAudit
  }
  /**
   * Returns who calls, their role and permissions, and the CSRF token of the session.
   */
  me: {
    request: NoFields
    answer: Me
  }
  /**
   * Signs a person in with password and second factor, and sets the session cookie. Without a code, a right password is `second-factor-missing`.
   */
  signIn: {
    request: SignInRequest
    answer: Me
  }
  /**
   * Returns what a one-time link offers, without using it up.
   */
  openInvitation: {
    request: OpenInvitationRequest
    answer: Invitation
  }
  /**
   * Creates the account that a one-time link offers, with a password and a second factor, and signs in. Somebody who has an account sends its email address, password and a code of its authenticator app, and gets the role too. The link of a reset replaces password, authenticator app and recovery codes of the account with this email address.
   */
  acceptInvitation: {
    request: AcceptInvitationRequest
    answer: AcceptedInvitation
  }
  /**
   * Ends the session, and removes its cookie, also when the session has ended already.
   */
  signOut: {
    request: NoFields
    answer: SignedOut
  }
  /**
   * Returns where the person who calls is signed in.
   */
  listSessions: {
    request: NoFields
    answer: ConsoleSessions
  }
  /**
   * Ends a session of the person who calls. Repeating it is a success with ended: false.
   */
  endSession: {
    request: EndSessionRequest
    answer: EndedSession
  }
  /**
   * Finds a device report and its decisions by dfrId, or a decision by your id of the transaction, if it was sent as Idempotency-Key. Nothing found is an empty answer.
   */
  findRecords: {
    request: FindRecordsRequest
    answer: FoundRecords
  }
  /**
   * Returns how many decisions, reasons, rules and sign-ins there were in a time range, how upstreams and data are, and what needs attention. Counts are about half a minute behind.
   */
  readOverview: {
    request: OverviewRequest
    answer: Overview
  }
  /**
   * Decides as POST /v1/decisions does, in the name of the person: it is stored and counted, and may call an operator, which may cost. Name at least one of userId, phoneNumber, email and dfrId.
   */
  tryDecision: {
    request: TryDecisionRequest
    answer: TriedDecision
  }
  /**
   * Returns decisions, device reports, sign-ins, tokens and telecom checks of a user, phone number, device or IP address, by type, outcome and time; newest first.
   */
  searchEvents: {
    request: SearchEventsRequest
    answer: FoundEvents
  }
  /**
   * Sends events as they happen, as server-sent events, from every server. Connect again with Last-Event-ID: what happened meanwhile comes first, up to 10,000 events of the last hour, and some come twice. It ends when the session ends or the role changes. A person or client has at most 5 streams.
   */
  watchEvents: {
    request: LiveEventsRequest
    answer: FoundEvent
  }
  /**
   * Returns a stored decision, with the present state of its challenge and review, what was asked, its labels, and the rules that fired or nearly fired.
   */
  readDecision: {
    request: ReadDecisionRequest
    answer: InvestigatedDecision
  }
  /**
   * Returns the report as its push sealed it, with how the device was recognised, the reasons and the signals. It confirms no device.
   */
  readReport: {
    request: AdminReportRequest
    answer: DeviceReportAnswer
  }
  /**
   * Says how the sessions of decisions or device reports turned out. Repeating it changes nothing.
   */
  label: {
    request: LabelRequest
    answer: LabelAnswer
  }
  /**
   * Approves or blocks a decision that a rule sent to REVIEW, in the name of who calls. The first reviewer decides: others get 409. One that is assigned to somebody else has to be assigned to you first. Repeating it is a success.
   */
  resolveReview: {
    request: AdminResolveReviewRequest
    answer: Review
  }
  /**
   * Returns the devices that were confirmed for a user. It is a POST so that no URL contains a user id.
   */
  listUserDevices: {
    request: AccountDevicesRequest
    answer: AccountDevices
  }
  /**
   * Changes the name of a device, or revokes it: it is unknown to the account until it is confirmed again.
   */
  updateUserDevice: {
    request: UpdateAccountDeviceRequest
    answer: TrustedDevice
  }
  /**
   * Deletes one device of a user, or all, with what the account learned from them.
   */
  deleteUserDevices: {
    request: DeleteAccountDevicesRequest
    answer: DeletedAccountDevices
  }
  /**
   * Returns decisions that rules sent to REVIEW, with assignee and deadline: the open ones, oldest and so overdue ones first, or those that were approved or blocked, newest first.
   */
  listReviews: {
    request: AdminListReviewsRequest
    answer: QueuedReviews
  }
  /**
   * Returns a review with its assignee, deadline and comments.
   */
  readReview: {
    request: ReadReviewRequest
    answer: DiscussedReview
  }
  /**
   * Assigns an open review to a person who may resolve it, or to nobody. Of two people who take it at the same time one gets it: the other gets 409 with who has it. Repeating it is a success.
   */
  assignReview: {
    request: AssignReviewRequest
    answer: DiscussedReview
  }
  /**
   * Adds a comment for other reviewers, also to a resolved review. A review has at most 50. The audit log says who commented, without the text: it is erased with the decision.
   */
  commentReview: {
    request: CommentReviewRequest
    answer: DiscussedReview
  }
  /**
   * Returns the people who can be assigned a review.
   */
  listReviewers: {
    request: NoFields
    answer: Reviewers
  }
  /**
   * Says how long reviewers have. An open review past its deadline is shown as overdue and stays open: nothing decides it automatically.
   */
  setReviewDeadline: {
    request: ReviewDeadline
    answer: ReviewDeadline
  }
  /**
   * Returns a decision, device report, event, device, user or phone number with its personal data in clear, to a role that otherwise sees it masked. The role needs the permission to read that kind too. The audit log has who did it, when and why.
   */
  reveal: {
    request: RevealRequest
    answer: Revealed
  }
  /**
   * Returns who saw which kind of record in clear, when and why, from the audit log. It does not name the subject.
   */
  listReveals: {
    request: ListRevealsRequest
    answer: Reveals
  }
  /**
   * Returns how long each kind of data is stored, and which setting says so.
   */
  readRetention: {
    request: NoFields
    answer: Retention
  }
  /**
   * Returns the signed receipts of what was erased.
   */
  listErasures: {
    request: ListErasuresRequest
    answer: Erasures
  }
  /**
   * Returns everything that the store has about a user, phone number, email address or device, in clear. The audit log has the reason, and not the subject.
   */
  exportSubject: {
    request: ExportSubjectRequest
    answer: SubjectExport
  }
  /**
   * Deletes everything that the store has about a user, phone number, email address or device, and returns a signed receipt. Repeat it when it did not answer: it goes on. Records of others stay.
   */
  eraseSubject: {
    request: EraseSubjectRequest
    answer: ErasureReceipt
  }
  /**
   * Returns every version of the rules, and which one is live, in shadow, or the draft.
   */
  listRuleVersions: {
    request: NoFields
    answer: RuleVersions
  }
  /**
   * Returns who changed what, when and why.
   */
  readRuleHistory: {
    request: NoFields
    answer: RuleHistory
  }
  /**
   * Returns the rules and velocities of a version: a number, or draft, shadow or live.
   */
  readRules: {
    request: ReadRulesRequest
    answer: ShownRules
  }
  /**
   * Returns one list or all lists, with the number of their entries.
   */
  describeLists: {
    request: DescribeListsRequest
    answer: DescribedLists
  }
  /**
   * Returns the entries of a list in pages. Send `next` as `cursor` until it is absent.
   */
  readList: {
    request: ReadListRequest
    answer: ListPage
  }
  /**
   * Returns whether a value is in a list, and the entries that match it.
   */
  lookUpList: {
    request: LookUpListRequest
    answer: ListLookUp
  }
  /**
   * Creates an empty list of values of one kind. A tenant has at most 100 lists.
   */
  createList: {
    request: AdminCreateListRequest
    answer: List
  }
  /**
   * Deletes a list and its entries. Repeating it is a success with deleted: false.
   */
  deleteList: {
    request: DeleteListRequest
    answer: DeletedList
  }
  /**
   * Adds up to 1,000 entries, or changes note and expiry of existing ones: all or none.
   */
  addListEntries: {
    request: AdminAddListEntriesRequest
    answer: AddedListEntries
  }
  /**
   * Returns what each line of a file would add to a list, and what is wrong with it. Writes nothing: add the entries to import them.
   */
  previewListImport: {
    request: PreviewListImportRequest
    answer: PreviewedListImport
  }
  /**
   * Removes up to 1,000 entries. Repeating it changes nothing.
   */
  removeListEntries: {
    request: RemoveListEntriesRequest
    answer: RemovedListEntries
  }
  /**
   * Returns every path, operator and list that rules may use, with its meaning.
   */
  readRuleVocabulary: {
    request: NoFields
    answer: RuleVocabulary
  }
  /**
   * Returns the mistakes of a rules file with line and column, runs its cases, and says what is odd. Send a text, or the rules of a form. Stores nothing.
   */
  checkRules: {
    request: CheckRulesRequest
    answer: CheckedRules
  }
  /**
   * Stores valid rules whose cases hold as a new version, which is the draft. Nothing else changes.
   */
  saveRuleDraft: {
    request: SaveRuleDraftRequest
    answer: RuleVersionAnswer
  }
  /**
   * Returns which rules and velocities were added, removed or changed, field by field.
   */
  compareRules: {
    request: CompareRulesRequest
    answer: RuleDifferences
  }
  /**
   * Runs a version in parallel with the live one. Its results are stored, and change nothing.
   */
  startRuleShadow: {
    request: StartRuleShadowRequest
    answer: RuleVersionAnswer
  }
  /**
   * No version runs in shadow any more. Returns the version that did.
   */
  endRuleShadow: {
    request: EndRuleShadowRequest
    answer: RuleVersionAnswer
  }
  /**
   * Returns how often the version in shadow would have decided otherwise, with examples.
   */
  compareRuleShadow: {
    request: NoFields
    answer: RuleShadowComparison
  }
  /**
   * Returns who asked for which version, who approved, and when a second person is needed.
   */
  listPublications: {
    request: NoFields
    answer: Publications
  }
  /**
   * Replays the last 2,000 decisions, and returns how many a version would block that are not blocked now, warnings, and who has to agree.
   */
  previewPublication: {
    request: PreviewPublicationRequest
    answer: PublicationPreview
  }
  /**
   * Asks for a version to be live, also for an earlier one. Another person with rules.publish approves. The only publisher of a tenant sends `alone`.
   */
  requestPublication: {
    request: RequestPublicationRequest
    answer: Publication
  }
  /**
   * Makes the version live. Refused for the person who asked, and when another version is live by now.
   */
  approvePublication: {
    request: DecidePublicationRequest
    answer: Publication
  }
  /**
   * Ends a request. The person who asked withdraws it; a person with rules.publish rejects it.
   */
  rejectPublication: {
    request: DecidePublicationRequest
    answer: Publication
  }
  /**
   * Says whether the only publisher of a tenant may publish alone.
   */
  setPublishPolicy: {
    request: PublishPolicy
    answer: PublishPolicy
  }
  /**
   * Replays stored decisions with a version, and compares it with another one. A server runs two at a time.
   */
  startBacktest: {
    request: StartBacktestRequest
    answer: Backtest
  }
  /**
   * Returns the backtests of the last 30 days, without results.
   */
  listBacktests: {
    request: NoFields
    answer: Backtests
  }
  /**
   * Returns how far a backtest is, and its result once it is done.
   */
  readBacktest: {
    request: BacktestIdRequest
    answer: Backtest
  }
  /**
   * Ends a backtest within seconds, on whichever server it runs.
   */
  cancelBacktest: {
    request: BacktestIdRequest
    answer: CancelledBacktest
  }
  /**
   * Returns the apps of the tenant with all their settings.
   */
  listApps: {
    request: NoFields
    answer: ShownApps
  }
  /**
   * Returns the client keys of the tenant with their restrictions, without secrets.
   */
  listClients: {
    request: NoFields
    answer: ShownClients
  }
  /**
   * Returns the webhooks of the tenant, with how many events wait for each.
   */
  listWebhooks: {
    request: NoFields
    answer: ShownWebhooks
  }
  /**
   * Returns the last attempts to deliver events.
   */
  listWebhookAttempts: {
    request: WebhookAttemptsRequest
    answer: WebhookAttempts
  }
  /**
   * Returns version, store, load, and the age of the data that answers rest on.
   */
  readSystem: {
    request: NoFields
    answer: SystemState
  }
  /**
   * Returns what is known of a device: installations, places, accounts and numbers seen with it, labels, velocities and the newest report.
   */
  readDevice: {
    request: AdminDeviceRequest
    answer: ShownDevice
  }
  /**
   * Returns visits, newest first: how each was recognised, from where it came, its scores and rules, and what changed since the visit before.
   */
  listDeviceVisits: {
    request: AdminDeviceVisitsRequest
    answer: ShownVisits
  }
  /**
   * Deletes everything about a device, and the reports of its visits. It gets a new id when it returns. Events and decisions stay until their retention ends.
   */
  forgetDevice: {
    request: AdminDeviceRequest
    answer: ForgottenDevice
  }
  /**
   * Creates an app with at least one origin, bundle id or package name. Its id is public.
   */
  createApp: {
    request: CreateAppRequest
    answer: ShownApp
  }
  /**
   * Changes what is sent; the rest stays as it is. A list replaces the list before. Running servers apply it within a second.
   */
  updateApp: {
    request: UpdateAppRequest
    answer: ShownApp
  }
  /**
   * Disables an app permanently: its SDKs are refused within a second. Repeating it changes nothing.
   */
  disableApp: {
    request: DisableAppRequest
    answer: ShownApp
  }
  /**
   * Makes a key for a backend, and returns its secret once. Only a person may call it, with a role that has every permission of the new key.
   */
  createClient: {
    request: CreateClientRequest
    answer: IssuedClient
  }
  /**
   * Adds a second secret, and returns it once. The previous secret stays valid until it is revoked. Only a person may call it, with every permission of the key.
   */
  rotateClient: {
    request: ClientRequest
    answer: IssuedClient
  }
  /**
   * Ends a rotation: only the newest secret stays valid. Repeating it is a success with revoked: false.
   */
  revokeOlderSecrets: {
    request: ClientRequest
    answer: RevokedSecrets
  }
  /**
   * Revokes a key with all its secrets, permanently. Repeating it is a success with revoked: false.
   */
  revokeClient: {
    request: ClientRequest
    answer: RevokedSecrets
  }
  /**
   * The client may then authenticate at the token endpoint of the CAMARA API with assertions that it signs (`private_key_jwt`), beside its secrets. Adding the same key again changes nothing. Only a person may call it, with every permission of the key.
   */
  addPublicKey: {
    request: AddPublicKeyRequest
    answer: AddedPublicKey
  }
  /**
   * Assertions of the key are refused at once. Repeating it is a success with removed: false.
   */
  removePublicKey: {
    request: RemovePublicKeyRequest
    answer: RemovedPublicKey
  }
  /**
   * Adds a webhook, and returns the secret that signs its deliveries once.
   */
  addWebhook: {
    request: AddWebhookRequest
    answer: AddedWebhook
  }
  /**
   * Lets its events wait until it is resumed.
   */
  pauseWebhook: {
    request: WebhookRequest
    answer: WebhookState
  }
  /**
   * Delivers again, also after the webhook was disabled.
   */
  resumeWebhook: {
    request: WebhookRequest
    answer: WebhookState
  }
  /**
   * Makes a new secret, and returns it once. For a day, deliveries have a signature of each secret.
   */
  rotateWebhook: {
    request: WebhookRequest
    answer: AddedWebhook
  }
  /**
   * Removes a webhook, and the events that wait for it.
   */
  removeWebhook: {
    request: WebhookRequest
    answer: RemovedWebhook
  }
  /**
   * Sends an event of type `webhook.test`; its delivery is listed like any other.
   */
  testWebhook: {
    request: WebhookRequest
    answer: TestedWebhook
  }
  /**
   * Sends one event again, or those of a time range, in their order and after those that wait. A call reads at most 2,000 events: send the same fields with `next` as `cursor` until it is absent.
   */
  replayWebhook: {
    request: ReplayWebhookRequest
    answer: ReplayedEvents
  }
  /**
   * Returns who has a role in the tenant, with their second factors and last sign-in.
   */
  listPeople: {
    request: NoFields
    answer: People
  }
  /**
   * Gives a person another role, from their next call on. Only an owner makes or changes an owner, nobody gives or takes a role that may do more than their own, and the last owner stays one.
   */
  changeRole: {
    request: ChangeRoleRequest
    answer: ChangedPerson
  }
  /**
   * Takes the role in the tenant from a person, at once. Somebody without a role in any other tenant is signed out everywhere, and their account is deleted.
   */
  removePerson: {
    request: PersonRequest
    answer: RemovedPerson
  }
  /**
   * Signs a person out everywhere, and deletes their password, authenticator app and recovery codes. Returns a one-time link with which they choose new ones; it works for 24 hours.
   */
  resetPerson: {
    request: PersonRequest
    answer: NewInvitation
  }
  /**
   * Returns the one-time links of the tenant that nobody has used yet, without their secrets.
   */
  listInvitations: {
    request: NoFields
    answer: Invitations
  }
  /**
   * Makes a one-time link that gives a role. It is returned once.
   */
  invite: {
    request: InviteRequest
    answer: NewInvitation
  }
  /**
   * Makes a one-time link useless. Repeating it is a success with withdrawn: false.
   */
  withdrawInvitation: {
    request: WithdrawInvitationRequest
    answer: WithdrawnInvitation
  }
  /**
   * Returns the built-in roles and the own roles of the tenant, with who has them, and all permissions.
   */
  listRoles: {
    request: NoFields
    answer: Roles
  }
  /**
   * Makes a role from permissions, each of which you have yourself. A tenant makes at most 50.
   */
  createRole: {
    request: CreateRoleRequest
    answer: OwnRole
  }
  /**
   * Changes description or permissions, for everybody who has the role, from their next call on. You need each permission that the role has and gets. When it loses one, open one-time links made by people with this role end.
   */
  editRole: {
    request: EditRoleRequest
    answer: OwnRole
  }
  /**
   * Removes a role that no person, client key or open one-time link has.
   */
  removeRole: {
    request: RoleRequest
    answer: RemovedRole
  }
  /**
   * Returns how people of the tenant sign in with their identity provider, without the client secret.
   */
  readSso: {
    request: NoFields
    answer: SingleSignOn
  }
  /**
   * Configures the identity provider of the tenant (OpenID Connect). Only an owner does, in a session. With another issuer, whoever signed in with the previous one is signed out.
   */
  saveSso: {
    request: SaveSsoRequest
    answer: SingleSignOn
  }
  /**
   * Whoever signed in with the identity provider is signed out, and gets in by no other way.
   */
  removeSso: {
    request: NoFields
    answer: RemovedSso
  }
  /**
   * Reads what an issuer says about itself, and its keys. Only an owner does, in a session.
   */
  testSso: {
    request: TestSsoRequest
    answer: SsoTest
  }
  /**
   * Returns the identity providers that the sign-in page offers.
   */
  listSsoConnections: {
    request: NoFields
    answer: SsoConnections
  }
  /**
   * Returns the URL of the identity provider, and sets a cookie that only the same browser can finish the sign-in with, within ten minutes.
   */
  startSso: {
    request: StartSsoRequest
    answer: StartedSso
  }
  /**
   * Takes what the identity provider sent back in the URL, and sets the session cookie. The groups of the person give the role at each sign-in.
   */
  finishSso: {
    request: FinishSsoRequest
    answer: FinishedSso
  }
  /**
   * Returns the channels of the configuration file, the limits of messages, and how much of them is used.
   */
  readSignIn: {
    request: NoFields
    answer: SignInSetUp
  }
  /**
   * Returns how many sign-ins and messages had which outcome, by day and method. Reads a bounded number of events.
   */
  countSignIns: {
    request: SignInCountsRequest
    answer: SignInCounts
  }
  /**
   * Returns messages that an outbox channel shows in place of sending them, with their codes. Only in a sandbox: otherwise it would show staff how to sign in as somebody else.
   */
  readOutbox: {
    request: NoFields
    answer: OutboxMessages
  }
  /**
   * Sends a test message without a code to a phone number or email address. At most 20 an hour.
   */
  testChannel: {
    request: TestChannelRequest
    answer: TestedChannel
  }
  /**
   * Returns the store, the upstreams that the answering server has called, streams, and the state of keys and their rotation.
   */
  readSystemDetails: {
    request: NoFields
    answer: SystemDetails
  }
  /**
   * Returns what the tenant has spent today and in the last 30 days, by upstream and check, and its daily caps. All servers count together.
   */
  readSpending: {
    request: NoFields
    answer: Spending
  }
  /**
   * Runs the checks of `ringfence doctor` that a running server can make, and says what to do. It changes nothing and checks no phone number.
   */
  checkSystem: {
    request: NoFields
    answer: Findings
  }
  /**
   * Returns whether the tenant has the month of made-up traffic that `serve --sandbox` makes in an empty store, and how much of it is made.
   */
  readDemo: {
    request: NoFields
    answer: DemoState
  }
  /**
   * Deletes all demo traffic with its lists, and ends its rules. It is not made again. What happened since the first start stays. While the traffic is still being made, the deletion follows when that has stopped, within seconds.
   */
  removeDemo: {
    request: NoFields
    answer: DemoState
  }
  /**
   * Returns identities, phone numbers, labels, what velocities count, and what the account knowledge says is usual. Devices and events have calls of their own. It is a POST so that no URL contains a user id.
   */
  readUser: {
    request: AdminUserRequest
    answer: ShownUser
  }
  /**
   * Trusts a device of the account that was revoked: the installation of its newest visit is known to the account again.
   */
  trustUserDevice: {
    request: AdminTrustDeviceRequest
    answer: TrustedDevice
  }
  /**
   * Returns operator, stored answers of checks, users seen with the number, and what velocities count. It calls no operator. It is a POST so that no URL contains a phone number.
   */
  readNumber: {
    request: AdminNumberRequest
    answer: ShownNumber
  }
  /**
   * Says which source states which operator, which connectors a check would ask, in which order and why, and whether a circuit is open. It calls no operator; a remote source counts by its stored answer, and only the sandbox is called.
   */
  explainRoute: {
    request: AdminNumberRequest
    answer: ShownRoute
  }
  /**
   * Makes a check as a backend does: an answer that may be reused is reused, else the operator is called, which may cost. A check without an answer has the result unknown. It is always recorded as an event.
   */
  checkNumber: {
    request: AdminCheckNumberRequest
    answer: CheckedNumber
  }
  /**
   * Returns what the person who calls can sign in with.
   */
  readFactors: {
    request: NoFields
    answer: MyFactors
  }
  /**
   * Replaces the password of the person who calls, and ends their other sessions. Needs the present password and a code of the authenticator app that was not used before.
   */
  changePassword: {
    request: ChangePasswordRequest
    answer: ChangedPassword
  }
  /**
   * Replaces the recovery codes of the person who calls. Needs the present password and a code of the authenticator app that was not used before.
   */
  renewRecoveryCodes: {
    request: RenewRecoveryCodesRequest
    answer: NewRecoveryCodes
  }
  /**
   * Returns a new secret for an authenticator app. The present app works until the new one is confirmed. Needs a sign-in or a confirmation of the last ten minutes.
   */
  beginAuthenticator: {
    request: NoFields
    answer: AuthenticatorSetup
  }
  /**
   * Replaces the authenticator app of the person who calls, by a code of the new one, and ends their other sessions. Needs a sign-in or a confirmation of the last ten minutes.
   */
  replaceAuthenticator: {
    request: ReplaceAuthenticatorRequest
    answer: ReplacedAuthenticator
  }
  /**
   * Returns the options of `navigator.credentials.get()`, and sets a cookie that the sign-in needs. No user name is needed: the browser shows which passkeys there are.
   */
  beginPasskeySignIn: {
    request: NoFields
    answer: PasskeyRequest
  }
  /**
   * Signs a person in with a passkey that has checked them by PIN, finger or face, and sets the session cookie. It needs neither password nor code.
   */
  signInWithPasskey: {
    request: SignInWithPasskeyRequest
    answer: Me
  }
  /**
   * Returns the options of `navigator.credentials.get()` for the passkeys of the person who calls.
   */
  beginConfirmation: {
    request: NoFields
    answer: PasskeyRequest
  }
  /**
   * Proves again who is signed in: with a passkey, or with the password and a code of the authenticator app that was not used before. For ten minutes, as after a sign-in, the session may change how the person signs in.
   */
  confirmPerson: {
    request: ConfirmPersonRequest
    answer: ConfirmedPerson
  }
  /**
   * Returns the passkeys of the person who calls.
   */
  listPasskeys: {
    request: NoFields
    answer: Passkeys
  }
  /**
   * Returns the options of `navigator.credentials.create()`. Needs a sign-in or a confirmation of the last ten minutes.
   */
  beginPasskey: {
    request: NoFields
    answer: PasskeyCreation
  }
  /**
   * Adds the passkey that the browser has made. Needs a sign-in or a confirmation of the last ten minutes.
   */
  addPasskey: {
    request: AddPasskeyRequest
    answer: Passkey
  }
  /**
   * Gives a passkey of the person who calls another name.
   */
  renamePasskey: {
    request: RenamePasskeyRequest
    answer: Passkey
  }
  /**
   * Removes a passkey of the person who calls, but not the last way to sign in. Needs a sign-in or a confirmation of the last ten minutes. Repeating it is a success with removed: false.
   */
  removePasskey: {
    request: RemovePasskeyRequest
    answer: RemovedPasskey
  }
}
export interface ListAuditRequest {
  /**
   * Only of this actor
   */
  actor?: string
  /**
   * Only this action
   */
  action?: string
  /**
   * Not before; ISO 8601 UTC
   */
  from?: string
  /**
   * Before; ISO 8601 UTC
   */
  to?: string
  /**
   * Lines in a page; default 50
   */
  limit?: number
  /**
   * `next` of the page before
   */
  cursor?: string
}
/**
 * Lines of the audit log
 */
export interface AuditPage {
  /**
   * Newest first
   */
  lines: AuditLine[]
  /**
   * Cursor of the next page. A page may be short, or empty, and have one
   */
  next?: string
}
/**
 * Who did what, when and from where
 */
export interface AuditLine {
  /**
   * Place in the log, from 1, without gaps
   */
  number: number
  /**
   * When it happened; ISO 8601 UTC
   */
  at: string
  /**
   * `person:…`, `client:…` or `command:…`
   */
  actor: string
  /**
   * Name of the call, or signIn, signOut, signInFailed, refused, invite
   */
  action: string
  /**
   * Who in words, role, requestId, IP address, and what was sent. An erased value is `[erased]`
   */
  details?: {
    [k: string]: unknown
  }
  /**
   * Whether personal data in the details was erased. The chain still holds
   */
  erased: boolean
  /**
   * Keyed hash of this line and the one before, hexadecimal
   */
  hash: string
}
export interface ExportAuditRequest {
  /**
   * Lines after this number; default 0, from the first
   */
  after?: number
  /**
   * Lines in a slice; default 500
   */
  limit?: number
}
/**
 * A slice of the audit log
 */
export interface AuditSlice {
  /**
   * Oldest first
   */
  lines: AuditLine[]
  /**
   * `after` of the next slice; absent at the end
   */
  next?: number
}
export interface VerifyAuditRequest {
  /**
   * Check the lines after this number; default 0
   */
  after?: number
  /**
   * Hash of the line `after`: `head` of the slice before, or one that you noted
   */
  head?: string
}
/**
 * Whether lines were changed or deleted
 */
export interface VerifiedAudit {
  /**
   * Number of the last line that was checked
   */
  lines: number
  /**
   * Lines of this slice with erased personal data. Their place in the chain, and that the service erased it, was checked
   */
  erased: number
  /**
   * Hash of the last line. Note it: a shorter log has another one
   */
  head?: string
  /**
   * `after` of the next slice; absent at the end
   */
  next?: number
  /**
   * The first line that is wrong. Absent when the log is intact
   */
  broken?: {
    number: number
    reason: string
  }
}
/**
 * Who calls, for which tenant, and what they may do
 */
export interface Me {
  /**
   * Absent when a client key calls
   */
  person?: {
    personId: string
    name: string
    email: string
    /**
     * The issuer of the identity provider that the person signs in with
     */
    singleSignOn?: string
  }
  /**
   * The client key that calls
   */
  clientId?: string
  /**
   * Whose data the calls read
   */
  tenant: {
    tenantId: string
    name: string
  }
  /**
   * owner, admin, analyst, support, viewer, or a role of the tenant
   */
  role: string
  /**
   * What the role allows
   */
  permissions: (
    | 'decisions.read'
    | 'decisions.label'
    | 'decisions.try'
    | 'personalData.read'
    | 'personalData.reveal'
    | 'privacy.read'
    | 'privacy.export'
    | 'privacy.erase'
    | 'reviews.read'
    | 'reviews.resolve'
    | 'reviews.policy'
    | 'users.read'
    | 'users.write'
    | 'devices.read'
    | 'devices.forget'
    | 'numbers.read'
    | 'numbers.check'
    | 'rules.read'
    | 'rules.write'
    | 'rules.publish'
    | 'rules.policy'
    | 'lists.read'
    | 'lists.write'
    | 'apps.read'
    | 'apps.write'
    | 'keys.read'
    | 'keys.write'
    | 'webhooks.read'
    | 'webhooks.write'
    | 'signins.read'
    | 'signins.test'
    | 'audit.read'
    | 'system.read'
    | 'people.read'
    | 'people.write'
    | 'system.check'
    | 'demo.remove'
  )[]
  /**
   * All tenants of the person. To call for another one, send its id as x-ringfence-tenant
   */
  tenants: {
    tenantId: string
    name: string
    /**
     * owner, admin, analyst, support, viewer, or a role of the tenant
     */
    role: string
  }[]
  /**
   * Absent when a client key calls
   */
  session?: {
    sessionId: string
    /**
     * Send it as x-ringfence-csrf with each POST
     */
    csrfToken: string
    /**
     * When the person signed in; ISO 8601 UTC
     */
    startedAt: string
    /**
     * When the session ends, however active the person is; ISO 8601 UTC
     */
    endsAt: string
    /**
     * Without a call for so long, it ends earlier
     */
    idleMinutes: number
  }
}
export interface SignInRequest {
  /**
   * Email address
   */
  email: string
  /**
   * The password
   */
  password: string
  /**
   * Six digits of the authenticator app; spaces and dashes do not count
   */
  code?: string
  /**
   * In place of `code`; it works once
   */
  recoveryCode?: string
}
export interface OpenInvitationRequest {
  /**
   * What follows `#` in the one-time link
   */
  link: string
}
/**
 * What a one-time link offers
 */
export interface Invitation {
  tenant: {
    tenantId: string
    name: string
  }
  /**
   * owner, admin, analyst, support, viewer, or a role of the tenant
   */
  role: string
  /**
   * When the link ends; ISO 8601 UTC
   */
  expiresAt: string
  /**
   * Whose password and second factor the link resets; absent for a new account
   */
  person?: {
    name: string
    email: string
  }
  /**
   * The second factor that belongs to the password
   */
  totp: {
    /**
     * Base32, to type into an authenticator app
     */
    secret: string
    /**
     * `otpauth://`, to show as a QR code
     */
    uri: string
    /**
     * The secret, sealed: send it back as `totpSetup`
     */
    setup: string
  }
}
export interface AcceptInvitationRequest {
  /**
   * What follows `#` in the one-time link
   */
  link: string
  /**
   * Name to show to others
   */
  name: string
  /**
   * Email address
   */
  email: string
  /**
   * At least 12 characters, any of them; spaces count. Not a frequent password, nor with your name or email address
   */
  password: string
  /**
   * Six digits of the authenticator app; spaces and dashes do not count
   */
  code: string
  /**
   * `totp.setup` of the opened link. With a code of it, the person gets a new account of the tenant; else password and code are those of an account that they have
   */
  totpSetup?: string
}
/**
 * The account exists, and the person is signed in
 */
export interface AcceptedInvitation {
  /**
   * Shown once. Each replaces one code of the authenticator app
   */
  recoveryCodes: string[]
  me: Me
}
/**
 * The session has ended
 */
export interface SignedOut {
  /**
   * False when nobody was signed in
   */
  signedOut: boolean
}
/**
 * The live sessions of the person who calls
 */
export interface ConsoleSessions {
  /**
   * Newest first
   */
  sessions: ConsoleSession[]
}
/**
 * A session of the person who calls
 */
export interface ConsoleSession {
  sessionId: string
  /**
   * Whether this call is made in it
   */
  current: boolean
  /**
   * When the person signed in; ISO 8601 UTC
   */
  startedAt: string
  /**
   * The last call, to a minute; ISO 8601 UTC
   */
  lastUsedAt: string
  /**
   * When it ends; ISO 8601 UTC
   */
  endsAt: string
}
export interface EndSessionRequest {
  /**
   * sessionId of a session
   */
  sessionId: string
}
/**
 * The session has ended
 */
export interface EndedSession {
  /**
   * False when it had ended already
   */
  ended: boolean
}
/**
 * One of the two
 */
export interface FindRecordsRequest {
  /**
   * Of a device report: finds it, and its decisions
   */
  dfrId?: string
  /**
   * Your id of the transaction, which your backend sent as Idempotency-Key of the decision
   */
  transaction?: string
}
/**
 * What is stored under an id of yours
 */
export interface FoundRecords {
  report?: {
    dfrId: string
    /**
     * Of the engine call: its events are found by it
     */
    requestId: string
    /**
     * When the device was analysed; ISO 8601 UTC
     */
    at: string
    /**
     * Absent when no device was recognised
     */
    deviceId?: string
  }
  /**
   * Newest first, at most 20
   */
  decisions: {
    decisionId: string
    /**
     * When it was made; ISO 8601 UTC
     */
    createdAt: string
  }[]
}
export interface OverviewRequest {
  /**
   * From this time on, RFC 3339; rounded down to a step
   */
  from: string
  /**
   * Before this time, RFC 3339; at most 31 days later
   */
  to: string
}
/**
 * What happened in a time range, and what needs attention
 */
export interface Overview {
  /**
   * Where the first step begins; ISO 8601 UTC
   */
  from: string
  /**
   * Where the last step ends; ISO 8601 UTC
   */
  to: string
  /**
   * Length of a step
   */
  stepSeconds: number
  /**
   * Later events are not counted yet; absent before the first count; ISO 8601 UTC
   */
  countedUntil?: string
  /**
   * Decisions by action; REVIEW: a rule sent them to a person. Absent is none
   */
  decisions: {
    /**
     * Decisions with ALLOW
     */
    ALLOW?: number
    /**
     * Decisions with WARN
     */
    WARN?: number
    /**
     * Decisions with REVIEW
     */
    REVIEW?: number
    /**
     * Decisions with CHALLENGE
     */
    CHALLENGE?: number
    /**
     * Decisions with BLOCK
     */
    BLOCK?: number
  }
  /**
   * Steps with decisions, in their order
   */
  steps: {
    /**
     * Where it begins; ISO 8601 UTC
     */
    at: string
    /**
     * Decisions by action; REVIEW: a rule sent them to a person. Absent is none
     */
    decisions: {
      /**
       * Decisions with ALLOW
       */
      ALLOW?: number
      /**
       * Decisions with WARN
       */
      WARN?: number
      /**
       * Decisions with REVIEW
       */
      REVIEW?: number
      /**
       * Decisions with CHALLENGE
       */
      CHALLENGE?: number
      /**
       * Decisions with BLOCK
       */
      BLOCK?: number
    }
  }[]
  /**
   * The ten most frequent codes
   */
  reasons: {
    name: string
    /**
     * How many decisions
     */
    count: number
  }[]
  /**
   * The ten rules that fired most, by id
   */
  rules: {
    name: string
    /**
     * How many decisions
     */
    count: number
  }[]
  signIns: {
    /**
     * OTP, MAGIC_LINK or OAUTH
     */
    channel: string
    /**
     * SMS, EMAIL, or the identity provider
     */
    method: string
    /**
     * Sign-ins that began
     */
    started: number
    /**
     * Sign-ins that succeeded
     */
    completed: number
    /**
     * Wrong codes, and sign-ins that failed otherwise
     */
    failed: number
    /**
     * Sign-ins that were refused before a message was sent
     */
    refused: number
  }[]
  /**
   * As this server has measured since it started. Without `system.read` it is empty
   */
  operators: {
    /**
     * The upstream, as the configuration names it
     */
    name: string
    /**
     * Attempts to call it
     */
    calls: number
    /**
     * Those without an answer
     */
    failed: number
    /**
     * Half of the attempts took no longer
     */
    medianMs?: number
    /**
     * 95 % of the attempts took no longer
     */
    slowMs?: number
  }[]
  /**
   * Files and lists that answers rest on. Without `system.read` it is empty
   */
  data: {
    name: string
    /**
     * Date of its data; ISO 8601 UTC
     */
    datedAt: string
  }[]
  reviews: {
    /**
     * Open reviews, counted up to 1,000
     */
    open: number
  }
  /**
   * What somebody should look at
   */
  attention: {
    /**
     * publication-waiting: rules of somebody else that you may approve
     */
    kind:
      | 'webhook-failing'
      | 'webhook-disabled'
      | 'data-old'
      | 'reviews-overdue'
      | 'publication-waiting'
      | 'operator-failing'
    /**
     * The webhook, the data or the operator; empty for reviews and rules
     */
    name: string
    /**
     * Since when; ISO 8601 UTC
     */
    since?: string
    /**
     * How many
     */
    count?: number
  }[]
}
export interface TryDecisionRequest {
  /**
   * What the person wants to do, in capitals: LOGIN, SIGNUP, PAYMENT, or your own. Rules read it
   */
  action?: string
  /**
   * Your id of the user whose account is used
   */
  userId?: string
  /**
   * Digits only, with country code and without a plus sign
   */
  phoneNumber?: string
  /**
   * Email address of the user
   */
  email?: string
  /**
   * The dfrId of the device SDK, from your frontend. Send an empty text when your page must send one and did not: it is then unknown
   */
  dfrId?: string
  /**
   * Your own values, such as the amount; rules read them as params.NAME. At most 16384 bytes of JSON
   */
  params?: {
    [k: string]: unknown
  }
}
/**
 * What your backend would have received, in short
 */
export interface TriedDecision {
  /**
   * Read the decision again, label it, or pass its challenge with this id
   */
  decisionId: string
  /**
   * What to do. CHALLENGE: let the user sign in once more, then send the token to the challenge
   */
  action: 'ALLOW' | 'WARN' | 'CHALLENGE' | 'BLOCK'
  /**
   * Message of the decisive rule that you can show to the user; absent without one
   */
  message?: string
}
export interface SearchEventsRequest {
  /**
   * Only events of this user, by your id
   */
  userId?: string
  /**
   * Only events of this phone number, with country code, as people write it
   */
  phoneNumber?: string
  /**
   * Only events of this email address, however it is written
   */
  email?: string
  /**
   * Only events of this device: the deviceId of a report
   */
  deviceId?: string
  /**
   * Only events from this IP address; for IPv6, from its /64 network
   */
  ipAddress?: string
  /**
   * Only events of this request: the x-request-id of the call, for device reports and their labels that of the engine call
   */
  requestId?: string
  /**
   * Only events of these types or groups
   */
  types?: (
    | 'decision.*'
    | 'label.*'
    | 'rules.*'
    | 'list.*'
    | 'account.*'
    | 'sign_in.*'
    | 'otp.*'
    | 'token.*'
    | 'device.*'
    | 'telecom.*'
    | 'decision.created'
    | 'decision.challenge.passed'
    | 'decision.review.resolved'
    | 'label.created'
    | 'rules.changed'
    | 'list.changed'
    | 'account.device.changed'
    | 'sign_in.started'
    | 'sign_in.completed'
    | 'sign_in.failed'
    | 'sign_in.refused'
    | 'otp.delivery'
    | 'token.issued'
    | 'token.revoked'
    | 'device.report.created'
    | 'device.rule.blocked'
    | 'telecom.check.completed'
    | 'telecom.number_changed'
    | 'telecom.batch.completed'
  )[]
  /**
   * Only events with this outcome, such as BLOCK, REVIEW, failed or refused
   */
  outcome?: string
  /**
   * Not before this time, RFC 3339
   */
  from?: string
  /**
   * Before this time, RFC 3339
   */
  to?: string
  /**
   * How many events a page has at most
   */
  limit?: number
  /**
   * nextCursor of the page before; send the same filters
   */
  cursor?: string
}
/**
 * A page of events
 */
export interface FoundEvents {
  /**
   * Newest first. A page may have fewer than `limit` events, or none, although there are more
   */
  events: FoundEvent[]
  /**
   * Where the next page begins; absent on the last page
   */
  nextCursor?: string
}
/**
 * Something that happened
 */
export interface FoundEvent {
  /**
   * UUIDv7; the id that webhooks send
   */
  id: string
  /**
   * See the reference of events
   */
  type: string
  /**
   * When it happened; ISO 8601 UTC
   */
  timestamp: string
  /**
   * In one word, such as BLOCK or failed; REVIEW for a decision that waits for a review
   */
  outcome?: string
  /**
   * As the reference of events says. With decisionId or dfrId, read the decision or the device report itself. `{ unreadable: true }` when what is stored is damaged
   */
  data: {
    [k: string]: unknown
  }
}
export interface LiveEventsRequest {
  /**
   * Only events of these types or groups, separated by commas
   */
  types?: string
  /**
   * Only events with this outcome, such as BLOCK, failed or refused
   */
  outcome?: string
  /**
   * The id of the last event that you have: what happened since comes first. The header Last-Event-ID wins
   */
  lastEventId?: string
}
export interface ReadDecisionRequest {
  /**
   * decisionId of a decision
   */
  decisionId: string
}
/**
 * A decision with everything that explains it
 */
export interface InvestigatedDecision {
  /**
   * Read the decision again, label it, or pass its challenge with this id
   */
  decisionId: string
  /**
   * When it was made; ISO 8601 UTC
   */
  createdAt: string
  /**
   * What to do. CHALLENGE: let the user sign in once more, then send the token to the challenge
   */
  action: 'ALLOW' | 'WARN' | 'CHALLENGE' | 'BLOCK'
  /**
   * 0 to 100: the reasons combined
   */
  score: number
  /**
   * Message of the decisive rule that you can show to the user; absent without one
   */
  message?: string
  /**
   * Strongest first
   */
  reasons: DecisionReason[]
  consent?: Consent
  phone?: DecisionPhone
  login?: DecisionLogin
  device?: DecisionDevice
  account?: DecisionAccount
  /**
   * The rules that decided
   */
  rules: {
    /**
     * Version of your rule set; 0: the default rules
     */
    version: number
    /**
     * Ids of the rules that fired, in their order
     */
    fired: string[]
    /**
     * Id of the rule that set the action
     */
    decisive?: string
  }
  /**
   * What was asked for and is not known; it was not guessed
   *
   * Items: A part that was asked for and is not known
   */
  missing: {
    what: 'login' | 'device' | 'simSwap' | 'deviceSwap' | 'callForwarding' | 'portability' | 'roaming' | 'reachability'
    /**
     * unknown: no such record of yours. expired: it is too old. other-user, other-number: it belongs to another user or phone number than the request names. no-sign-in: a token without a sign-in. deadline, operator-timeout: it came too late. failed, operator-failed: the operator, the portability source or the service failed. no-number: neither the request nor the sign-in has a phone number. operator-unknown: no source knows which operator serves the number. unsupported: its operator does not offer the check. window-unsupported: not for so many hours; send a smaller simSwapMaxAgeHours
     */
    why:
      | 'unknown'
      | 'expired'
      | 'other-user'
      | 'no-sign-in'
      | 'deadline'
      | 'failed'
      | 'other-number'
      | 'no-number'
      | 'operator-unknown'
      | 'unsupported'
      | 'window-unsupported'
      | 'operator-timeout'
      | 'operator-failed'
  }[]
  challenge?: DecisionChallenge
  review?: DecisionReview
  subject: DecisionSubject
  /**
   * The device report of the decision
   */
  dfrId?: string
  /**
   * Latest `knownAt` first: the first one counts
   */
  labels: DecisionLabel[]
  /**
   * Rules of the version that decided, on what they read then; those that fired first. Absent when your role may not read rules, or the version is no longer stored
   */
  evaluated?: EvaluatedRule[]
  /**
   * How many other rules the version has
   */
  silent?: number
}
/**
 * A reason of the score
 */
export interface DecisionReason {
  /**
   * Stable; see the reference of reasons
   */
  code: string
  /**
   * For people; it may change
   */
  text: string
  /**
   * 0 to 100: the score if this were the only reason
   */
  weight: number
  /**
   * What it rests on, for example telecom.simSwap
   */
  source: string
}
/**
 * The purpose of the call, its legal basis, and your record of it. Stored with the answer. A tenant may require it
 */
export interface Consent {
  /**
   * What for: a term of the W3C Data Privacy Vocabulary
   */
  purpose: string
  /**
   * The legal basis of Art. 6(1) GDPR
   */
  legalBasis?: 'CONSENT' | 'CONTRACT' | 'LEGAL_OBLIGATION' | 'VITAL_INTERESTS' | 'PUBLIC_TASK' | 'LEGITIMATE_INTERESTS'
  /**
   * Your id of the record that proves it, for example of a consent or a contract: letters, digits and . _ : / @ + -. Do not put personal data in it
   */
  reference?: string
  /**
   * For the legal basis CONSENT: when the person consented; RFC 3339
   */
  givenAt?: string
}
/**
 * What is known of the phone number
 */
export interface DecisionPhone {
  phoneDetail: PhoneDetail
  /**
   * The SIM swap check
   */
  simSwap?: {
    /**
     * true: the SIM was swapped within the window; false: no such change was found within it
     */
    swapped: boolean
    /**
     * The window, in hours
     */
    maxAgeHours: number
    /**
     * When it last changed; only where the operator reports the date; RFC 3339
     */
    latestChange?: string
    /**
     * How long ago it last changed, at most; only where the operator reports the date
     */
    ageBand?:
      | 'WITHIN_1_DAY'
      | 'WITHIN_3_DAYS'
      | 'WITHIN_7_DAYS'
      | 'WITHIN_30_DAYS'
      | 'WITHIN_90_DAYS'
      | 'WITHIN_365_DAYS'
      | 'OLDER'
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
  /**
   * The device swap check
   */
  deviceSwap?: {
    /**
     * true: the number moved to another phone within the window; false: no such change was found within it
     */
    swapped: boolean
    /**
     * The window, in hours
     */
    maxAgeHours: number
    /**
     * When it last changed; only where the operator reports the date; RFC 3339
     */
    latestChange?: string
    /**
     * How long ago it last changed, at most; only where the operator reports the date
     */
    ageBand?:
      | 'WITHIN_1_DAY'
      | 'WITHIN_3_DAYS'
      | 'WITHIN_7_DAYS'
      | 'WITHIN_30_DAYS'
      | 'WITHIN_90_DAYS'
      | 'WITHIN_365_DAYS'
      | 'OLDER'
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
  /**
   * The call forwarding check
   */
  callForwarding?: {
    /**
     * true: calls are forwarded
     */
    active: boolean
    /**
     * Every forwarding that is active, where the operator names them
     */
    kinds?: ('unconditional' | 'conditional_busy' | 'conditional_not_reachable' | 'conditional_no_answer')[]
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
  /**
   * The portability check
   */
  portability?: {
    /**
     * true: the number was ported. Stated only by a portability source
     */
    ported: boolean
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf?: string
  }
  /**
   * The number recycling check
   */
  numberRecycling?: {
    /**
     * true: the number has had another subscriber since then
     */
    recycled: boolean
    /**
     * The date that was asked for; YYYY-MM-DD
     */
    since: string
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
  /**
   * The tenure check
   */
  tenure?: {
    /**
     * true: the same subscriber has had the number since then
     */
    held: boolean
    /**
     * The date that was asked for; YYYY-MM-DD
     */
    since: string
    /**
     * Kind of contract, where the operator reports it
     */
    contractType?: 'PREPAID' | 'CONTRACT' | 'BUSINESS'
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
  /**
   * The KYC match check
   */
  kycMatch?: {
    /**
     * true: everything that the operator could compare matches
     */
    matches: boolean
    /**
     * How many of the fields the operator could compare
     */
    compared: number
    fields: {
      idDocument?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      idDocumentType?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      idDocumentExpiryDate?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      bankAccountNumber?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      name?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      givenName?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      familyName?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      middleNames?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      familyNameAtBirth?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      nameKanaHankaku?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      nameKanaZenkaku?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      address?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      streetName?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      streetNumber?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      houseNumberExtension?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      postalCode?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      locality?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      region?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      country?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      birthdate?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      cityOfBirth?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      countryOfBirth?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      nationality?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      email?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
      gender?: {
        match: boolean
        /**
         * Similarity of a text that does not match, 0 to 100
         */
        score?: number
      }
    }
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
  /**
   * The location verification check
   */
  locationVerification?: {
    /**
     * Where the network locates the phone; PARTLY: its area and the circle overlap
     */
    result: 'INSIDE' | 'PARTLY' | 'OUTSIDE'
    /**
     * For PARTLY: how much of the area is in the circle, %
     */
    matchRate?: number
    /**
     * When the phone was located; RFC 3339
     */
    locatedAt?: string
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
  /**
   * The roaming check
   */
  roaming?: {
    /**
     * true: the phone is in a foreign network
     */
    roaming: boolean
    /**
     * Country of that network, where exactly one is known
     */
    country?: string
    /**
     * MCC of that network, where the operator reports it
     */
    mobileCountryCode?: number
    /**
     * When the operator last updated the status; RFC 3339
     */
    statusAt?: string
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
  /**
   * The reachability check
   */
  reachability?: {
    /**
     * true: connected for data, SMS or both
     */
    reachable: boolean
    /**
     * How it is connected, where the operator reports it
     */
    connectivity?: ('DATA' | 'SMS')[]
    /**
     * When the operator last updated the status; RFC 3339
     */
    statusAt?: string
    /**
     * When the operator or a remote source was called; ISO 8601 UTC
     */
    asOf: string
  }
}
/**
 * Metadata of the phone number
 */
export interface PhoneDetail {
  /**
   * Current network operator name (upper-case token)
   */
  operator?: string
  /**
   * Numeric country calling code
   */
  countryCode?: string
  /**
   * ISO 3166-1 alpha-2 country code
   */
  country?: string
  /**
   * Line type
   */
  type?: 'MOBILE' | 'LANDLINE'
  /**
   * Registered operator; differs from `operator` when roaming or ported
   */
  homeOperator?: string
  /**
   * true when the number has been ported away from its home operator. Present only when a portability source confirms it; never in a SIM swap result
   */
  isPorted?: boolean
  /**
   * Location of the registered area (city, state or country level)
   */
  location?: string
  /**
   * IANA time zone names for the registered location
   */
  timeZones?: string[]
}
/**
 * The sign-in of the token
 */
export interface DecisionLogin {
  userId: string
  /**
   * When the user signed in; ISO 8601 UTC
   */
  timestamp: string
  identities: Identity[]
  network?: Network
}
/**
 * An identity of a user
 */
export interface Identity {
  /**
   * MOBILE, EMAIL …
   */
  identityType: string
  /**
   * MOBILE: digits with country code, no plus sign
   */
  identityValue: string
  /**
   * OTP, OAUTH, MAGIC_LINK, SILENT_AUTH …
   */
  channel: string
  /**
   * SMS, EMAIL, the name of an identity provider …
   */
  methods: string[]
  verified: boolean
  /**
   * ISO 8601 UTC; absent when not verified
   */
  verifiedAt?: string
}
/**
 * IP address, location and network operator
 */
export interface Network {
  /**
   * IP address of the user; IPv6 as in RFC 5952, IPv4-mapped as IPv4
   */
  ip: string
  /**
   * IANA time zone of the location; omitted when unknown
   */
  timezone?: string
  ipLocation: IpLocation
}
/**
 * Location of the IP address; empty when the IP address is not public
 */
export interface IpLocation {
  /**
   * The user is probably within this many kilometres of the coordinates
   */
  accuracyRadius?: number
  city?: {
    /**
     * English name
     */
    name?: string
  }
  /**
   * State, province or region; empty when unknown
   */
  subdivisions?: {
    /**
     * ISO 3166-2 code without the country
     */
    code?: string
    /**
     * English name
     */
    name?: string
  }
  country?: {
    /**
     * ISO 3166-1 alpha-2 country code
     */
    code: string
    /**
     * English name
     */
    name?: string
  }
  continent?: {
    /**
     * Continent
     */
    code: 'AF' | 'AN' | 'AS' | 'EU' | 'NA' | 'OC' | 'SA'
  }
  /**
   * Degrees north
   */
  latitude?: number
  /**
   * Degrees east
   */
  longitude?: number
  /**
   * The network operator; omitted when unknown
   */
  asn?: {
    /**
     * Autonomous system number, digits only
     */
    asn: string
    /**
     * Organisation that runs the network
     */
    name?: string
    /**
     * CIDR block of the IP address
     */
    network: string
  }
}
/**
 * The device report of the dfrId
 */
export interface DecisionDevice {
  /**
   * requestId of the engine call
   */
  requestId: string
  /**
   * tsId of the SDK
   */
  sessionId: string
  /**
   * This is the first visit of the device; false when unknown
   */
  newDevice: boolean
  /**
   * Stable id of the device; empty when it has none
   */
  deviceId: string
  /**
   * Risk of this session, 0 to 100
   */
  sessionRiskScore: number
  /**
   * Risk of this session and the history of the device, 0 to 100
   */
  deviceRiskScore: number
  /**
   * A VPN is active; false when unknown
   */
  vpn: boolean
  /**
   * The device is behind a proxy or a Tor exit node; false when unknown
   */
  proxy: boolean
  /**
   * The app runs on a simulator or emulator; false when unknown
   */
  simulator: boolean
  /**
   * The device is jailbroken; false when unknown
   */
  jailbroken: boolean
  /**
   * The app is a cloned instance; false when unknown
   */
  cloned: boolean
  /**
   * The location is spoofed; false when unknown
   */
  geoSpoofed: boolean
  /**
   * The screen is mirrored or recorded; false when unknown
   */
  mirroredScreen: boolean
  /**
   * A hooking framework was detected; false when unknown
   */
  hooking: boolean
  /**
   * The app differs from the published one; false when unknown
   */
  appTampering: boolean
  /**
   * The device was reset shortly before this session; false when unknown
   */
  factoryReset: boolean
  /**
   * Epoch milliseconds; -1 when unknown
   */
  factoryResetTime: number
  /**
   * IP address of the device; empty when unknown
   */
  ip: string
  /**
   * Location and reputation of the IP address; unknown fields are omitted
   */
  ipDetails: {
    /**
     * English name
     */
    city?: string
    /**
     * English name
     */
    region?: string
    /**
     * ISO 3166-1 alpha-2 country code
     */
    country?: string
    /**
     * Network operator (ISP)
     */
    isp?: string
    /**
     * Autonomous system number, digits only
     */
    asn?: string
    /**
     * 0 to 100, from published IP lists and your labels; omitted without both (see ringfence data update)
     */
    fraudScore?: number
  }
  /**
   * GPS location, when the user allows it; unknown fields are omitted
   */
  gpsLocation: {
    /**
     * Degrees north
     */
    latitude?: number
    /**
     * Degrees east
     */
    longitude?: number
    /**
     * Metres above sea level
     */
    altitude?: number
  }
  /**
   * Hardware and system of the device; unknown fields are omitted
   */
  deviceMeta: {
    brand?: string
    model?: string
    /**
     * Only on iOS
     */
    iOSVersion?: string
    cpuType?: string
    /**
     * Width and height in pixels, for example 1170x2532
     */
    screenResolution?: string
    /**
     * Memory, in bytes, as decimal digits
     */
    totalRAM?: string
    /**
     * Free storage, in bytes, as decimal digits
     */
    storageAvailable?: string
    /**
     * Storage, in bytes, as decimal digits
     */
    storageTotal?: string
  }
  ruleAction: RuleAction
  appliedRules: AppliedRules
  /**
   * The params of the push and the keys of `additionalInput` that the app setting `additionalDataFields` lists
   */
  additionalData: {
    [k: string]: unknown
  }
  identification?: ReportIdentification
}
/**
 * The decision of your rules
 */
export interface RuleAction {
  action: 'ALLOW' | 'WARN' | 'BLOCK'
  /**
   * Name of the rule that decided; empty when no rule fired
   */
  name: string
  description: string
  /**
   * Message that you can show to the user
   */
  message: string
}
/**
 * The rules that fired
 */
export interface AppliedRules {
  /**
   * Score by `<rule id> : <rule name>`
   */
  rules: {
    [k: string]: number
  }
  /**
   * Sum of the scores
   */
  totalScore: number
}
/**
 * How the device was recognised
 */
export interface ReportIdentification {
  /**
   * key: the browser or app signed with its key. token: it has no key, and sent its token or stored id. similarity: it resembles a known device. none: nothing identified it, so it is new
   */
  by: 'key' | 'token' | 'similarity' | 'none'
  /**
   * Probability that deviceId is right, 0 to 1
   */
  confidence: number
  /**
   * Why the device token was not followed. copied: it came without its key. expired: it is older than 400 days. forged: it was not issued by this service. foreign: it is of another device
   */
  token?: 'copied' | 'expired' | 'forged' | 'foreign'
  /**
   * Facts that the device did not report, and why
   */
  factsMissing?: {
    fact: string
    because: 'refused' | 'unavailable' | 'timedOut'
  }[]
  /**
   * Only with userId. yes: a key or token of an installation that was confirmed for the user before this session. likely: the device resembles a confirmed one. no: neither, or it was revoked
   */
  knownForAccount?: 'yes' | 'likely' | 'no'
  /**
   * Only with userId
   */
  account?: {
    /**
     * Probability that this is a device that was confirmed for the user before, 0 to 1
     */
    probability: number
    /**
     * Which device; omitted for no
     */
    device?: {
      /**
       * Its deviceId; may differ from that of the report
       */
      deviceId: string
      /**
       * The name that you gave it
       */
      name?: string
      /**
       * ISO 8601 UTC
       */
      firstSeenAt: string
      /**
       * ISO 8601 UTC
       */
      lastSeenAt: string
    }
  }
}
/**
 * What is known of the account; rules read the same as account.NAME
 */
export interface DecisionAccount {
  /**
   * Proven sessions of the account
   */
  sessions?: number
  /**
   * Days since the first of them
   */
  ageDays?: number
  /**
   * Days since the last of them
   */
  daysSinceLastSession?: number
  /**
   * Whether the device was confirmed for the account before
   */
  knownDevice?: 'yes' | 'likely' | 'no'
  /**
   * The country is new to the account; absent when not known
   */
  newCountry?: boolean
  /**
   * The country is rare for the account; absent when not known
   */
  rareCountry?: boolean
  /**
   * The network operator of the IP address is new to the account; absent when not known
   */
  newNetwork?: boolean
  /**
   * The network operator of the IP address is rare for the account; absent when not known
   */
  rareNetwork?: boolean
  /**
   * The mobile operator is new to the account; absent when not known
   */
  newOperator?: boolean
  /**
   * The phone number is new to the account; absent when not known
   */
  newNumber?: boolean
  /**
   * The time of day is unusual for the account; absent when not known
   */
  unusualHour?: boolean
  /**
   * Other accounts on this device or with this phone number
   */
  linkedAccounts?: number
  /**
   * The way from the place of the last proven session
   */
  travel?: {
    /**
     * Kilometres, less the accuracy radii
     */
    distanceKm?: number
    /**
     * Kilometres per hour
     */
    speedKmh?: number
    /**
     * Nobody travels so fast; absent when not known
     */
    impossible?: boolean
  }
}
/**
 * The challenge of a decision whose action is CHALLENGE
 */
export interface DecisionChallenge {
  state: 'open' | 'passed' | 'expired'
  /**
   * The identities with which the user can sign in to pass. MOBILE is absent after a SIM swap or while calls are forwarded: a code would reach somebody else. Without a userId, only the phoneNumber and the email of the request count; empty: no sign-in can pass, so send a userId
   */
  identityTypes: string[]
  /**
   * Until when the challenge can be passed; ISO 8601 UTC
   */
  expiresAt: string
  /**
   * When it was passed; ISO 8601 UTC
   */
  passedAt?: string
}
/**
 * The review of a decision that a rule sent to REVIEW
 */
export interface DecisionReview {
  state: 'open' | 'approved' | 'blocked'
  /**
   * Who resolved it; absent while it is open
   */
  by?: string
  /**
   * The note of the reviewer
   */
  note?: string
  /**
   * When it was resolved; absent while it is open; ISO 8601 UTC
   */
  resolvedAt?: string
}
/**
 * What was asked, as rules read it
 */
export interface DecisionSubject {
  /**
   * The `action` of the request, such as PAYMENT
   */
  operation?: string
  /**
   * User id of the request, else of the sign-in
   */
  userId?: string
  /**
   * Digits with country code
   */
  phoneNumber?: string
  /**
   * Email address of the request, else of the sign-in
   */
  email?: string
  /**
   * IP address of the request, else of the device or the sign-in
   */
  ip?: string
  /**
   * Your own values
   */
  params?: {
    [k: string]: unknown
  }
}
/**
 * How the session turned out
 */
export interface DecisionLabel {
  outcome: 'fraud' | 'chargeback' | 'accountTakeover' | 'abuse' | 'legitimate'
  /**
   * Whether the decision was labelled, or its device report
   */
  of: 'decision' | 'report'
  /**
   * When it became known; ISO 8601 UTC
   */
  knownAt: string
  /**
   * When the label arrived; ISO 8601 UTC
   */
  labelledAt: string
}
/**
 * A rule that fired or nearly fired
 */
export interface EvaluatedRule {
  id: string
  name: string
  action: 'ALLOW' | 'WARN' | 'REVIEW' | 'CHALLENGE' | 'BLOCK'
  /**
   * The condition as text
   */
  when: string
  /**
   * nearly: all that it needs but one comparison
   */
  state: 'fired' | 'nearly'
  /**
   * At most 50, in the order of the text
   */
  conditions: RuleCondition[]
}
/**
 * One comparison of a rule, and what it read
 */
export interface RuleCondition {
  /**
   * One comparison of the rule
   */
  text: string
  /**
   * Whether the rule has what it needs from this comparison
   */
  holds: boolean
  /**
   * What it read, by path; a value that was not known is absent
   */
  values: {
    [k: string]: string | number | boolean
  }
}
export interface AdminReportRequest {
  /**
   * The dfrId of an event or a decision
   */
  dfrId: string
  /**
   * Platform of the SDK
   */
  deviceType: 'WEB' | 'IOS' | 'ANDROID'
}
/**
 * The report of a device, with the members that you ask for
 */
export interface DeviceReportAnswer {
  /**
   * requestId of the engine call
   */
  requestId: string
  /**
   * tsId of the SDK
   */
  sessionId: string
  /**
   * This is the first visit of the device; false when unknown
   */
  newDevice: boolean
  /**
   * Stable id of the device; empty when it has none
   */
  deviceId: string
  /**
   * Risk of this session, 0 to 100
   */
  sessionRiskScore: number
  /**
   * Risk of this session and the history of the device, 0 to 100
   */
  deviceRiskScore: number
  /**
   * A VPN is active; false when unknown
   */
  vpn: boolean
  /**
   * The device is behind a proxy or a Tor exit node; false when unknown
   */
  proxy: boolean
  /**
   * The app runs on a simulator or emulator; false when unknown
   */
  simulator: boolean
  /**
   * The device is jailbroken; false when unknown
   */
  jailbroken: boolean
  /**
   * The app is a cloned instance; false when unknown
   */
  cloned: boolean
  /**
   * The location is spoofed; false when unknown
   */
  geoSpoofed: boolean
  /**
   * The screen is mirrored or recorded; false when unknown
   */
  mirroredScreen: boolean
  /**
   * A hooking framework was detected; false when unknown
   */
  hooking: boolean
  /**
   * The app differs from the published one; false when unknown
   */
  appTampering: boolean
  /**
   * The device was reset shortly before this session; false when unknown
   */
  factoryReset: boolean
  /**
   * Epoch milliseconds; -1 when unknown
   */
  factoryResetTime: number
  /**
   * IP address of the device; empty when unknown
   */
  ip: string
  /**
   * Location and reputation of the IP address; unknown fields are omitted
   */
  ipDetails: {
    /**
     * English name
     */
    city?: string
    /**
     * English name
     */
    region?: string
    /**
     * ISO 3166-1 alpha-2 country code
     */
    country?: string
    /**
     * Network operator (ISP)
     */
    isp?: string
    /**
     * Autonomous system number, digits only
     */
    asn?: string
    /**
     * 0 to 100, from published IP lists and your labels; omitted without both (see ringfence data update)
     */
    fraudScore?: number
  }
  /**
   * GPS location, when the user allows it; unknown fields are omitted
   */
  gpsLocation: {
    /**
     * Degrees north
     */
    latitude?: number
    /**
     * Degrees east
     */
    longitude?: number
    /**
     * Metres above sea level
     */
    altitude?: number
  }
  /**
   * Hardware and system of the device; unknown fields are omitted
   */
  deviceMeta: {
    brand?: string
    model?: string
    /**
     * Only on iOS
     */
    iOSVersion?: string
    cpuType?: string
    /**
     * Width and height in pixels, for example 1170x2532
     */
    screenResolution?: string
    /**
     * Memory, in bytes, as decimal digits
     */
    totalRAM?: string
    /**
     * Free storage, in bytes, as decimal digits
     */
    storageAvailable?: string
    /**
     * Storage, in bytes, as decimal digits
     */
    storageTotal?: string
  }
  ruleAction: RuleAction
  appliedRules: AppliedRules
  /**
   * The params of the push and the keys of `additionalInput` that the app setting `additionalDataFields` lists
   */
  additionalData: {
    [k: string]: unknown
  }
  identification?: ReportIdentification
  reasons?: ReportReasons
  signals?: ReportSignals
}
/**
 * Every contribution to the scores; empty when nothing raised one
 */
export interface ReportReasons {
  /**
   * The score is 100 × (1 − the product of all 1 − weight)
   */
  sessionRiskScore: {
    /**
     * Stable; see the reference of reasons
     */
    code: string
    /**
     * 0 to 1: the risk if this were the only reason
     */
    weight: number
    /**
     * For people; it may change
     */
    text: string
  }[]
  /**
   * The reasons of the session, and those of the history of the device
   */
  deviceRiskScore: {
    /**
     * Stable; see the reference of reasons
     */
    code: string
    /**
     * 0 to 1: the risk if this were the only reason
     */
    weight: number
    /**
     * For people; it may change
     */
    text: string
  }[]
  /**
   * The score is the sum of the points
   */
  suspectScore: {
    /**
     * Stable; see the reference of reasons
     */
    code: string
    /**
     * By the published weights
     */
    points: number
    /**
     * For people; it may change
     */
    text: string
  }[]
}
/**
 * Every signal of the platform, by its name
 */
export interface ReportSignals {
  [k: string]: {
    /**
     * As in secure_info; unknown, also for a part of it, when the facts did not answer
     */
    verdict: {
      [k: string]: unknown
    }
    /**
     * What led to the verdict; for people, and may change
     */
    evidence: string[]
  }
}
export interface LabelRequest {
  labels: ReportLabel[]
}
/**
 * The labels are stored
 */
export interface LabelAnswer {
  /**
   * Number of stored labels, including repeated ones
   */
  accepted: number
  /**
   * Ids without a report or decision of yours, or with an expired one; their labels are not stored
   */
  unknown: string[]
}
export interface AdminResolveReviewRequest {
  /**
   * decisionId of a decision
   */
  decisionId: string
  /**
   * What the reviewer decided
   */
  outcome: 'approved' | 'blocked'
  /**
   * Why, for other reviewers
   */
  note?: string
}
/**
 * A decision in the review queue
 */
export interface Review {
  /**
   * The decision; read all of it with this id
   */
  decisionId: string
  /**
   * When the decision was made; ISO 8601 UTC
   */
  createdAt: string
  state: 'open' | 'approved' | 'blocked'
  /**
   * Who resolved it; absent while it is open
   */
  by?: string
  /**
   * The note of the reviewer
   */
  note?: string
  /**
   * When it was resolved; absent while it is open; ISO 8601 UTC
   */
  resolvedAt?: string
  /**
   * The `action` of the request, such as PAYMENT
   */
  operation?: string
  /**
   * 0 to 100
   */
  score: number
  /**
   * Codes of the reasons, strongest first
   */
  reasons: string[]
  /**
   * Ids of the rules that fired
   */
  rules: string[]
  /**
   * Name of the rule that sent it to review; absent for decisions of an earlier version of Ringfence
   */
  ruleName?: string
  /**
   * Your id of the user
   */
  userId?: string
  /**
   * Digits with country code
   */
  phoneNumber?: string
}
export interface AccountDevicesRequest {
  /**
   * Your id of the user
   */
  userId: string
}
/**
 * The devices of a user
 */
export interface AccountDevices {
  /**
   * Last seen first, at most 64
   */
  devices: TrustedDevice[]
}
/**
 * A device of a user; unknown fields are omitted
 */
export interface TrustedDevice {
  /**
   * Stable id of the device
   */
  deviceId: string
  /**
   * The name that you gave it
   */
  name?: string
  /**
   * False after it was revoked, or after a bad label with this userId
   */
  trusted: boolean
  /**
   * Platform of the SDK
   */
  platform: 'WEB' | 'IOS' | 'ANDROID'
  browser?: string
  /**
   * Operating system of a browser
   */
  os?: string
  /**
   * Model of a phone
   */
  model?: string
  /**
   * The first session that was confirmed for the user; ISO 8601 UTC
   */
  firstSeenAt: string
  /**
   * The last one, to ten minutes; ISO 8601 UTC
   */
  lastSeenAt: string
  /**
   * When it was revoked; ISO 8601 UTC
   */
  revokedAt?: string
}
export interface UpdateAccountDeviceRequest {
  /**
   * Your id of the user
   */
  userId: string
  /**
   * deviceId of a report, or of this list
   */
  deviceId: string
  /**
   * Name to show to the user; an empty text removes it
   */
  name?: string
  /**
   * Revokes the device: it is unknown to the account until a later session is confirmed
   */
  trusted?: false
}
export interface DeleteAccountDevicesRequest {
  /**
   * Your id of the user
   */
  userId: string
  /**
   * One device; without it, all devices of the user
   */
  deviceId?: string
}
/**
 * The devices are deleted
 */
export interface DeletedAccountDevices {
  /**
   * Number of deleted devices; 0 when there were none
   */
  deleted: number
}
export interface AdminListReviewsRequest {
  /**
   * Open ones come oldest first, others newest first
   */
  state?: 'open' | 'approved' | 'blocked'
  /**
   * How many reviews a page has at most
   */
  limit?: number
  /**
   * nextCursor of the page before; send the same state
   */
  cursor?: string
  /**
   * Only open reviews: assigned to you, assigned to nobody, or past their deadline
   */
  filter?: 'all' | 'mine' | 'unassigned' | 'overdue'
}
/**
 * A page of the review queue. What is overdue comes first
 */
export interface QueuedReviews {
  reviews: QueuedReview[]
  /**
   * Where the next page begins; absent on the last page
   */
  nextCursor?: string
  /**
   * How long reviewers have, in hours
   */
  dueHours: number
}
/**
 * A decision in the review queue, and who works on it
 */
export interface QueuedReview {
  /**
   * The decision; read all of it with this id
   */
  decisionId: string
  /**
   * When the decision was made; ISO 8601 UTC
   */
  createdAt: string
  state: 'open' | 'approved' | 'blocked'
  /**
   * Who resolved it; absent while it is open
   */
  by?: string
  /**
   * The note of the reviewer
   */
  note?: string
  /**
   * When it was resolved; absent while it is open; ISO 8601 UTC
   */
  resolvedAt?: string
  /**
   * The `action` of the request, such as PAYMENT
   */
  operation?: string
  /**
   * 0 to 100
   */
  score: number
  /**
   * Codes of the reasons, strongest first
   */
  reasons: string[]
  /**
   * Ids of the rules that fired
   */
  rules: string[]
  /**
   * Name of the rule that sent it to review; absent for decisions of an earlier version of Ringfence
   */
  ruleName?: string
  /**
   * Your id of the user
   */
  userId?: string
  /**
   * Digits with country code
   */
  phoneNumber?: string
  /**
   * When it should be resolved. Afterwards it is overdue: nothing decides it automatically; ISO 8601 UTC
   */
  dueAt: string
  /**
   * It is open, and its deadline has passed
   */
  isOverdue: boolean
  assignee?: Assignee
  /**
   * How many comments it has
   */
  commentCount: number
}
/**
 * Who works on a review
 */
export interface Assignee {
  personId: string
  /**
   * Absent when the person has left the tenant
   */
  name?: string
  isYou: boolean
  /**
   * When it was assigned; ISO 8601 UTC
   */
  since: string
}
export interface ReadReviewRequest {
  /**
   * decisionId of a decision
   */
  decisionId: string
}
/**
 * A review with its comments
 */
export interface DiscussedReview {
  /**
   * The decision; read all of it with this id
   */
  decisionId: string
  /**
   * When the decision was made; ISO 8601 UTC
   */
  createdAt: string
  state: 'open' | 'approved' | 'blocked'
  /**
   * Who resolved it; absent while it is open
   */
  by?: string
  /**
   * The note of the reviewer
   */
  note?: string
  /**
   * When it was resolved; absent while it is open; ISO 8601 UTC
   */
  resolvedAt?: string
  /**
   * The `action` of the request, such as PAYMENT
   */
  operation?: string
  /**
   * 0 to 100
   */
  score: number
  /**
   * Codes of the reasons, strongest first
   */
  reasons: string[]
  /**
   * Ids of the rules that fired
   */
  rules: string[]
  /**
   * Name of the rule that sent it to review; absent for decisions of an earlier version of Ringfence
   */
  ruleName?: string
  /**
   * Your id of the user
   */
  userId?: string
  /**
   * Digits with country code
   */
  phoneNumber?: string
  /**
   * When it should be resolved. Afterwards it is overdue: nothing decides it automatically; ISO 8601 UTC
   */
  dueAt: string
  /**
   * It is open, and its deadline has passed
   */
  isOverdue: boolean
  assignee?: Assignee
  /**
   * How many comments it has
   */
  commentCount: number
  /**
   * Oldest first
   */
  comments: ReviewComment[]
}
/**
 * What a reviewer wrote about a decision
 */
export interface ReviewComment {
  /**
   * Name of who wrote it
   */
  by: string
  isYours: boolean
  /**
   * When; ISO 8601 UTC
   */
  at: string
  comment: string
}
export interface AssignReviewRequest {
  /**
   * decisionId of a decision
   */
  decisionId: string
  /**
   * Who works on it from now on; absent: nobody
   */
  personId?: string
  /**
   * Who works on it as far as you know; absent: nobody. When it is somebody else, nothing changes
   */
  insteadOf?: string
}
export interface CommentReviewRequest {
  /**
   * decisionId of a decision
   */
  decisionId: string
  /**
   * For other reviewers. It is erased with the decision
   */
  comment: string
}
/**
 * The people who may resolve reviews
 */
export interface Reviewers {
  /**
   * By name
   */
  reviewers: {
    personId: string
    name: string
    isYou: boolean
  }[]
}
/**
 * The deadline of reviews, also of those that are open
 */
export interface ReviewDeadline {
  /**
   * How long reviewers have, in hours, from the decision on
   */
  dueHours: number
}
export interface RevealRequest {
  /**
   * What the record is
   */
  kind: 'decision' | 'deviceReport' | 'event' | 'device' | 'user' | 'phoneNumber'
  /**
   * Its decisionId, dfrId, id of the event, deviceId, userId, or the digits of the number with country code
   */
  id: string
  /**
   * Of a device report: WEB (default), IOS or ANDROID
   */
  deviceType?: 'WEB' | 'IOS' | 'ANDROID'
  /**
   * Why you need it, for the audit log: such as the number of a ticket
   */
  reason: string
}
/**
 * One record, in clear
 */
export interface Revealed {
  kind: 'decision' | 'deviceReport' | 'event' | 'device' | 'user' | 'phoneNumber'
  /**
   * As requested
   */
  id: string
  /**
   * As its own endpoint returns it to a role that may read personal data
   */
  record: {
    [k: string]: unknown
  }
}
export interface ListRevealsRequest {
  /**
   * How many
   */
  limit?: number
  /**
   * `next` of the page before
   */
  cursor?: string
}
/**
 * Who saw which kind of record in clear, and why
 */
export interface Reveals {
  /**
   * Newest first. `kind` and `reason` are absent when its subject was erased
   */
  reveals: {
    /**
     * Number of the line in the audit log
     */
    line: number
    /**
     * When; ISO 8601 UTC
     */
    at: string
    /**
     * Who revealed it: a name, or the actor when the details were erased
     */
    by: string
    /**
     * What the record is
     */
    kind?: 'decision' | 'deviceReport' | 'event' | 'device' | 'user' | 'phoneNumber'
    /**
     * As given
     */
    reason?: string
  }[]
  /**
   * Cursor of the next page. A page may be short, or empty, and have one
   */
  next?: string
}
/**
 * How long each kind of data is stored
 */
export interface Retention {
  kinds: RetentionPeriod[]
}
/**
 * How long a kind of data is stored
 */
export interface RetentionPeriod {
  /**
   * What is stored
   */
  kind: string
  /**
   * How long; absent: until somebody deletes it
   */
  days?: number
  /**
   * The setting that says so
   */
  setting?: string
  /**
   * From when, and what else ends it
   */
  note: string
}
export interface ListErasuresRequest {
  /**
   * How many
   */
  limit?: number
  /**
   * The id of the last receipt of the page before
   */
  before?: string
}
/**
 * Receipts of erasures
 */
export interface Erasures {
  /**
   * Newest first
   */
  receipts: ErasureReceipt[]
}
/**
 * What was erased, signed
 */
export interface ErasureReceipt {
  version: 1
  /**
   * UUIDv7 of the erasure
   */
  id: string
  /**
   * When it was complete; ISO 8601 UTC
   */
  erasedAt: string
  /**
   * Who erased
   */
  by: string
  /**
   * As given
   */
  reason: string
  subject: {
    kind: 'userId' | 'phoneNumber' | 'email' | 'deviceId'
    /**
     * base64url
     */
    salt: string
    /**
     * scrypt (N 32768, r 8, p 1, 32 bytes) of the value with the salt, base64url: the value itself is not here
     */
    hash: string
  }
  /**
   * How many rows of each kind were deleted or stripped
   */
  erased: {
    [k: string]: number
  }
  /**
   * How many rows of each kind were kept on purpose
   */
  kept: {
    [k: string]: number
  }
  /**
   * What may remain for a time, and how long
   */
  remains: string[]
  /**
   * Ed25519 public key of the tenant for receipts, base64url
   */
  publicKey: string
  /**
   * Ed25519 over the receipt without this field, base64url
   */
  signature: string
}
export interface ExportSubjectRequest {
  subject: PrivacySubject
  /**
   * Why you need it, for the audit log: such as the number of a ticket
   */
  reason: string
}
/**
 * A person or a device
 */
export interface PrivacySubject {
  /**
   * What the value is
   */
  kind: 'userId' | 'phoneNumber' | 'email' | 'deviceId'
  /**
   * Your id of the user; digits with country code; an email address; the deviceId of a report
   */
  value: string
}
/**
 * Everything that the store has about a person or device
 */
export interface SubjectExport {
  /**
   * When it was made; ISO 8601 UTC
   */
  exportedAt: string
  /**
   * False: there are more than 2000 records. `ringfence privacy export` writes all of them
   */
  complete: boolean
  records: {
    /**
     * event, decision, deviceReport, device, user, identity, accountDevice, habits, signIn, telecomAnswer, listEntry or auditLine
     */
    kind: string
    /**
     * What is stored
     */
    record: {
      [k: string]: unknown
    }
  }[]
}
export interface EraseSubjectRequest {
  subject: PrivacySubject
  /**
   * Why you need it, for the audit log: such as the number of a ticket
   */
  reason: string
  /**
   * Whether entries of lists that name the subject stay, such as that of a proven fraudster
   */
  keepListEntries?: boolean
}
/**
 * The versions of the rules of a tenant
 */
export interface RuleVersions {
  /**
   * Newest first; the default rules last
   */
  versions: {
    /**
     * Number of the version; 0 is the default rules
     */
    version: number
    /**
     * Number of rules
     */
    rules: number
    /**
     * live decides; shadow runs beside it; draft is being written
     */
    stages: ('draft' | 'shadow' | 'live')[]
    /**
     * When it was stored; absent for the default rules; ISO 8601 UTC
     */
    createdAt?: string
  }[]
}
/**
 * Who changed what in the rules
 */
export interface RuleHistory {
  /**
   * Newest first
   */
  changes: {
    number: number
    /**
     * When; ISO 8601 UTC
     */
    changedAt: string
    /**
     * Who
     */
    changedBy: string
    change: 'draft' | 'shadow' | 'live' | 'end-shadow'
    /**
     * Number of the version; 0 is the default rules
     */
    version: number
    /**
     * The version that was in this stage before
     */
    versionBefore?: number
    /**
     * Why; may be empty
     */
    note: string
  }[]
}
export interface ReadRulesRequest {
  /**
   * A number, or a stage
   */
  version: string
}
/**
 * The rules and velocities of a version, as a rules file has them
 */
export interface ShownRules {
  /**
   * Number of the version; 0 is the default rules
   */
  version: number
  /**
   * In their order
   */
  rules: ShownRule[]
  /**
   * By name
   */
  velocity?: {
    [k: string]: ShownVelocity
  }
}
/**
 * A rule
 */
export interface ShownRule {
  /**
   * Stays the same when the rule changes
   */
  id: string
  /**
   * Shown in reports
   */
  name: string
  /**
   * The condition as text
   */
  when: string
  action: 'ALLOW' | 'WARN' | 'REVIEW' | 'CHALLENGE' | 'BLOCK'
  /**
   * Added to the total when the rule fires
   */
  score: number
  description?: string
  /**
   * May be shown to the user
   */
  message?: string
  /**
   * Examples for which the rule must fire, or stay silent
   */
  cases?: {
    name?: string
    /**
     * Values by path
     */
    fires?: {
      [k: string]: unknown
    }
    /**
     * Values by path
     */
    silent?: {
      [k: string]: unknown
    }
  }[]
}
/**
 * A count that rules read as velocity.NAME
 */
export interface ShownVelocity {
  /**
   * Whose decisions it counts
   */
  per: string
  /**
   * Length of the window, such as 24h
   */
  within: string
  /**
   * What it counts: decisions
   */
  count?: string
  /**
   * The path whose different values it counts
   */
  distinct?: string
  /**
   * The path whose values it adds
   */
  sum?: string
  /**
   * Only decisions for which this condition holds
   */
  when?: string
}
export interface DescribeListsRequest {
  /**
   * One list; without it, all lists
   */
  name?: string
}
/**
 * The lists
 */
export interface DescribedLists {
  /**
   * By name
   */
  lists: List[]
}
/**
 * A list of values
 */
export interface List {
  /**
   * The name that rules use
   */
  name: string
  /**
   * What its entries are. `ip` has IP addresses and CIDR ranges; `text` has any texts of your params
   */
  kind: 'phoneNumber' | 'userId' | 'deviceId' | 'ip' | 'networkOperator' | 'email' | 'emailDomain' | 'text'
  /**
   * What the list is for. A decision whose rule fires with a value in a list to block or watch has a reason, which raises its score. What else happens, rules say
   */
  purpose: 'allow' | 'block' | 'watch'
  description?: string
  /**
   * Number of entries; an expired one counts for up to two hours
   */
  entries: number
  /**
   * When the list was created; ISO 8601 UTC
   */
  createdAt: string
  /**
   * Who created it
   */
  createdBy: string
  /**
   * The last change of the list or of an entry; ISO 8601 UTC
   */
  changedAt: string
}
export interface ReadListRequest {
  /**
   * Name of the list: letters, digits, - and _
   */
  name: string
  /**
   * `next` of the previous page
   */
  cursor?: string
  /**
   * Entries of a page. Default: 100
   */
  limit?: number
}
/**
 * A page of entries. An entry that changes meanwhile comes again
 */
export interface ListPage {
  /**
   * Last changed last; entries that expired are left out
   */
  entries: ListEntry[]
  /**
   * Cursor of the next page; absent on the last page
   */
  next?: string
}
/**
 * A value of a list
 */
export interface ListEntry {
  /**
   * In the form in which it is compared
   */
  value: string
  note?: string
  /**
   * When it was added; ISO 8601 UTC
   */
  addedAt: string
  /**
   * Who added it, or changed it last
   */
  by: string
  /**
   * From then on it does not match; absent: it does not expire; ISO 8601 UTC
   */
  expiresAt?: string
}
export interface LookUpListRequest {
  /**
   * Name of the list: letters, digits, - and _
   */
  name: string
  /**
   * A value of the list’s kind
   */
  value: string
}
/**
 * Whether a value is in a list
 */
export interface ListLookUp {
  /**
   * What inList says in a rule
   */
  inList: boolean
  /**
   * The entries that match: several for an IP address within several ranges, the smallest range first
   */
  entries: ListEntry[]
}
export interface AdminCreateListRequest {
  /**
   * Name of the list: letters, digits, - and _
   */
  name: string
  /**
   * What its entries are. `ip` has IP addresses and CIDR ranges; `text` has any texts of your params
   */
  kind: 'phoneNumber' | 'userId' | 'deviceId' | 'ip' | 'networkOperator' | 'email' | 'emailDomain' | 'text'
  /**
   * What the list is for. A decision whose rule fires with a value in a list to block or watch has a reason, which raises its score. What else happens, rules say
   */
  purpose: 'allow' | 'block' | 'watch'
  /**
   * What the list is about
   */
  description?: string
}
export interface DeleteListRequest {
  /**
   * Name of the list: letters, digits, - and _
   */
  name: string
}
/**
 * The list is deleted
 */
export interface DeletedList {
  /**
   * False when there was no such list
   */
  deleted: boolean
}
export interface AdminAddListEntriesRequest {
  /**
   * Name of the list: letters, digits, - and _
   */
  name: string
  /**
   * One wrong entry refuses the call
   */
  entries: {
    /**
     * A value of the list’s kind
     */
    value: string
    /**
     * Why it is in the list
     */
    note?: string
    /**
     * RFC 3339, in the future; full seconds count
     */
    expiresAt?: string
  }[]
}
/**
 * The entries are stored
 */
export interface AddedListEntries {
  /**
   * Entries that are new
   */
  added: number
  /**
   * Entries that existed with another note or expiry
   */
  changed: number
  /**
   * Entries that existed like this, and repetitions within the call
   */
  unchanged: number
}
export interface PreviewListImportRequest {
  /**
   * Name of the list: letters, digits, - and _
   */
  name: string
  /**
   * Whole lines of a file: one value in a line, or CSV. The first line may be a head with value, expires and note. At most 1,000 lines
   */
  lines: string
  /**
   * The first line of the file, for a piece that does not begin it
   */
  head?: string
  /**
   * Number of the first line, from 1
   */
  fromLine?: number
}
/**
 * What an import would change
 */
export interface PreviewedListImport {
  /**
   * In their order; without empty lines, comments and the head
   */
  lines: {
    /**
     * From 1
     */
    line: number
    /**
     * changed: the value is in the list with another note or expiry
     */
    state: 'new' | 'changed' | 'unchanged' | 'malformed'
    /**
     * In the form in which it is compared; absent when malformed
     */
    value?: string
    note?: string
    /**
     * ISO 8601 UTC
     */
    expiresAt?: string
    /**
     * What is wrong with a malformed line
     */
    mistake?: string
  }[]
}
export interface RemoveListEntriesRequest {
  /**
   * Name of the list: letters, digits, - and _
   */
  name: string
  /**
   * Items: A value of the list’s kind
   */
  values: string[]
}
/**
 * The values are not in the list any more
 */
export interface RemovedListEntries {
  /**
   * Entries that were in the list; a repeated call answers 0
   */
  removed: number
}
/**
 * The words of rules
 */
export interface RuleVocabulary {
  /**
   * What rules may read
   */
  paths: {
    path: string
    /**
     * flag: true or false
     */
    kind: 'flag' | 'number' | 'text' | 'any'
    /**
     * The allowed texts
     */
    values?: string[]
    unit?: string
    /**
     * What it means
     */
    description: string
  }[]
  openParts: {
    /**
     * Followed by a key of yours: params.
     */
    prefix: string
    kind: 'flag' | 'number' | 'text' | 'any'
    /**
     * What it means
     */
    description: string
  }[]
  operators: {
    operator: string
    /**
     * Paths that it compares
     */
    kinds: ('flag' | 'number' | 'text' | 'any')[]
    /**
     * What it means
     */
    description: string
  }[]
  /**
   * What `per` of a velocity may be, besides params
   */
  velocityKeys: string[]
  lists: {
    name: string
    /**
     * What its entries are. `ip` has IP addresses and CIDR ranges; `text` has any texts of your params
     */
    kind: 'phoneNumber' | 'userId' | 'deviceId' | 'ip' | 'networkOperator' | 'email' | 'emailDomain' | 'text'
    /**
     * That fit its kind
     */
    paths: string[]
  }[]
}
export interface CheckRulesRequest {
  /**
   * A rules file: YAML or JSON
   */
  text?: string
  /**
   * Instead of text: the rules of a form. `when` is a text or a tree
   */
  rules?: unknown[]
  /**
   * Beside rules: the velocities by name
   */
  velocity?: {
    [k: string]: unknown
  }
}
/**
 * What is wrong with rules, and what they do
 */
export interface CheckedRules {
  /**
   * The rules file, also of the rules of a form
   */
  text: string
  mistakes: {
    /**
     * From 1
     */
    line: number
    /**
     * From 1
     */
    column: number
    /**
     * Id of the rule, where it has one
     */
    rule?: string
    /**
     * What is wrong, and what to do
     */
    reason: string
  }[]
  /**
   * Those without a mistake
   */
  rules: {
    /**
     * Stays the same when the rule changes
     */
    id: string
    /**
     * Shown in reports
     */
    name: string
    /**
     * The condition as text
     */
    when: string
    action: 'ALLOW' | 'WARN' | 'REVIEW' | 'CHALLENGE' | 'BLOCK'
    /**
     * Added to the total when the rule fires
     */
    score: number
    description?: string
    /**
     * May be shown to the user
     */
    message?: string
    /**
     * Examples for which the rule must fire, or stay silent
     */
    cases?: {
      name?: string
      /**
       * Values by path
       */
      fires?: {
        [k: string]: unknown
      }
      /**
       * Values by path
       */
      silent?: {
        [k: string]: unknown
      }
    }[]
    /**
     * The condition as a tree, for a form
     */
    tree: {
      [k: string]: unknown
    }
  }[]
  /**
   * By name
   */
  velocity?: {
    [k: string]: unknown
  }
  /**
   * Number of cases that ran
   */
  cases: number
  /**
   * Cases that do not hold
   */
  failedCases: {
    rule: string
    /**
     * From 1
     */
    number: number
    name?: string
    expected: 'fires' | 'silent'
    /**
     * Values by path
     */
    input: {
      [k: string]: unknown
    }
  }[]
  /**
   * Rules without a case that fires, or without one that stays silent
   */
  untried: {
    rule: string
    lacks: ('fires' | 'silent')[]
  }[]
  /**
   * What is odd about valid rules
   */
  findings: {
    rule: string
    kind: 'alwaysFires' | 'neverFires' | 'firesUnknown' | 'neverDecides'
    text: string
  }[]
  /**
   * Checks that a decision makes for these rules, unless it can be decided without. Operators may charge for each
   */
  operatorCalls: {
    check: 'simSwap' | 'deviceSwap' | 'callForwarding' | 'portability' | 'roaming' | 'reachability'
    /**
     * Rules and velocities
     */
    readBy: string[]
  }[]
  cost: {
    /**
     * CPU time that one decision may take for these rules at worst, estimated from their text
     */
    microseconds: number
    /**
     * Rules that cost more cannot be live or in shadow
     */
    budget: number
    /**
     * At most three, the most expensive first
     */
    costliest: {
      /**
       * Of a rule or velocity
       */
      name: string
      microseconds: number
    }[]
  }
  /**
   * Rules that block fire for every session
   */
  blocksEverybody: boolean
}
export interface SaveRuleDraftRequest {
  /**
   * A rules file: YAML or JSON
   */
  text: string
  /**
   * The newest version that you have read. A newer one is a conflict: nothing is stored, and nothing lost
   */
  basedOn: number
  /**
   * Why
   */
  note?: string
}
/**
 * The version
 */
export interface RuleVersionAnswer {
  /**
   * Number of a version
   */
  version: number
}
export interface CompareRulesRequest {
  from: string
  to: string
}
/**
 * What differs between two versions
 */
export interface RuleDifferences {
  /**
   * In the order of the later version; what was removed is last
   */
  differences: {
    of: 'rule' | 'velocity'
    /**
     * Id of the rule, or name of the velocity
     */
    id: string
    change: 'added' | 'removed' | 'changed' | 'moved'
    fields: {
      field: string
      /**
       * Absent where the field was
       */
      before?: {
        [k: string]: unknown
      }
      after?: unknown
    }[]
  }[]
}
export interface StartRuleShadowRequest {
  /**
   * Number of a version
   */
  version: number
  /**
   * Why
   */
  note?: string
}
export interface EndRuleShadowRequest {
  /**
   * Why
   */
  note?: string
}
/**
 * What the version in shadow would have decided. Without `version`, none is in shadow
 */
export interface RuleShadowComparison {
  /**
   * Number of a version
   */
  version?: number
  /**
   * Of the last 2,000 decisions, those for which both versions ran
   */
  decisions: number
  /**
   * Those with the same action
   */
  same: number
  changes: {
    live: 'ALLOW' | 'WARN' | 'REVIEW' | 'CHALLENGE' | 'BLOCK'
    shadow: 'ALLOW' | 'WARN' | 'REVIEW' | 'CHALLENGE' | 'BLOCK'
    decisions: number
    /**
     * Ids of the newest decisions
     */
    examples: string[]
  }[]
}
/**
 * Requests to publish rules
 */
export interface Publications {
  /**
   * Newest first, at most 50
   */
  publications: Publication[]
  /**
   * whenSeveral: as soon as two people may publish. always: nobody publishes alone, also not the only one
   */
  secondPerson: 'whenSeveral' | 'always'
  /**
   * People of the tenant who may publish
   */
  publishers: number
}
/**
 * A request to publish a version of the rules
 */
export interface Publication {
  /**
   * From 1
   */
  number: number
  /**
   * Number of a version; 0 is the default rules
   */
  version: number
  /**
   * The version that was live when it was requested
   */
  insteadOf: number
  state: 'open' | 'published' | 'rejected' | 'withdrawn'
  /**
   * When; ISO 8601 UTC
   */
  requestedAt: string
  /**
   * Name of the person
   */
  requestedBy: string
  /**
   * You asked for it, so another person has to approve
   */
  isYours: boolean
  /**
   * Why
   */
  note: string
  warnings: {
    /**
     * blocksEverybody: rules that block fire for every session. blocksMany: more than 5 % of the last decisions would be blocked that are not now. Both need a second person always. notMeasured: fewer than 20 decisions are stored. untried: never in shadow or live
     */
    kind: 'blocksEverybody' | 'blocksMany' | 'notMeasured' | 'untried'
    newlyBlocked?: number
    decisions?: number
  }[]
  /**
   * When; ISO 8601 UTC
   */
  decidedAt?: string
  /**
   * Name of the person
   */
  decidedBy?: string
  decisionNote?: string
  /**
   * Published without a second person
   */
  isAlone: boolean
}
export interface PreviewPublicationRequest {
  /**
   * Number of a version; 0 is the default rules
   */
  version: number
}
/**
 * What publishing a version would do
 */
export interface PublicationPreview {
  /**
   * Number of a version; 0 is the default rules
   */
  version: number
  /**
   * The version that is live now
   */
  insteadOf: number
  /**
   * Who has to agree. nobody: there is nobody who may; invite a second publisher
   */
  agreement: 'anotherPerson' | 'alone' | 'nobody'
  /**
   * Stored decisions that were replayed, at most the last 2,000
   */
  decisions: number
  /**
   * Blocked by this version, and not by the live one
   */
  newlyBlocked: number
  /**
   * Blocked by the live version, and not by this one
   */
  noLongerBlocked: number
  warnings: {
    /**
     * blocksEverybody: rules that block fire for every session. blocksMany: more than 5 % of the last decisions would be blocked that are not now. Both need a second person always. notMeasured: fewer than 20 decisions are stored. untried: never in shadow or live
     */
    kind: 'blocksEverybody' | 'blocksMany' | 'notMeasured' | 'untried'
    newlyBlocked?: number
    decisions?: number
  }[]
}
export interface RequestPublicationRequest {
  /**
   * The version to make live; an earlier one rolls back
   */
  version: number
  /**
   * Why
   */
  note: string
  /**
   * Make it live at once: only where nobody else may approve. The audit log says so
   */
  alone?: boolean
}
export interface DecidePublicationRequest {
  /**
   * Number of the request
   */
  number: string
  /**
   * Why
   */
  note?: string
}
/**
 * When a second person has to approve rules
 */
export interface PublishPolicy {
  /**
   * whenSeveral: as soon as two people may publish. always: nobody publishes alone, also not the only one
   */
  secondPerson: 'whenSeveral' | 'always'
}
export interface StartBacktestRequest {
  /**
   * Number of a version; 0 is the default rules
   */
  version: number
  /**
   * The version to compare with. Default: the live one
   */
  against?: number
  /**
   * Decisions of the last days. Default: 30
   */
  days?: number
}
/**
 * What a version of the rules would have decided
 */
export interface Backtest {
  backtestId: string
  /**
   * Number of a version; 0 is the default rules
   */
  version: number
  /**
   * Number of a version; 0 is the default rules
   */
  against: number
  days: number
  /**
   * interrupted: the server that ran it has stopped; start it again
   */
  state: 'running' | 'done' | 'cancelled' | 'failed' | 'interrupted'
  /**
   * When; ISO 8601 UTC
   */
  startedAt: string
  startedBy: string
  /**
   * Decisions that were replayed
   */
  done: number
  /**
   * Decisions to replay
   */
  total: number
  result?: {
    all: {
      decisions: number
      /**
       * Labelled as bad
       */
      bad: number
      /**
       * Labelled as good
       */
      good: number
    }
    /**
     * Number of decisions by action
     */
    byAction: {
      ALLOW: number
      WARN: number
      REVIEW: number
      CHALLENGE: number
      BLOCK: number
    }
    precision?: {
      /**
       * Bad ones among those with a label, 0–1
       */
      share: number
      /**
       * 95 % confidence interval, 0–1
       */
      low: number
      /**
       * The same, 0–1
       */
      high: number
    }
    /**
     * Bad decisions that were not allowed, 0–1
     */
    recall?: number
    rules: {
      id: string
      name: string
      action: 'ALLOW' | 'WARN' | 'REVIEW' | 'CHALLENGE' | 'BLOCK'
      fired: {
        decisions: number
        /**
         * Labelled as bad
         */
        bad: number
        /**
         * Labelled as good
         */
        good: number
      }
      /**
       * Decisions whose action it chose
       */
      decided: number
      precision?: {
        /**
         * Bad ones among those with a label, 0–1
         */
        share: number
        /**
         * 95 % confidence interval, 0–1
         */
        low: number
        /**
         * The same, 0–1
         */
        high: number
      }
      /**
       * Bad decisions for which it fired, 0–1
       */
      recall?: number
      /**
       * Ids of decisions
       */
      examples: string[]
    }[]
    /**
     * Compared with the other version
     */
    changes: {
      from: 'ALLOW' | 'WARN' | 'REVIEW' | 'CHALLENGE' | 'BLOCK'
      to: 'ALLOW' | 'WARN' | 'REVIEW' | 'CHALLENGE' | 'BLOCK'
      decisions: {
        decisions: number
        /**
         * Labelled as bad
         */
        bad: number
        /**
         * Labelled as good
         */
        good: number
      }
      examples: string[]
    }[]
    days: {
      /**
       * In UTC
       */
      day: string
      /**
       * Number of decisions by action
       */
      byAction: {
        ALLOW: number
        WARN: number
        REVIEW: number
        CHALLENGE: number
        BLOCK: number
      }
      /**
       * Number of decisions by action
       */
      before?: {
        ALLOW: number
        WARN: number
        REVIEW: number
        CHALLENGE: number
        BLOCK: number
      }
    }[]
    operatorCalls: {
      /**
       * Decisions for which the check is made
       */
      now: {
        simSwap?: number
        callForwarding?: number
        portability?: number
      }
      /**
       * Decisions for which the check is made
       */
      before?: {
        simSwap?: number
        callForwarding?: number
        portability?: number
      }
    }
  }
}
/**
 * Backtests
 */
export interface Backtests {
  /**
   * Newest first, at most 20, without results
   */
  backtests: Backtest[]
}
export interface BacktestIdRequest {
  backtestId: string
}
/**
 * The backtest ends
 */
export interface CancelledBacktest {
  /**
   * False when it had ended
   */
  cancelled: boolean
}
/**
 * The apps of the tenant
 */
export interface ShownApps {
  /**
   * In the order of creation
   */
  apps: ShownApp[]
}
/**
 * A web site or mobile app of the tenant
 */
export interface ShownApp {
  /**
   * `rfa_…`; public
   */
  appId: string
  name: string
  /**
   * Origins of the web app
   */
  origins: string[]
  /**
   * Of iOS apps
   */
  bundleIds: string[]
  /**
   * Of Android apps
   */
  packageNames: string[]
  /**
   * Every setting, with its default
   */
  settings: {
    [k: string]: unknown
  }
  /**
   * When it was created; ISO 8601 UTC
   */
  createdAt: string
  /**
   * When it was disabled; ISO 8601 UTC
   */
  disabledAt?: string
}
/**
 * The client keys of the tenant
 */
export interface ShownClients {
  /**
   * In the order of creation
   */
  clients: ShownClient[]
}
/**
 * A client key, without its secrets
 */
export interface ShownClient {
  /**
   * `rfc_…`
   */
  clientId: string
  name: string
  /**
   * Absent: every call of a backend
   */
  scopes?: string[]
  /**
   * What it may do through the admin API; absent: nothing
   */
  role?: string
  /**
   * IP addresses and ranges; absent: from everywhere
   */
  allowedIps?: string[]
  /**
   * Valid secrets: two during a rotation, none of a revoked key
   */
  liveSecrets: number
  /**
   * With which it signs assertions for the CAMARA API; absent: none
   */
  publicKeys?: {
    /**
     * RFC 7638
     */
    keyId: string
    /**
     * When it was added; ISO 8601 UTC
     */
    createdAt: string
  }[]
  /**
   * When it ends; ISO 8601 UTC
   */
  expiresAt?: string
  /**
   * When it was created; ISO 8601 UTC
   */
  createdAt: string
  /**
   * When it was revoked; ISO 8601 UTC
   */
  revokedAt?: string
  /**
   * The last call, to a minute; ISO 8601 UTC
   */
  lastUsedAt?: string
}
/**
 * The webhooks of the tenant
 */
export interface ShownWebhooks {
  /**
   * In the order of creation
   */
  webhooks: ShownWebhook[]
}
/**
 * A webhook
 */
export interface ShownWebhook {
  webhookId: string
  url: string
  description: string
  /**
   * Types and groups of events
   */
  types: string[]
  state: 'active' | 'paused' | 'disabled'
  /**
   * When it was added; ISO 8601 UTC
   */
  createdAt: string
  /**
   * Since when no delivery has succeeded; ISO 8601 UTC
   */
  failingSince?: string
  /**
   * Why the last delivery failed
   */
  failure?: string
  /**
   * Events that wait, counted up to 100,000
   */
  waiting: number
  /**
   * Since when the oldest one waits; ISO 8601 UTC
   */
  waitingSince?: string
}
export interface WebhookAttemptsRequest {
  /**
   * webhookId of a webhook
   */
  webhookId: string
  /**
   * How many attempts it returns at most
   */
  limit?: number
}
/**
 * Deliveries of a webhook
 */
export interface WebhookAttempts {
  /**
   * Newest first
   */
  attempts: {
    eventId: string
    /**
     * Type of the event
     */
    type: string
    /**
     * When; ISO 8601 UTC
     */
    attemptedAt: string
    /**
     * In one word, such as delivered or failed
     */
    result: string
    /**
     * HTTP status of the receiver
     */
    status?: number
    durationMs: number
    /**
     * The first bytes of a refusal, or why there was no answer
     */
    answer: string
  }[]
}
/**
 * How the server that answers is doing
 */
export interface SystemState {
  /**
   * Of Ringfence
   */
  version: string
  /**
   * Of Node.js
   */
  nodeVersion: string
  /**
   * The time of the server; ISO 8601 UTC
   */
  now: string
  store: 'ready' | 'store unavailable' | 'schema too new'
  engine: 'sqlite' | 'postgres'
  /**
   * Servers that share the store
   */
  servers: number
  requestsInFlight: number
  /**
   * Requests that wait, because the server is loaded
   */
  requestsWaiting: number
  /**
   * Files and lists that answers rest on: IP addresses, phone numbers
   */
  data: {
    name: string
    /**
     * The date of the data; ISO 8601 UTC
     */
    datedAt: string
  }[]
}
export interface AdminDeviceRequest {
  /**
   * The deviceId of a report, a decision or an event
   */
  deviceId: string
}
/**
 * What is known of a device; unknown fields are omitted
 */
export interface ShownDevice {
  deviceId: string
  /**
   * The first visit that is known; ISO 8601 UTC
   */
  firstSeenAt: string
  /**
   * The last visit; ISO 8601 UTC
   */
  lastSeenAt: string
  description?: ShownDescription
  /**
   * The newest stored report; absent when all have expired
   */
  latest?: {
    /**
     * The device report
     */
    dfrId: string
    /**
     * When; ISO 8601 UTC
     */
    at: string
    /**
     * What the rules chose, such as ALLOW or BLOCK
     */
    action: string
    /**
     * Names of the rules that fired
     */
    rules: string[]
    /**
     * Names of the signals that fired
     */
    signals: string[]
    sessionRiskScore: number
    deviceRiskScore: number
    recognition?: ShownRecognition
  }
  /**
   * Those of browsers, the oldest first, at most 32; a phone has none
   */
  installations: ShownInstallation[]
  /**
   * Places, accounts and numbers are from this many of the newest visits, and from the newest events
   */
  visitsRead: number
  /**
   * Last seen first
   */
  places: ShownPlace[]
  /**
   * Last seen first
   */
  accounts: ShownAccountLink[]
  /**
   * Accounts of the last 28 days whose ids are not known here: only keyed hashes of them are stored
   */
  unknownAccounts: number
  /**
   * Last seen first
   */
  numbers: ShownNumberLink[]
  /**
   * The same of phone numbers
   */
  unknownNumbers: number
  /**
   * Newest first, at most 50
   */
  labels: ShownSubjectLabel[]
  /**
   * Those of the live rules that count per device
   */
  velocities: ShownCount[]
}
/**
 * What a device is; unknown fields are omitted
 */
export interface ShownDescription {
  /**
   * Platform of the SDK
   */
  platform: 'WEB' | 'IOS' | 'ANDROID'
  /**
   * With its version
   */
  browser?: string
  /**
   * Operating system, with its version
   */
  os?: string
  /**
   * Model of a phone
   */
  model?: string
  /**
   * As the browser reports it
   */
  userAgent?: string
}
/**
 * How a device was recognised, and how sure that is
 */
export interface ShownRecognition {
  /**
   * key: it proved the key of its installation; token: it sent its token; similarity: it resembles the device; none: it was new
   */
  by: 'key' | 'token' | 'similarity' | 'none'
  /**
   * The probability that the deviceId is right
   */
  confidence: number
  /**
   * Why a token was not followed
   */
  token?: 'copied' | 'expired' | 'forged' | 'foreign'
  /**
   * How many facts the device did not report
   */
  factsMissing?: number
}
/**
 * A browser profile or app of a device
 */
export interface ShownInstallation {
  installationId: string
  /**
   * It has a key that it proves at each visit; else a token only
   */
  hasKey: boolean
  /**
   * A visit that resembled the device made it; else it is the first of the device
   */
  bySimilarity: boolean
  /**
   * How sure that visit was; 0 to 1
   */
  confidence?: number
  /**
   * established: two visits a day apart; new: not yet; unlisted: it equals another one, or reported too little
   */
  stage: 'unlisted' | 'new' | 'established'
  /**
   * The first visit; ISO 8601 UTC
   */
  firstSeenAt: string
  /**
   * The last visit; ISO 8601 UTC
   */
  lastSeenAt: string
}
/**
 * Where visits came from, by their IP address: a rough place
 */
export interface ShownPlace {
  /**
   * ISO 3166-1 alpha-2
   */
  country?: string
  /**
   * English name
   */
  city?: string
  /**
   * Degrees north
   */
  latitude: number
  /**
   * Degrees east
   */
  longitude: number
  /**
   * The person was probably within it
   */
  radiusKm?: number
  /**
   * How many of the visits that were read were here
   */
  visits: number
  /**
   * The last of them; ISO 8601 UTC
   */
  lastSeenAt: string
}
/**
 * An account that was seen with a device
 */
export interface ShownAccountLink {
  /**
   * Your id of the user
   */
  userId: string
  /**
   * The account trusts the device
   */
  trusted: boolean
  /**
   * backend: a decision, label or confirmed device; page: the page or app only, which is a hint
   */
  saidBy: 'backend' | 'page'
  /**
   * The first time, of what was read; ISO 8601 UTC
   */
  firstSeenAt: string
  /**
   * The last time; ISO 8601 UTC
   */
  lastSeenAt: string
}
/**
 * A phone number that was seen with a device or user
 */
export interface ShownNumberLink {
  /**
   * Digits with country code
   */
  phoneNumber: string
  /**
   * backend: a decision, label or confirmed device; page: the page or app only, which is a hint
   */
  saidBy: 'backend' | 'page'
  /**
   * The first time, of what was read; ISO 8601 UTC
   */
  firstSeenAt: string
  /**
   * The last time; ISO 8601 UTC
   */
  lastSeenAt: string
}
/**
 * How a session turned out
 */
export interface ShownSubjectLabel {
  label: 'fraud' | 'chargeback' | 'accountTakeover' | 'abuse' | 'legitimate'
  /**
   * When this became known; ISO 8601 UTC
   */
  knownAt: string
  /**
   * The device report that has it
   */
  dfrId?: string
  /**
   * The decision that has it
   */
  decisionId?: string
}
/**
 * What a velocity of the live rules counts now
 */
export interface ShownCount {
  /**
   * Rules read it as velocity.NAME
   */
  name: string
  measure: 'count' | 'distinct' | 'sum'
  /**
   * Whose values it counts or adds
   */
  path?: string
  /**
   * Whose decisions it counts
   */
  per: string
  /**
   * Length of the window, such as 24h
   */
  within: string
  /**
   * What it counts now
   */
  value: number
  /**
   * Only decisions for which this condition holds
   */
  when?: string
}
export interface AdminDeviceVisitsRequest {
  /**
   * The deviceId of a report, a decision or an event
   */
  deviceId: string
  /**
   * How many visits a page has at most
   */
  limit?: number
  /**
   * nextCursor of the page before; send the same deviceId
   */
  cursor?: string
}
/**
 * A page of the visits of a device
 */
export interface ShownVisits {
  /**
   * Newest first
   */
  visits: ShownVisit[]
  /**
   * Where the next page begins; absent on the last page
   */
  nextCursor?: string
}
/**
 * A visit: an analysis with a report
 */
export interface ShownVisit {
  /**
   * When; ISO 8601 UTC
   */
  at: string
  /**
   * The device report
   */
  dfrId: string
  /**
   * Names of the signals that fired
   */
  signals: string[]
  /**
   * Of the IP address; ISO 3166-1 alpha-2
   */
  country?: string
  /**
   * False: the report has expired; only time, country, signals and label remain
   */
  isStored: boolean
  /**
   * How the session turned out
   */
  label?: 'fraud' | 'chargeback' | 'accountTakeover' | 'abuse' | 'legitimate'
  /**
   * requestId of the engine call
   */
  requestId?: string
  /**
   * The app
   */
  appId?: string
  /**
   * The browser profile or app
   */
  installationId?: string
  recognition?: ShownRecognition
  description?: ShownDescription
  /**
   * IP address
   */
  ipAddress?: string
  /**
   * Who runs the network
   */
  network?: string
  place?: {
    /**
     * ISO 3166-1 alpha-2
     */
    country?: string
    /**
     * English name
     */
    city?: string
    /**
     * Degrees north
     */
    latitude: number
    /**
     * Degrees east
     */
    longitude: number
    /**
     * The person was probably within it
     */
    radiusKm?: number
  }
  /**
   * Your id of the user, as the page or app sent it: a hint
   */
  userId?: string
  /**
   * Digits with country code, as the page or app sent it: a hint
   */
  phoneNumber?: string
  /**
   * 0 to 100
   */
  sessionRiskScore?: number
  /**
   * With the history of the device; 0 to 100
   */
  deviceRiskScore?: number
  /**
   * What the rules chose, such as ALLOW or BLOCK
   */
  action?: string
  /**
   * Names of the rules that fired
   */
  rules?: string[]
  /**
   * Since the visit before. Absent: there is none, or the report of one of the two has expired
   */
  changes?: ShownChange[]
}
/**
 * What differs from the visit before
 */
export interface ShownChange {
  kind: 'signal' | 'device' | 'network' | 'place' | 'person' | 'installation'
  /**
   * Name of the signal or field
   */
  what: string
  /**
   * Absent: it was not known, or the signal did not fire
   */
  before?: string
  /**
   * Absent: it is not known, or the signal does not fire
   */
  after?: string
}
/**
 * How much was deleted
 */
export interface ForgottenDevice {
  installations: number
  /**
   * With their reports
   */
  visits: number
  labels: number
  /**
   * Accounts that knew the device
   */
  accounts: number
}
export interface CreateAppRequest {
  /**
   * Name of the app, shown in lists
   */
  name: string
  /**
   * Origins of the web app, such as `https://shop.example`; on localhost the port may be `*`: `http://localhost:*`
   */
  origins?: string[]
  /**
   * Bundle ids of iOS apps: letters, digits, dots, hyphens and underscores
   */
  bundleIds?: string[]
  /**
   * Package names of Android apps: letters, digits, dots, hyphens and underscores
   */
  packageNames?: string[]
  /**
   * Settings to change; null restores the default. The others stay as they are
   */
  settings?: {
    [k: string]: unknown
  }
}
export interface UpdateAppRequest {
  /**
   * appId of an app: `rfa_…`
   */
  appId: string
  /**
   * Name of the app, shown in lists
   */
  name?: string
  /**
   * Origins of the web app, such as `https://shop.example`; on localhost the port may be `*`: `http://localhost:*`
   */
  origins?: string[]
  /**
   * Bundle ids of iOS apps: letters, digits, dots, hyphens and underscores
   */
  bundleIds?: string[]
  /**
   * Package names of Android apps: letters, digits, dots, hyphens and underscores
   */
  packageNames?: string[]
  /**
   * Settings to change; null restores the default. The others stay as they are
   */
  settings?: {
    [k: string]: unknown
  }
}
export interface DisableAppRequest {
  /**
   * appId of an app: `rfa_…`
   */
  appId: string
}
export interface CreateClientRequest {
  /**
   * Name of the key, shown in lists
   */
  name: string
  /**
   * Only calls of these scopes. Without any: every call of a backend
   */
  scopes?: (
    | 'decisions'
    | 'reviews'
    | 'telecom'
    | 'tokens'
    | 'device'
    | 'labels'
    | 'events'
    | 'lists'
    | 'messages'
    | 'admin'
  )[]
  /**
   * Allows calls of the admin API with the permissions of this role, none of which you may lack. With scopes, `admin` must be one of them
   */
  role?: string
  /**
   * Only from these IP addresses and CIDR blocks
   */
  allowedIps?: string[]
  /**
   * When it ends; RFC 3339, in the future
   */
  expiresAt?: string
}
/**
 * A client key with a new secret
 */
export interface IssuedClient {
  /**
   * `rfc_…`
   */
  clientId: string
  /**
   * `rfs_…`; shown only now, since the store has only a hash of it
   */
  clientSecret: string
}
export interface ClientRequest {
  /**
   * clientId of a client: `rfc_…`
   */
  clientId: string
}
/**
 * What was revoked is refused within a second
 */
export interface RevokedSecrets {
  /**
   * False when nothing was left to revoke
   */
  revoked: boolean
}
export interface AddPublicKeyRequest {
  /**
   * clientId of a client: `rfc_…`
   */
  clientId: string
  /**
   * An RSA, EC or Ed25519 public key, as PEM or JWK; never the private one
   */
  publicKey: string
}
/**
 * A public key with which the client may authenticate
 */
export interface AddedPublicKey {
  /**
   * Thumbprint of the key (RFC 7638)
   */
  keyId: string
}
export interface RemovePublicKeyRequest {
  /**
   * clientId of a client: `rfc_…`
   */
  clientId: string
  /**
   * Thumbprint of the key (RFC 7638)
   */
  keyId: string
}
/**
 * Assertions of a removed key are refused at once
 */
export interface RemovedPublicKey {
  /**
   * False when the client did not have it
   */
  removed: boolean
}
export interface AddWebhookRequest {
  /**
   * Where to deliver: https, with a public IP address
   */
  url: string
  /**
   * Types of events, groups such as `decision.*`, or `*` for all that are always recorded
   */
  types: string[]
  /**
   * Shown in lists
   */
  description?: string
}
/**
 * A webhook with a new secret
 */
export interface AddedWebhook {
  webhookId: string
  /**
   * `whsec_…`; shown only now. Verify each delivery with it
   */
  secret: string
}
export interface WebhookRequest {
  /**
   * webhookId of a webhook
   */
  webhookId: string
}
/**
 * The state of a webhook from now on
 */
export interface WebhookState {
  webhookId: string
  state: 'active' | 'paused'
}
/**
 * The webhook is removed
 */
export interface RemovedWebhook {
  removed: boolean
}
/**
 * The test event waits for delivery
 */
export interface TestedWebhook {
  /**
   * Of the test event
   */
  eventId: string
}
export interface ReplayWebhookRequest {
  /**
   * webhookId of a webhook
   */
  webhookId: string
  /**
   * The event to send again; or send `since`
   */
  eventId?: string
  /**
   * Events from this time on, RFC 3339; or send `eventId`
   */
  since?: string
  /**
   * Events before this time; required with since
   */
  until?: string
  /**
   * `next` of the call before
   */
  cursor?: string
}
/**
 * Events are sent again
 */
export interface ReplayedEvents {
  /**
   * Events of this call that are sent again
   */
  events: number
  /**
   * There are more: send it as `cursor`
   */
  next?: string
}
/**
 * The people of the tenant
 */
export interface People {
  /**
   * In the order in which they joined; at most 1,000
   */
  people: ListedPerson[]
}
/**
 * Somebody with a role in the tenant
 */
export interface ListedPerson {
  personId: string
  name: string
  email: string
  /**
   * owner, admin, analyst, support, viewer, or a role of the tenant
   */
  role: string
  /**
   * For If-Match. It grows with each change of the role
   */
  version: number
  /**
   * resetPending: can only sign in by the link of a reset. noAccess: the role does not exist
   */
  state: 'active' | 'resetPending' | 'noAccess'
  /**
   * Whether this person makes the call
   */
  isYou: boolean
  /**
   * What the person can sign in with, besides the password
   */
  secondFactors: {
    authenticatorApp: boolean
    /**
     * How many are left
     */
    recoveryCodes: number
    /**
     * How many the person has; each is a way in without a password
     */
    passkeys: number
  }
  /**
   * The issuer of the identity provider that the person signs in with; absent for others
   */
  singleSignOn?: string
  /**
   * When the person got a role in this tenant; ISO 8601 UTC
   */
  joinedAt: string
  /**
   * The last sign-in; absent when it is not known; ISO 8601 UTC
   */
  lastSignInAt?: string
}
export interface ChangeRoleRequest {
  /**
   * personId of a person
   */
  personId: string
  /**
   * owner, admin, analyst, support, viewer, or a role of the tenant
   */
  role: string
}
/**
 * The role that the person has now
 */
export interface ChangedPerson {
  personId: string
  /**
   * owner, admin, analyst, support, viewer, or a role of the tenant
   */
  role: string
  /**
   * For the next change
   */
  version: number
}
export interface PersonRequest {
  /**
   * personId of a person
   */
  personId: string
}
/**
 * The person has no role in the tenant any more
 */
export interface RemovedPerson {
  personId: string
  removed: boolean
}
/**
 * A one-time link
 */
export interface NewInvitation {
  /**
   * The one-time link. It is shown once; send it to nobody else
   */
  url: string
  invitation: ListedInvitation
}
/**
 * A one-time link that nobody has used yet
 */
export interface ListedInvitation {
  invitationId: string
  /**
   * owner, admin, analyst, support, viewer, or a role of the tenant
   */
  role: string
  /**
   * Absent: whoever has the link chooses
   */
  email?: string
  /**
   * Whose password and second factor the link resets
   */
  personId?: string
  /**
   * Who made it
   */
  invitedBy?: string
  /**
   * When it was made; ISO 8601 UTC
   */
  createdAt?: string
  /**
   * When the link ends; ISO 8601 UTC
   */
  expiresAt: string
}
/**
 * One-time links that nobody has used yet
 */
export interface Invitations {
  /**
   * Those that end last first; at most 200
   */
  invitations: ListedInvitation[]
}
export interface InviteRequest {
  /**
   * owner, admin, analyst, support, viewer, or a role of the tenant
   */
  role: string
  /**
   * Email address
   */
  email?: string
  /**
   * How long the link works. Default: 24
   */
  hours?: number
}
export interface WithdrawInvitationRequest {
  /**
   * invitationId of an invitation
   */
  invitationId: string
}
/**
 * The link does not work any more
 */
export interface WithdrawnInvitation {
  /**
   * False when it was used or had ended
   */
  withdrawn: boolean
}
/**
 * The roles of the tenant, and all permissions
 */
export interface Roles {
  /**
   * Built-in roles first, then own ones by name; at most 50
   */
  roles: ListedRole[]
  /**
   * From which roles are made
   */
  permissions: {
    name:
      | 'decisions.read'
      | 'decisions.label'
      | 'decisions.try'
      | 'personalData.read'
      | 'personalData.reveal'
      | 'privacy.read'
      | 'privacy.export'
      | 'privacy.erase'
      | 'reviews.read'
      | 'reviews.resolve'
      | 'reviews.policy'
      | 'users.read'
      | 'users.write'
      | 'devices.read'
      | 'devices.forget'
      | 'numbers.read'
      | 'numbers.check'
      | 'rules.read'
      | 'rules.write'
      | 'rules.publish'
      | 'rules.policy'
      | 'lists.read'
      | 'lists.write'
      | 'apps.read'
      | 'apps.write'
      | 'keys.read'
      | 'keys.write'
      | 'webhooks.read'
      | 'webhooks.write'
      | 'signins.read'
      | 'signins.test'
      | 'audit.read'
      | 'system.read'
      | 'people.read'
      | 'people.write'
      | 'system.check'
      | 'demo.remove'
    /**
     * In words that follow "may"
     */
    allows: string
  }[]
}
/**
 * A role of the tenant
 */
export interface ListedRole {
  /**
   * owner, admin, analyst, support, viewer, or the name of an own role
   */
  name: string
  /**
   * What the role is for
   */
  description: string
  /**
   * What the role allows
   */
  permissions: (
    | 'decisions.read'
    | 'decisions.label'
    | 'decisions.try'
    | 'personalData.read'
    | 'personalData.reveal'
    | 'privacy.read'
    | 'privacy.export'
    | 'privacy.erase'
    | 'reviews.read'
    | 'reviews.resolve'
    | 'reviews.policy'
    | 'users.read'
    | 'users.write'
    | 'devices.read'
    | 'devices.forget'
    | 'numbers.read'
    | 'numbers.check'
    | 'rules.read'
    | 'rules.write'
    | 'rules.publish'
    | 'rules.policy'
    | 'lists.read'
    | 'lists.write'
    | 'apps.read'
    | 'apps.write'
    | 'keys.read'
    | 'keys.write'
    | 'webhooks.read'
    | 'webhooks.write'
    | 'signins.read'
    | 'signins.test'
    | 'audit.read'
    | 'system.read'
    | 'people.read'
    | 'people.write'
    | 'system.check'
    | 'demo.remove'
  )[]
  /**
   * Every tenant has it, and nobody can change it
   */
  isBuiltIn: boolean
  /**
   * For If-Match. Absent for a built-in role
   */
  version?: number
  /**
   * How many people have it
   */
  people: number
  /**
   * How many client keys have it
   */
  keys: number
  /**
   * How many open one-time links give it
   */
  invitations: number
}
export interface CreateRoleRequest {
  /**
   * Name of the role: lower-case letters, digits and hyphens, such as `fraud-lead`
   */
  name: string
  /**
   * What the role is for
   */
  description?: string
  /**
   * What the role allows. You need each of them yourself
   */
  permissions: (
    | 'decisions.read'
    | 'decisions.label'
    | 'decisions.try'
    | 'personalData.read'
    | 'personalData.reveal'
    | 'privacy.read'
    | 'privacy.export'
    | 'privacy.erase'
    | 'reviews.read'
    | 'reviews.resolve'
    | 'reviews.policy'
    | 'users.read'
    | 'users.write'
    | 'devices.read'
    | 'devices.forget'
    | 'numbers.read'
    | 'numbers.check'
    | 'rules.read'
    | 'rules.write'
    | 'rules.publish'
    | 'rules.policy'
    | 'lists.read'
    | 'lists.write'
    | 'apps.read'
    | 'apps.write'
    | 'keys.read'
    | 'keys.write'
    | 'webhooks.read'
    | 'webhooks.write'
    | 'signins.read'
    | 'signins.test'
    | 'audit.read'
    | 'system.read'
    | 'people.read'
    | 'people.write'
    | 'system.check'
    | 'demo.remove'
  )[]
}
/**
 * A role that the tenant has made
 */
export interface OwnRole {
  name: string
  description: string
  /**
   * What the role allows now
   */
  permissions: (
    | 'decisions.read'
    | 'decisions.label'
    | 'decisions.try'
    | 'personalData.read'
    | 'personalData.reveal'
    | 'privacy.read'
    | 'privacy.export'
    | 'privacy.erase'
    | 'reviews.read'
    | 'reviews.resolve'
    | 'reviews.policy'
    | 'users.read'
    | 'users.write'
    | 'devices.read'
    | 'devices.forget'
    | 'numbers.read'
    | 'numbers.check'
    | 'rules.read'
    | 'rules.write'
    | 'rules.publish'
    | 'rules.policy'
    | 'lists.read'
    | 'lists.write'
    | 'apps.read'
    | 'apps.write'
    | 'keys.read'
    | 'keys.write'
    | 'webhooks.read'
    | 'webhooks.write'
    | 'signins.read'
    | 'signins.test'
    | 'audit.read'
    | 'system.read'
    | 'people.read'
    | 'people.write'
    | 'system.check'
    | 'demo.remove'
  )[]
  /**
   * For the next change
   */
  version: number
}
/**
 * What is left out stays as it is
 */
export interface EditRoleRequest {
  /**
   * Name of the role: lower-case letters, digits and hyphens, such as `fraud-lead`
   */
  name: string
  /**
   * What the role is for
   */
  description?: string
  /**
   * What the role allows. You need each of them yourself
   */
  permissions?: (
    | 'decisions.read'
    | 'decisions.label'
    | 'decisions.try'
    | 'personalData.read'
    | 'personalData.reveal'
    | 'privacy.read'
    | 'privacy.export'
    | 'privacy.erase'
    | 'reviews.read'
    | 'reviews.resolve'
    | 'reviews.policy'
    | 'users.read'
    | 'users.write'
    | 'devices.read'
    | 'devices.forget'
    | 'numbers.read'
    | 'numbers.check'
    | 'rules.read'
    | 'rules.write'
    | 'rules.publish'
    | 'rules.policy'
    | 'lists.read'
    | 'lists.write'
    | 'apps.read'
    | 'apps.write'
    | 'keys.read'
    | 'keys.write'
    | 'webhooks.read'
    | 'webhooks.write'
    | 'signins.read'
    | 'signins.test'
    | 'audit.read'
    | 'system.read'
    | 'people.read'
    | 'people.write'
    | 'system.check'
    | 'demo.remove'
  )[]
}
export interface RoleRequest {
  /**
   * Name of the role: lower-case letters, digits and hyphens, such as `fraud-lead`
   */
  name: string
}
/**
 * The role does not exist any more
 */
export interface RemovedRole {
  name: string
  removed: boolean
}
/**
 * How people of the tenant sign in with their identity provider
 */
export interface SingleSignOn {
  /**
   * For If-Match; 0 while nothing is configured
   */
  version: number
  /**
   * The redirect URI to register at the identity provider
   */
  callbackUrl: string
  /**
   * Absent while nothing is configured
   */
  connection?: {
    ssoId: string
    /**
     * Opens the identity provider at once
     */
    signInUrl: string
    /**
     * Shown on the sign-in page: "Continue with NAME"
     */
    name: string
    /**
     * The issuer, as `/.well-known/openid-configuration` below it has it: `https://login.example/realms/shop`. It must be reachable over https at a public IP address, unless the operator of the server allows others
     */
    issuer: string
    /**
     * The client id that the identity provider gave you
     */
    clientId: string
    /**
     * Whether a client secret is stored; it is never returned
     */
    hasSecret: boolean
    /**
     * Scopes to request; `openid` is always among them. Default: `openid`, `profile` and `email`
     */
    scopes: string[]
    /**
     * The claim with the groups of a person: a list of texts, or one text. `realm_access.roles` is the claim `roles` within `realm_access`. Default: `groups`
     */
    groupsClaim: string
    /**
     * The first group of this list that a person has gives the role. Somebody with none of them is refused
     */
    roles: {
      /**
       * A value of the claim
       */
      group: string
      /**
       * A role of the tenant, but not owner: owners sign in without an identity provider
       */
      role: string
    }[]
    /**
     * Whether a first sign-in makes the person. Else only those get in who have signed in before
     */
    makesPeople: boolean
    /**
     * Who may still use the tenant with a password or passkey. `ownersOnly`: owners, so that somebody gets in when the identity provider fails
     */
    passwords: 'allowed' | 'ownersOnly'
    /**
     * The redirect URI of sign-ins. `own` (default): `callbackUrl`. `shared`: `BASE_URL/console/sso` of earlier versions, while `callbackUrl` is not registered yet; only as long as no other tenant has a connection
     */
    callback: 'own' | 'shared'
    /**
     * Whether the sign-in page offers it to everybody. Else people open the sign-in URL
     */
    isListed: boolean
    /**
     * Whether people can sign in with it
     */
    isEnabled: boolean
  }
}
export interface SaveSsoRequest {
  /**
   * Shown on the sign-in page: "Continue with NAME"
   */
  name: string
  /**
   * The issuer, as `/.well-known/openid-configuration` below it has it: `https://login.example/realms/shop`. It must be reachable over https at a public IP address, unless the operator of the server allows others
   */
  issuer: string
  /**
   * The client id that the identity provider gave you
   */
  clientId: string
  /**
   * Stored sealed. Left out, the stored one stays, unless issuer or client id change. Without any, the client is a public one with PKCE
   */
  clientSecret?: string
  /**
   * Scopes to request; `openid` is always among them. Default: `openid`, `profile` and `email`
   */
  scopes?: string[]
  /**
   * The claim with the groups of a person: a list of texts, or one text. `realm_access.roles` is the claim `roles` within `realm_access`. Default: `groups`
   */
  groupsClaim?: string
  /**
   * The first group of this list that a person has gives the role. Somebody with none of them is refused
   */
  roles: {
    /**
     * A value of the claim
     */
    group: string
    /**
     * A role of the tenant, but not owner: owners sign in without an identity provider
     */
    role: string
  }[]
  /**
   * Whether a first sign-in makes the person. Else only those get in who have signed in before
   */
  makesPeople?: boolean
  /**
   * Who may still use the tenant with a password or passkey. `ownersOnly`: owners, so that somebody gets in when the identity provider fails
   */
  passwords?: 'allowed' | 'ownersOnly'
  /**
   * The redirect URI of sign-ins. `own` (default): `callbackUrl`. `shared`: `BASE_URL/console/sso` of earlier versions, while `callbackUrl` is not registered yet; only as long as no other tenant has a connection
   */
  callback?: 'own' | 'shared'
  /**
   * Whether the sign-in page offers it to everybody. Else people open the sign-in URL
   */
  isListed?: boolean
  /**
   * Whether people can sign in with it
   */
  isEnabled?: boolean
}
/**
 * Nobody signs in with the identity provider any more
 */
export interface RemovedSso {
  /**
   * False when nothing was configured
   */
  removed: boolean
}
export interface TestSsoRequest {
  /**
   * The issuer, as `/.well-known/openid-configuration` below it has it: `https://login.example/realms/shop`. It must be reachable over https at a public IP address, unless the operator of the server allows others
   */
  issuer: string
}
/**
 * What the identity provider says about itself
 */
export interface SsoTest {
  /**
   * Whether a sign-in can work
   */
  isReady: boolean
  findings: {
    isOk: boolean
    /**
     * What was found
     */
    text: string
  }[]
}
/**
 * Identity providers that the sign-in page offers
 */
export interface SsoConnections {
  /**
   * Those that their tenants show to everybody; at most 20
   */
  connections: {
    ssoId: string
    /**
     * Shown on the sign-in page: "Continue with NAME"
     */
    name: string
  }[]
}
export interface StartSsoRequest {
  /**
   * ssoId of a connection
   */
  ssoId: string
  /**
   * The page of the console to open afterwards. Default: `/console`
   */
  returnTo?: string
}
/**
 * A sign-in that this browser has begun
 */
export interface StartedSso {
  /**
   * Send the browser there within ten minutes
   */
  authorizationUrl: string
}
export interface FinishSsoRequest {
  /**
   * The last part of the path that the identity provider returned to; left out at `/console/sso`
   */
  ssoId?: string
  /**
   * `state` of the URL
   */
  state: string
  /**
   * `code` of the URL
   */
  code?: string
  /**
   * `iss` of the URL (RFC 9207)
   */
  iss?: string
  /**
   * `error` of the URL
   */
  error?: string
}
/**
 * The person is signed in
 */
export interface FinishedSso {
  /**
   * The page of the console to open
   */
  returnTo: string
  me: Me
}
/**
 * How people sign in
 */
export interface SignInSetUp {
  /**
   * Of the configuration file
   */
  channels: {
    /**
     * As in the configuration file
     */
    name: string
    /**
     * Its kind, such as smtp
     */
    type: string
    /**
     * SMS, WHATSAPP, EMAIL, GOOGLE …
     */
    method: string
    /**
     * A message with a code or link, or an identity provider
     */
    form: 'message' | 'redirect'
    /**
     * Of messages
     */
    recipient?: 'MOBILE' | 'EMAIL'
    /**
     * False for an outbox, which shows messages and sends nothing
     */
    sends: boolean
  }[]
  limits: {
    /**
     * Name of the setting
     */
    name: string
    /**
     * Messages that are sent at most
     */
    most: number
    /**
     * For each person, app or tenant, and in which time
     */
    of: string
  }[]
  /**
   * Live apps: messages against their limit
   */
  apps: {
    appId: string
    name: string
    /**
     * Messages of this hour (UTC)
     */
    sentThisHour: number
    mostPerHour: number
  }[]
  /**
   * open: this service is a sandbox, and readOutbox shows its messages
   */
  outbox: 'open' | 'closed'
}
export interface SignInCountsRequest {
  /**
   * How many days, with today (UTC)
   */
  days?: number
}
/**
 * How sign-ins and their messages went
 */
export interface SignInCounts {
  /**
   * The first moment that is counted; ISO 8601 UTC
   */
  since: string
  /**
   * False when there were more events than are read: then only the newest of each type are counted
   */
  isComplete: boolean
  /**
   * Newest day first
   */
  counts: {
    /**
     * YYYY-MM-DD, UTC
     */
    day: string
    /**
     * sign_in.started, .completed, .failed, .refused, or otp.delivery
     */
    type: string
    /**
     * SMS, EMAIL, GOOGLE …
     */
    method: string
    /**
     * In one word, such as accepted or failed
     */
    outcome: string
    count: number
  }[]
  /**
   * Why messages failed and sign-ins were refused; most frequent first
   */
  reasons: {
    reason: string
    count: number
  }[]
}
/**
 * Messages that were shown and not sent
 */
export interface OutboxMessages {
  /**
   * Newest first; at most 100, of this server since it started
   */
  messages: {
    /**
     * When; ISO 8601 UTC
     */
    at: string
    method: string
    to: string
    subject: string
    text: string
  }[]
}
export interface TestChannelRequest {
  /**
   * Name of a channel that sends messages
   */
  channel: string
  /**
   * Phone number (digits with country code) or email address, as the channel needs it
   */
  to: string
}
/**
 * What the gateway did with the message
 */
export interface TestedChannel {
  /**
   * Whether the gateway accepted the message
   */
  accepted: boolean
  /**
   * Why not: timeout, unreachable, rejected, overloaded or format
   */
  reason?: string
  durationMs: number
}
/**
 * How the parts of the service are doing
 */
export interface SystemDetails {
  store: {
    /**
     * Of one read and write now; absent when it failed
     */
    latencyMs?: number
    /**
     * Size of the store; absent when it is not known
     */
    bytes?: number
    /**
     * How many are applied
     */
    migrations?: number
    /**
     * Connections of the server that answers
     */
    pools: {
      pool: 'read' | 'write'
      /**
       * Connections that work
       */
      inUse: number
      /**
       * Connections that are free
       */
      idle: number
      /**
       * Connections whose caller no longer waits
       */
      abandoned: number
      /**
       * Calls that wait for a connection
       */
      waiting: number
    }[]
  }
  /**
   * Operators and other third parties that the server has called since it started
   */
  upstreams: {
    /**
     * As in the configuration file
     */
    name: string
    /**
     * open: it keeps failing, and is not called for now
     */
    circuit: 'closed' | 'open'
    /**
     * Attempts since the server started
     */
    calls: number
    /**
     * Of these, attempts without an answer
     */
    failures: number
    /**
     * Of an attempt that succeeded
     */
    averageMs?: number
    /**
     * The last attempt; ISO 8601 UTC
     */
    lastCallAt?: string
    /**
     * The last failure; ISO 8601 UTC
     */
    lastFailureAt?: string
    /**
     * Why: timeout, unreachable, status, format or overloaded
     */
    lastFailure?: string
  }[]
  /**
   * Streams of events to a SIEM
   */
  streams: {
    /**
     * As in the configuration file
     */
    name: string
    personalData: 'masked' | 'clear'
    /**
     * Events that wait, counted up to 10,000
     */
    waiting: number
    /**
     * Since when the oldest one waits; ISO 8601 UTC
     */
    waitingSince?: string
  }[]
  /**
   * Of the tenant of who calls, and of the service
   */
  keys: {
    /**
     * Id of the master key
     */
    masterKey: string
    /**
     * Version of the data key that seals
     */
    dataKey: number
    /**
     * Versions that still open
     */
    otherDataKeys: number[]
    /**
     * Absent when none is in progress
     */
    rotation?: {
      step: string
      table: string
      /**
       * So far
       */
      rowsResealed: number
      /**
       * When it began; ISO 8601 UTC
       */
      startedAt: string
    }
    /**
     * Keys that sign ID tokens
     */
    signingKeys: {
      keyId: string
      use: string
      /**
       * When it signs or signed first; ISO 8601 UTC
       */
      startsAt: string
    }[]
  }
}
/**
 * What the telecom checks of the tenant cost
 */
export interface Spending {
  /**
   * ISO 4217; absent: the configuration has no prices
   */
  currency?: string
  /**
   * The day in UTC: 2026-11-26
   */
  today: string
  /**
   * The daily caps that apply to the tenant; empty: it has none
   *
   * Items: A cap of a day; without a check, that of all checks together
   */
  caps: {
    check?:
      | 'simSwap'
      | 'deviceSwap'
      | 'callForwarding'
      | 'portability'
      | 'numberRecycling'
      | 'tenure'
      | 'kycMatch'
      | 'locationVerification'
      | 'roaming'
      | 'reachability'
      | 'numberVerification'
    /**
     * What the tenant may spend in a day, in millionths of the currency
     */
    capMicros: number
    /**
     * What it has spent today, in millionths of the currency
     */
    spentMicros: number
  }[]
  /**
   * The last 30 days on which something was spent, today first
   */
  days: {
    /**
     * The day in UTC: 2026-11-26
     */
    day: string
    /**
     * What all checks cost, in millionths of the currency
     */
    micros: number
    /**
     * Requests with a price
     */
    requests: number
    /**
     * The most expensive first. Days before an upgrade to this version may lack some
     */
    parts: {
      /**
       * Name of the connector or portability source
       */
      upstream: string
      check:
        | 'simSwap'
        | 'deviceSwap'
        | 'callForwarding'
        | 'portability'
        | 'numberRecycling'
        | 'tenure'
        | 'kycMatch'
        | 'locationVerification'
        | 'roaming'
        | 'reachability'
        | 'numberVerification'
      /**
       * What its requests cost, in millionths of the currency
       */
      micros: number
      /**
       * Requests with a price
       */
      requests: number
    }[]
  }[]
}
/**
 * What a check of the service found
 */
export interface Findings {
  /**
   * Broken ones first
   */
  findings: {
    /**
     * What was checked
     */
    subject: string
    /**
     * broken: something does not work. warning: it works, with a risk. unknown: it could not be checked now
     */
    state: 'ok' | 'warning' | 'broken' | 'unknown'
    /**
     * What is the case
     */
    text: string
    /**
     * What to do
     */
    todo?: string
  }[]
}
/**
 * The demo traffic of a sandbox
 */
export interface DemoState {
  /**
   * none: it never had any. making: in progress. removing: it is being deleted
   */
  state: 'none' | 'making' | 'made' | 'removing' | 'removed'
  /**
   * How much of it is made; 1 when nothing is left to do
   */
  progress: number
  /**
   * All traffic from before this time is, or was, demo traffic; ISO 8601 UTC. Absent when there never was any
   */
  until?: string
  /**
   * Made-up customers and attackers
   */
  people: number
  /**
   * Visits that were made
   */
  sessions: number
  /**
   * Decisions that were made
   */
  decisions: number
}
export interface AdminUserRequest {
  /**
   * Your id of the user
   */
  userId: string
}
/**
 * What is known of a user; unknown fields are omitted
 */
export interface ShownUser {
  userId: string
  /**
   * Verified by sign-ins here, the last first; empty for ids of your own
   */
  identities: {
    /**
     * MOBILE, EMAIL or an identity provider’s
     */
    type: string
    value: string
  }[]
  /**
   * Of decisions and sign-ins, last seen first
   */
  numbers: ShownNumberLink[]
  /**
   * Labels that name the user, newest first, at most 50
   */
  labels: ShownSubjectLabel[]
  /**
   * Those of the live rules that count per user
   */
  velocities: ShownCount[]
  usual?: ShownHabits
}
/**
 * What is usual for an account
 */
export interface ShownHabits {
  /**
   * Proven sessions that the account has learned from
   */
  sessions: number
  /**
   * The first of them; ISO 8601 UTC
   */
  firstAt: string
  /**
   * The last of them; ISO 8601 UTC
   */
  lastAt: string
  /**
   * Installations, or networks without one, that showed them
   */
  sources: number
  /**
   * Whether there are enough of them for new and rare values; rules read nothing before
   */
  isEnough: boolean
  /**
   * ISO 3166-1 alpha-2; most frequent first
   */
  countries: {
    value: string
    /**
     * How many proven sessions had it
     */
    sessions: number
  }[]
  /**
   * Autonomous system numbers; most frequent first
   */
  networks: {
    value: string
    /**
     * How many proven sessions had it
     */
    sessions: number
  }[]
  /**
   * Operators of the phone number; most frequent first
   */
  operators: {
    value: string
    /**
     * How many proven sessions had it
     */
    sessions: number
  }[]
  /**
   * Hours of the day in UTC, 0 to 23; most frequent first
   */
  hours: {
    value: string
    /**
     * How many proven sessions had it
     */
    sessions: number
  }[]
  /**
   * Different phone numbers; only keyed hashes of them are stored
   */
  numbers: number
}
export interface AdminTrustDeviceRequest {
  /**
   * Your id of the user
   */
  userId: string
  /**
   * The deviceId of a report, a decision or an event
   */
  deviceId: string
}
export interface AdminNumberRequest {
  /**
   * With country code, as people write it: +39 (0)6 1234 5678
   */
  phoneNumber: string
}
/**
 * What is known of a phone number; it calls no operator
 */
export interface ShownNumber {
  phoneNumber: string
  phoneDetail: {
    /**
     * Current network operator name (upper-case token)
     */
    operator?: string
    /**
     * Numeric country calling code
     */
    countryCode?: string
    /**
     * ISO 3166-1 alpha-2 country code
     */
    country?: string
    /**
     * Line type
     */
    type?: 'MOBILE' | 'LANDLINE'
    /**
     * Registered operator; differs from `operator` when roaming or ported
     */
    homeOperator?: string
    /**
     * true when the number has been ported away from its home operator. Present only when a portability source confirms it; never in a SIM swap result
     */
    isPorted?: boolean
    /**
     * Location of the registered area (city, state or country level)
     */
    location?: string
    /**
     * IANA time zone names for the registered location
     */
    timeZones?: string[]
  }
  /**
   * Newest first, at most 20
   */
  answers: ShownAnswer[]
  /**
   * Users of decisions and sign-ins with this number, last seen first
   */
  accounts: {
    /**
     * Your id of the user
     */
    userId: string
    /**
     * backend: a decision, label or confirmed device; page: the page or app only, which is a hint
     */
    saidBy: 'backend' | 'page'
    /**
     * The first time, of what was read; ISO 8601 UTC
     */
    firstSeenAt: string
    /**
     * The last time; ISO 8601 UTC
     */
    lastSeenAt: string
  }[]
  /**
   * Further accounts that proved a session with it, up to 20: only keyed hashes of them are stored
   */
  unknownAccounts: number
  /**
   * Those of the live rules that count per phone number
   */
  velocities: ShownCount[]
}
/**
 * A stored answer about a number
 */
export interface ShownAnswer {
  check:
    | 'simSwap'
    | 'deviceSwap'
    | 'callForwarding'
    | 'portability'
    | 'numberRecycling'
    | 'tenure'
    | 'kycMatch'
    | 'locationVerification'
    | 'roaming'
    | 'reachability'
  /**
   * yes: it speaks against the number, for example swapped, forwarded or ported
   */
  result: 'yes' | 'no' | 'unknown'
  /**
   * Window of a SIM swap check, in hours
   */
  maxAgeHours?: number
  /**
   * Name of the connector or portability source that answered
   */
  from: string
  /**
   * When; ISO 8601 UTC
   */
  answeredAt: string
  consent?: Consent
  /**
   * For so long the same check answers this without a call; 0: the next check calls
   */
  reusableSeconds: number
}
/**
 * Which way a check of a number goes, and why
 */
export interface ShownRoute {
  phoneNumber: string
  /**
   * In order of precedence: the first that states something wins
   */
  sources: {
    /**
     * Of the imported data, or in the configuration file
     */
    name: string
    kind: 'local' | 'remote'
    /**
     * Made-up data
     */
    sandbox: boolean
    /**
     * answered: it knows the number; silent: it does not; notCalled: a remote source without a stored answer, which a check would call
     */
    state: 'answered' | 'silent' | 'failed' | 'notCalled'
    /**
     * Who serves the number, by this source
     */
    operator?: string
    /**
     * The operator it was allocated to, by this source
     */
    homeOperator?: string
    ported?: boolean
    /**
     * Why it counts or not. used: something that it states counts; nothingNew: sources before it state the same or otherwise; notNeeded: they state everything; notMixed: made-up data do not add to real data; leftOut: the order of the configuration leaves it out. Absent: it states nothing
     */
    use?: 'used' | 'nothingNew' | 'notNeeded' | 'notMixed' | 'leftOut'
    /**
     * The date of its data; ISO 8601 UTC
     */
    datedAt?: string
    /**
     * Age of its stored answer
     */
    ageSeconds?: number
  }[]
  /**
   * Which list of the configuration decided on sources and order; absent: none
   */
  sourceOrder?: 'country' | 'otherwise'
  /**
   * Who serves the number
   */
  operator?: string
  /**
   * The operator it was allocated to, by a source or the number range
   */
  homeOperator?: string
  ported?: boolean
  /**
   * The operator that answers a check; absent: it is not known, and only routes by country can answer
   */
  asked?: {
    operator: string
    /**
     * assumed: nobody knows who serves it, and the configuration says to call its home operator
     */
    because: 'serves' | 'assumed'
  }
  /**
   * The connector that is asked first; absent: none, so no check is supported
   */
  connector?: {
    /**
     * In the configuration file
     */
    name: string
    /**
     * Made-up answers
     */
    sandbox: boolean
    /**
     * What it can check
     */
    checks: (
      | 'simSwap'
      | 'deviceSwap'
      | 'callForwarding'
      | 'numberRecycling'
      | 'tenure'
      | 'kycMatch'
      | 'locationVerification'
      | 'roaming'
      | 'reachability'
    )[]
    /**
     * Of this server
     */
    upstreams: {
      /**
       * Which of its services, such as sim-swap
       */
      service: string
      /**
       * open: it failed too often, so this server does not call it for some seconds
       */
      circuit: 'closed' | 'open'
      /**
       * It asked for a pause by Retry-After, and this server waits until it ends
       */
      isPaused?: true
      /**
       * For each attempt
       */
      timeoutMs: number
      /**
       * How many calls run at the same time
       */
      concurrentCalls: number
      /**
       * How many more may wait
       */
      waitingCalls: number
    }[]
  }
  /**
   * Remote sources without a stored answer that a check would call first: they may name another operator, and then other routes apply
   */
  mayChangeBy: string[]
  /**
   * The connectors in the order in which a check asks them: the first definite answer wins
   */
  routes: {
    /**
     * In the configuration file
     */
    connector: string
    /**
     * Made-up answers
     */
    sandbox: boolean
    /**
     * Why it is asked: the operator of the number has it, or the country does for operators without one, or it is the catch-all route
     */
    by: 'operator' | 'country' | 'otherwise'
    /**
     * Its share among its neighbours with a weight; the number decides the order
     */
    weight?: number
    /**
     * The checks that it is asked
     */
    checks: (
      | 'simSwap'
      | 'deviceSwap'
      | 'callForwarding'
      | 'numberRecycling'
      | 'tenure'
      | 'kycMatch'
      | 'locationVerification'
      | 'roaming'
      | 'reachability'
    )[]
    /**
     * Milliseconds without an answer after which the next one is asked too; p95: as it usually takes
     */
    hedgeAfter?: number | 'p95'
    /**
     * What a request costs, for each check that it is asked and whose price is configured
     */
    prices?: {
      check:
        | 'simSwap'
        | 'deviceSwap'
        | 'callForwarding'
        | 'numberRecycling'
        | 'tenure'
        | 'kycMatch'
        | 'locationVerification'
        | 'roaming'
        | 'reachability'
      /**
       * The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured
       */
      cost: {
        /**
         * ISO 4217
         */
        currency: string
        /**
         * Millionths of the currency: 12000 is 0.012
         */
        micros: number
      }
    }[]
    /**
     * A circuit of it is open on this server: a check passes on to the next route at once
     */
    isOpen: boolean
    /**
     * It asked this server for a pause by Retry-After: a check passes on to the next route at once
     */
    isPaused: boolean
  }[]
}
export interface AdminCheckNumberRequest {
  /**
   * With country code, as people write it: +39 (0)6 1234 5678
   */
  phoneNumber: string
  check: 'simSwap' | 'deviceSwap' | 'callForwarding' | 'portability' | 'roaming' | 'reachability'
  /**
   * Window of a SIM swap check in hours; other checks ignore it
   */
  maxAge?: number
  /**
   * The purpose of the check. Default: that of checks that no backend makes, in the configuration
   */
  consent?: {
    /**
     * What for: a term of the W3C Data Privacy Vocabulary
     */
    purpose: string
    /**
     * The legal basis of Art. 6(1) GDPR
     */
    legalBasis?:
      | 'CONSENT'
      | 'CONTRACT'
      | 'LEGAL_OBLIGATION'
      | 'VITAL_INTERESTS'
      | 'PUBLIC_TASK'
      | 'LEGITIMATE_INTERESTS'
    /**
     * Your id of the record that proves it, for example of a consent or a contract: letters, digits and . _ : / @ + -. Do not put personal data in it
     */
    reference?: string
    /**
     * For the legal basis CONSENT: when the person consented; RFC 3339
     */
    givenAt?: string
  }
}
/**
 * The answer of a check
 */
export interface CheckedNumber {
  check: 'simSwap' | 'deviceSwap' | 'callForwarding' | 'portability' | 'roaming' | 'reachability'
  /**
   * yes: it speaks against the number, for example swapped, forwarded or ported
   */
  result: 'yes' | 'no' | 'unknown'
  /**
   * The error code of a check that has no answer
   */
  failure?: string
  /**
   * Why it has none
   */
  why?: string
  /**
   * Window of a SIM swap check, in hours
   */
  maxAgeHours?: number
  /**
   * Age of a reused answer; absent: the operator was called
   */
  ageSeconds?: number
  /**
   * Made-up data were involved
   */
  sandbox: boolean
  phoneDetail?: {
    /**
     * Current network operator name (upper-case token)
     */
    operator?: string
    /**
     * Numeric country calling code
     */
    countryCode?: string
    /**
     * ISO 3166-1 alpha-2 country code
     */
    country?: string
    /**
     * Line type
     */
    type?: 'MOBILE' | 'LANDLINE'
    /**
     * Registered operator; differs from `operator` when roaming or ported
     */
    homeOperator?: string
    /**
     * true when the number has been ported away from its home operator. Present only when a portability source confirms it; never in a SIM swap result
     */
    isPorted?: boolean
    /**
     * Location of the registered area (city, state or country level)
     */
    location?: string
    /**
     * IANA time zone names for the registered location
     */
    timeZones?: string[]
  }
  /**
   * When; ISO 8601 UTC
   */
  checkedAt: string
}
/**
 * What the person who calls can sign in with, besides the password
 */
export interface MyFactors {
  authenticatorApp: boolean
  /**
   * How many are left
   */
  recoveryCodes: number
}
export interface ChangePasswordRequest {
  /**
   * The present password
   */
  password: string
  /**
   * Six digits of the authenticator app; spaces and dashes do not count
   */
  code: string
  /**
   * At least 12 characters, any of them; spaces count. Not a frequent password, nor with your name or email address
   */
  newPassword: string
}
/**
 * The new password holds
 */
export interface ChangedPassword {
  /**
   * How many other sessions of the person have ended
   */
  endedSessions: number
}
export interface RenewRecoveryCodesRequest {
  /**
   * The present password
   */
  password: string
  /**
   * Six digits of the authenticator app; spaces and dashes do not count
   */
  code: string
}
/**
 * New recovery codes
 */
export interface NewRecoveryCodes {
  /**
   * Shown once. The previous ones do not work any more
   */
  recoveryCodes: string[]
}
/**
 * A new secret, which nothing uses before it is confirmed
 */
export interface AuthenticatorSetup {
  /**
   * Base32, to type into an authenticator app
   */
  secret: string
  /**
   * `otpauth://`, to show as a QR code
   */
  uri: string
  /**
   * The secret, sealed for this session: send it back
   */
  setup: string
}
export interface ReplaceAuthenticatorRequest {
  /**
   * `setup` of the new secret
   */
  setup: string
  /**
   * Six digits of the authenticator app; spaces and dashes do not count
   */
  code: string
  /**
   * Replaces the recovery codes too. Default: false
   */
  newRecoveryCodes?: boolean
}
/**
 * Codes of the previous app do not work any more
 */
export interface ReplacedAuthenticator {
  /**
   * How many other sessions of the person have ended
   */
  endedSessions: number
  /**
   * Shown once. The previous ones do not work any more
   */
  recoveryCodes?: string[]
}
/**
 * What the browser needs to use a passkey
 */
export interface PasskeyRequest {
  /**
   * `PublicKeyCredentialRequestOptionsJSON`
   */
  options: {
    /**
     * Works once, within five minutes, in this browser; base64url
     */
    challenge: string
    /**
     * Milliseconds until the browser gives up
     */
    timeout: number
    rpId: string
    /**
     * Empty: any passkey for this service
     */
    allowCredentials: {
      type: 'public-key'
      /**
       * Id of the credential; base64url
       */
      id: string
    }[]
    userVerification: 'required'
  }
}
export interface SignInWithPasskeyRequest {
  /**
   * `AuthenticationResponseJSON`: `toJSON()` of what `navigator.credentials.get()` returned
   */
  credential: {
    /**
     * Id of the credential; base64url
     */
    id: string
    /**
     * Id of the credential; base64url
     */
    rawId: string
    type: 'public-key'
    response: {
      /**
       * What the browser signed for; base64url
       */
      clientDataJSON: string
      /**
       * What the passkey says of itself; base64url
       */
      authenticatorData: string
      /**
       * By the passkey; base64url
       */
      signature: string
      /**
       * Whose passkey it is; base64url
       */
      userHandle?: string
    }
  }
}
export interface ConfirmPersonRequest {
  /**
   * The present password, with `code`
   */
  password?: string
  /**
   * Six digits of the authenticator app; spaces and dashes do not count
   */
  code?: string
  /**
   * `AuthenticationResponseJSON`: `toJSON()` of what `navigator.credentials.get()` returned
   */
  credential?: {
    /**
     * Id of the credential; base64url
     */
    id: string
    /**
     * Id of the credential; base64url
     */
    rawId: string
    type: 'public-key'
    response: {
      /**
       * What the browser signed for; base64url
       */
      clientDataJSON: string
      /**
       * What the passkey says of itself; base64url
       */
      authenticatorData: string
      /**
       * By the passkey; base64url
       */
      signature: string
      /**
       * Whose passkey it is; base64url
       */
      userHandle?: string
    }
  }
}
/**
 * The session may change how the person signs in
 */
export interface ConfirmedPerson {
  /**
   * How long such changes need no other proof; ISO 8601 UTC
   */
  confirmedUntil: string
}
/**
 * The passkeys of the person who calls
 */
export interface Passkeys {
  /**
   * In the order in which they were added; at most 10
   */
  passkeys: Passkey[]
}
/**
 * A passkey of the person who calls
 */
export interface Passkey {
  passkeyId: string
  /**
   * Shows you which one it is, such as the device that has it
   */
  name: string
  /**
   * Whether a password manager has a copy: it survives the loss of the device
   */
  backedUp: boolean
  /**
   * When it was added; ISO 8601 UTC
   */
  createdAt: string
  /**
   * Its last sign-in; absent before the first; ISO 8601 UTC
   */
  lastUsedAt?: string
}
/**
 * What the browser needs to make a passkey
 */
export interface PasskeyCreation {
  /**
   * `PublicKeyCredentialCreationOptionsJSON`
   */
  options: {
    rp: {
      id: string
      name: string
    }
    user: {
      id: string
      name: string
      displayName: string
    }
    /**
     * Works once, within five minutes, in this browser; base64url
     */
    challenge: string
    pubKeyCredParams: {
      type: 'public-key'
      /**
       * COSE
       */
      alg: number
    }[]
    /**
     * Milliseconds until the browser gives up
     */
    timeout: number
    excludeCredentials: {
      type: 'public-key'
      /**
       * Id of the credential; base64url
       */
      id: string
    }[]
    authenticatorSelection: {
      residentKey: 'required'
      requireResidentKey: true
      userVerification: 'required'
    }
    attestation: 'none'
  }
}
export interface AddPasskeyRequest {
  /**
   * Shows you which one it is, such as the device that has it
   */
  name: string
  /**
   * `RegistrationResponseJSON`: `toJSON()` of what `navigator.credentials.create()` returned
   */
  credential: {
    /**
     * Id of the credential; base64url
     */
    id: string
    /**
     * Id of the credential; base64url
     */
    rawId: string
    type: 'public-key'
    response: {
      /**
       * What the browser signed for; base64url
       */
      clientDataJSON: string
      /**
       * The new key; base64url
       */
      attestationObject: string
      transports?: string[]
    }
  }
}
export interface RenamePasskeyRequest {
  /**
   * passkeyId of one of your passkeys
   */
  passkeyId: string
  /**
   * Shows you which one it is, such as the device that has it
   */
  name: string
}
export interface RemovePasskeyRequest {
  /**
   * passkeyId of one of your passkeys
   */
  passkeyId: string
}
/**
 * Nobody can sign in with it any more
 */
export interface RemovedPasskey {
  removed: boolean
}
