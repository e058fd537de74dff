// Which calls does the client have? One method each.

import type { Answer } from './answer.ts'
import {
  type BatchResult,
  type BatchResultsRequest,
  batchResults,
  type CreateBatchRequest,
  createBatch,
} from './batches.ts'
import { call } from './call.ts'
import { type DecideOptions, decide, type LocalDecision } from './decide.ts'
import { type CodeExchange, type CodeExchangeRequest, exchangeCode } from './exchange-code.ts'
import { type CallOptions, checkedSettings, type RingfenceOptions, type Settings } from './settings.ts'
import type { Calls } from './types.ts'

type Request<Name extends keyof Calls> = Calls[Name]['request']
type Reply<Name extends keyof Calls> = Promise<Answer<Calls[Name]['answer']>>

/**
 * A client of one Ringfence service. Create one and share it: it has no state except its options.
 *
 * Methods only throw `RingfenceError`. When the operator cannot complete a check, the method does not throw: it returns
 * `success: false` with `error`. Read the result only when `success` is true.
 */
export class Ringfence {
  readonly #settings: Settings

  /** @throws RingfenceError `invalid_argument`; the message names the wrong option */
  constructor(options: RingfenceOptions) {
    this.#settings = checkedSettings(options)
  }

  /**
   * Decides about a phone number, a sign-in and a device together: `action` says what to do, `reasons` why, `missing` what could not be
   * known. Retries are safe: they have the same `Idempotency-Key`. For a payment, set `idempotencyKey` of the options, for example to
   * the id of the order: then a call that your backend repeats gets the first decision. With `onFailure` an outage of the service is a
   * `LocalDecision` with that action; without it, the call throws: do as for `CHALLENGE`.
   */
  async decide(
    request: Request<'decide'>,
    options: DecideOptions & Required<Pick<DecideOptions, 'onFailure'>>,
  ): Promise<Answer<Calls['decide']['answer']> | LocalDecision>
  async decide(request: Request<'decide'>, options?: CallOptions): Reply<'decide'>
  async decide(
    request: Request<'decide'>,
    options: DecideOptions = {},
  ): Promise<Answer<Calls['decide']['answer']> | LocalDecision> {
    return decide(request, options, this.#settings)
  }

  /** Returns a decision again. Throws `not_found` when it is unknown or expired. */
  async readDecision(request: Request<'readDecision'>, options: CallOptions = {}): Reply<'readDecision'> {
    return call('readDecision', request, options, this.#settings)
  }

  /**
   * Passes the challenge of a decision with the token of a later sign-in; a repeated call is a success. Continue only when
   * `challenge.state` is `passed`. Throws `challenge_not_passed` when the token does not pass it or the challenge has expired, and
   * `not_found` when the decision is unknown.
   */
  async passChallenge(request: Request<'passChallenge'>, options: CallOptions = {}): Reply<'passChallenge'> {
    return call('passChallenge', request, options, this.#settings)
  }

  /**
   * Has this number's SIM been swapped within the last `maxAge` hours (1 to 2400; the service's default is 240)?
   * `swapped: false` only says that there was no swap within these hours.
   */
  async simSwapCheck(request: Request<'simSwapCheck'>, options: CallOptions = {}): Reply<'simSwapCheck'> {
    return call('simSwapCheck', request, options, this.#settings)
  }

  /** Are calls to this number forwarded? Forwarding can send a voice OTP to a device that the user does not control. */
  async callForwardingCheck(
    request: Request<'callForwardingCheck'>,
    options: CallOptions = {},
  ): Reply<'callForwardingCheck'> {
    return call('callForwardingCheck', request, options, this.#settings)
  }

  /** Has this number been ported to another operator? The result is `phoneDetail.isPorted`. */
  async portability(request: Request<'portability'>, options: CallOptions = {}): Reply<'portability'> {
    return call('portability', request, options, this.#settings)
  }

  /** Makes several checks of one number side by side. Each result has its own `success`. */
  async telecomChecks(request: Request<'telecomChecks'>, options: CallOptions = {}): Reply<'telecomChecks'> {
    return call('telecomChecks', request, options, this.#settings)
  }

  /**
   * Sends up to 100,000 numbers, which the service checks in the background. Sent again with the same `idempotencyKey`, it returns
   * the batch that exists.
   */
  async createBatch(request: CreateBatchRequest, options: CallOptions = {}): Reply<'readBatch'> {
    return createBatch(request, options, this.#settings)
  }

  /** Reads how far a batch is. Throws `not_found` when it is unknown or expired. */
  async readBatch(request: Request<'readBatch'>, options: CallOptions = {}): Reply<'readBatch'> {
    return call('readBatch', request, options, this.#settings)
  }

  /**
   * Reads the results that are known until now, in the order of the lines. To continue later, send the last `line` as `after`. A broken
   * connection is resumed.
   */
  batchResults(
    request: BatchResultsRequest,
    options: Pick<CallOptions, 'signal' | 'requestId'> = {},
  ): AsyncGenerator<BatchResult> {
    return batchResults(request, options, this.#settings)
  }

  /** Lists batches, newest first: `nextCursor` of a page is the `cursor` of the following one. */
  async listBatches(request: Request<'listBatches'> = {}, options: CallOptions = {}): Reply<'listBatches'> {
    return call('listBatches', request, options, this.#settings)
  }

  /** Cancels a batch: numbers that were not checked yet are not checked. */
  async cancelBatch(request: Request<'cancelBatch'>, options: CallOptions = {}): Reply<'cancelBatch'> {
    return call('cancelBatch', request, options, this.#settings)
  }

  /**
   * Begins a Number Verification: the phone opens `url` over mobile data, and the operator redirects it with `code` and `state`.
   * Read `success` first.
   */
  async beginNumberVerification(
    request: Request<'beginNumberVerification'>,
    options: CallOptions = {},
  ): Reply<'beginNumberVerification'> {
    return call('beginNumberVerification', request, options, this.#settings)
  }

  /** Completes it, once: `verified` is set only when `success` is true. Throws `not_found` for one that this client did not begin. */
  async completeNumberVerification(
    request: Request<'completeNumberVerification'>,
    options: CallOptions = {},
  ): Reply<'completeNumberVerification'> {
    return call('completeNumberVerification', request, options, this.#settings)
  }

  /** Watches a number: a change of SIM, phone, operator or subscriber is an event. Called again, it adds checks and extends the watch. */
  async watchNumber(request: Request<'watchNumber'>, options: CallOptions = {}): Reply<'watchNumber'> {
    return call('watchNumber', request, options, this.#settings)
  }

  /** Reads a watch. Throws `not_found` when there is no such watch. */
  async readWatch(request: Request<'readWatch'>, options: CallOptions = {}): Reply<'readWatch'> {
    return call('readWatch', request, options, this.#settings)
  }

  /** Lists watches, or the one of a number: `nextCursor` of a page is the `cursor` of the following one. */
  async listWatches(request: Request<'listWatches'> = {}, options: CallOptions = {}): Reply<'listWatches'> {
    return call('listWatches', request, options, this.#settings)
  }

  /** Stops watching a number. Repeating it is a success with `deleted: false`. */
  async deleteWatch(request: Request<'deleteWatch'>, options: CallOptions = {}): Reply<'deleteWatch'> {
    return call('deleteWatch', request, options, this.#settings)
  }

  /**
   * Verifies a token from your frontend, and returns who signed in. Throws `invalid_token` or `expired_token` otherwise.
   * `network`, `deviceInfo` and `secureInfo` are present if they were collected at sign-in.
   */
  async validateToken(request: Request<'validateToken'>, options: CallOptions = {}): Reply<'validateToken'> {
    return call('validateToken', request, options, this.#settings)
  }

  /** Returns the device and network of a token, with or without a sign-in. Throws the same errors as `validateToken`. */
  async secureInfo(request: Request<'secureInfo'>, options: CallOptions = {}): Reply<'secureInfo'> {
    return call('secureInfo', request, options, this.#settings)
  }

  /**
   * Exchanges the code of a return URL for the user's tokens, for the browser whose session started the sign-in: `codeVerifier` or
   * `transactionId` come from that session. Throws `invalid_code` otherwise, and for a code that is used or expired.
   */
  async exchangeCode(request: CodeExchangeRequest, options: CallOptions = {}): Promise<Answer<CodeExchange>> {
    return exchangeCode(request, options, this.#settings)
  }

  /** Issues a token for a user that your backend has signed in, for your frontend. */
  async issueToken(request: Request<'issueToken'>, options: CallOptions = {}): Reply<'issueToken'> {
    return call('issueToken', request, options, this.#settings)
  }

  /** Revokes a token at once. Throws `invalid_token` when the token is not yours: nothing was revoked. */
  async revokeToken(request: Request<'revokeToken'>, options: CallOptions = {}): Reply<'revokeToken'> {
    return call('revokeToken', request, options, this.#settings)
  }

  /**
   * For tests: the messages, with their codes, that `ringfence serve --sandbox` shows in place of sending them; newest first. Throws
   * `not_found` at any other service.
   */
  async readShownMessages(
    request: Request<'readShownMessages'> = {},
    options: CallOptions = {},
  ): Reply<'readShownMessages'> {
    return call('readShownMessages', request, options, this.#settings)
  }

  /**
   * Links a sign-in to your own id of the user: from then on, tokens and events of it have your `userId`. Repeating it is a success.
   * Throws `linked_elsewhere` when it is linked to another user.
   */
  async linkUser(request: Request<'linkUser'>, options: CallOptions = {}): Reply<'linkUser'> {
    return call('linkUser', request, options, this.#settings)
  }

  /** Takes one identity, or all of a `personId`, from your user. Throws `not_found` when the user does not have it. */
  async unlinkUser(request: Request<'unlinkUser'>, options: CallOptions = {}): Reply<'unlinkUser'> {
    return call('unlinkUser', request, options, this.#settings)
  }

  /** Moves identities, trusted devices and habits from one of your users to another, or to a new id. */
  async mergeUsers(request: Request<'mergeUsers'>, options: CallOptions = {}): Reply<'mergeUsers'> {
    return call('mergeUsers', request, options, this.#settings)
  }

  /** Lists the phone numbers, email addresses and accounts at identity providers that your user proved. */
  async listIdentities(request: Request<'listIdentities'>, options: CallOptions = {}): Reply<'listIdentities'> {
    return call('listIdentities', request, options, this.#settings)
  }

  /**
   * Returns the device report of a `dfrId`: scores, flags, and the action of your rules. A report never changes. With `userId`,
   * the device is confirmed for the user; `include` adds how it was recognised and whether the user knows it.
   * Throws `not_found` when the report is unknown, deleted, or of another `deviceType`.
   */
  async deviceFingerprint(
    request: Request<'deviceFingerprint'>,
    options: CallOptions = {},
  ): Reply<'deviceFingerprint'> {
    return call('deviceFingerprint', request, options, this.#settings)
  }

  /** Labels how sessions turned out, for device history and rule backtests. `unknown` lists ids without a report. */
  async labelReports(request: Request<'labelReports'>, options: CallOptions = {}): Reply<'labelReports'> {
    return call('labelReports', request, options, this.#settings)
  }

  /** Lists decisions that rules sent to REVIEW: the open ones, oldest first, or those of another `state`. */
  async listReviews(request: Request<'listReviews'> = {}, options: CallOptions = {}): Reply<'listReviews'> {
    return call('listReviews', request, options, this.#settings)
  }

  /** Approves or blocks a decision in review. Throws when another reviewer was first. */
  async resolveReview(request: Request<'resolveReview'>, options: CallOptions = {}): Reply<'resolveReview'> {
    return call('resolveReview', request, options, this.#settings)
  }

  /** Searches what happened, newest first. For the next page, send `nextCursor` as `cursor` with the same filters. */
  async searchEvents(request: Request<'searchEvents'> = {}, options: CallOptions = {}): Reply<'searchEvents'> {
    return call('searchEvents', request, options, this.#settings)
  }

  /** Creates an empty list, which rules read with `inList("NAME", path)`. */
  async createList(request: Request<'createList'>, options: CallOptions = {}): Reply<'createList'> {
    return call('createList', request, options, this.#settings)
  }

  /** Describes one list by its `name`, or all. Throws `not_found` when there is no such list. */
  async describeLists(request: Request<'describeLists'> = {}, options: CallOptions = {}): Reply<'describeLists'> {
    return call('describeLists', request, options, this.#settings)
  }

  /** Deletes a list and its entries. Rules that name it then find nothing in it. */
  async deleteList(request: Request<'deleteList'>, options: CallOptions = {}): Reply<'deleteList'> {
    return call('deleteList', request, options, this.#settings)
  }

  /** Adds up to 1,000 entries to a list, or changes their note and expiry. In force on every server within a second. */
  async addListEntries(request: Request<'addListEntries'>, options: CallOptions = {}): Reply<'addListEntries'> {
    return call('addListEntries', request, options, this.#settings)
  }

  /** Removes up to 1,000 entries from a list. In force on every server within a second. */
  async removeListEntries(
    request: Request<'removeListEntries'>,
    options: CallOptions = {},
  ): Reply<'removeListEntries'> {
    return call('removeListEntries', request, options, this.#settings)
  }

  /** Returns whether a value is in a list, and the entries that match it. */
  async lookUpList(request: Request<'lookUpList'>, options: CallOptions = {}): Reply<'lookUpList'> {
    return call('lookUpList', request, options, this.#settings)
  }

  /** Reads a page of the entries of a list: `next` of a page is the `cursor` of the following one. */
  async readList(request: Request<'readList'>, options: CallOptions = {}): Reply<'readList'> {
    return call('readList', request, options, this.#settings)
  }

  /** Lists the devices of a user that were confirmed, last seen first. */
  async listAccountDevices(
    request: Request<'listAccountDevices'>,
    options: CallOptions = {},
  ): Reply<'listAccountDevices'> {
    return call('listAccountDevices', request, options, this.#settings)
  }

  /** Names a device of a user, or revokes it with `trusted: false`. Throws `not_found` when the user has no such device. */
  async updateAccountDevice(
    request: Request<'updateAccountDevice'>,
    options: CallOptions = {},
  ): Reply<'updateAccountDevice'> {
    return call('updateAccountDevice', request, options, this.#settings)
  }

  /** Deletes one device of a user, or all of them without a `deviceId`. */
  async deleteAccountDevices(
    request: Request<'deleteAccountDevices'>,
    options: CallOptions = {},
  ): Reply<'deleteAccountDevices'> {
    return call('deleteAccountDevices', request, options, this.#settings)
  }
}
