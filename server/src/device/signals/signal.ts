// What is a signal? One question about a device, and everything that the rest of the service knows about it.

import type { DevicePlatform, DeviceReport } from '@ringfence/contract'
import type { Static, TSchema } from 'typebox'
import type { Evidence } from '../analysis/evidence.ts'

/** A verdict, and the reasons for it. */
export interface Finding<Verdict> {
  readonly verdict: Verdict
  /** Facts that led to the verdict. They are stored for investigations and never returned to a client. */
  readonly reasons: readonly string[]
}

/** One way in which a verdict raises the scores. */
export interface Weight<Verdict = unknown> {
  fires(verdict: NoInfer<Verdict>): boolean | undefined
  /** 0 to 1: share of sessionRiskScore, by our judgement of how rarely an honest person shows this. */
  readonly session: number
  /** The reason shown beside the score. */
  readonly because: string
  /** Points of suspectScore by platform; a platform without points does not count. */
  readonly suspect?: Readonly<Partial<Record<DevicePlatform, number>>>
  /** Its name among the published weights of suspectScore, where that differs. */
  readonly publishedAs?: string
  /** It rates the IP address, so that `fraudScore` of the same address is not added to it. */
  readonly ratesIpAddress?: true
  /** A weaker weight that does not count when this one fires, as both rest on the same finding. */
  readonly replaces?: string
}

/** A field of the device report (specification 2.6). A flag that several signals feed is true when one of them says so. */
export interface ReportField<Verdict, Field extends keyof DeviceReport, Rule extends TSchema> {
  readonly field: Field
  value(verdict: NoInfer<Verdict>): DeviceReport[Field]
  /** Its value when no signal answered (specification 2.6, column Default); `false` unless given. */
  readonly unknown?: DeviceReport[Field]
  /** How rules read the field. Exactly one of the signals that feed it says so. */
  readonly rule?: {
    readonly type: Rule
    read(input: { readonly [Name in Field]?: Static<Rule> }): unknown
  }
}

/** Rule paths below `signals.`, by name. `read` is written out because V8 reads a fixed name six times as fast as a computed one. */
export type RulePaths<Verdict, Types extends Readonly<Record<string, TSchema>>> = {
  readonly [Name in keyof Types]: {
    readonly type: Types[Name]
    value(verdict: NoInfer<Verdict>): Static<Types[Name]> | undefined
    read(input: { readonly signals?: { readonly [Path in Name]?: Static<Types[Name]> } }): unknown
  }
}

/** The detector that backends read, under the name of the signal (specification 2.4 and 2.5). */
export interface SecureInfoField<Verdict, Types extends Readonly<Record<string, TSchema>>> {
  /** `both`: also token verification (2.4). `rules`: neither, as the specification has no such detector; rules read it. */
  readonly returnedBy: 'both' | 'secure-info' | 'rules'
  /**
   * What a backend reads when the evidence has no answer, or the detector is not about the platform; its parts replace those that a
   * verdict lacks. Specification 2.4 and 2.5 omit no detector.
   */
  readonly unknown: NoInfer<Verdict>
  /** The platforms that the detector is about, where they differ from those of the signal. */
  readonly platforms?: readonly DevicePlatform[]
  /** Adds the parts that do not apply on this platform. */
  complete?(verdict: NoInfer<Verdict>, platform: DevicePlatform): Verdict
  /** Leaves out the parts that only 2.5 lists. */
  shorten?(verdict: NoInfer<Verdict>): unknown
  /** Parts of the verdict that only rules and `include` return, as the specification does not have them. */
  readonly additions?: readonly string[]
  readonly rules?: RulePaths<Verdict, Types>
}

export interface Signal<
  Name extends string = string,
  Verdict = unknown,
  Weights extends string = string,
  Field extends keyof DeviceReport = keyof DeviceReport,
  FieldRule extends TSchema = TSchema,
  Paths extends Readonly<Record<string, TSchema>> = Readonly<Record<string, TSchema>>,
> {
  /** Name of the verdict in stored analyses, and of the detector in secure info. The file has the same name. */
  readonly name: Name
  /** Shown in the reference. */
  readonly question: string
  /** Raised whenever the same evidence may get another verdict. */
  readonly version: number
  /** The platforms that are judged. */
  readonly platforms: readonly DevicePlatform[]
  /**
   * Pure. `undefined` when the evidence has no answer: the verdict is then absent, never a constant.
   * @param before verdicts of the signals before it in the list; without them, it judges what it needs itself
   */
  judge(evidence: Evidence, before?: Readonly<Record<string, unknown>>): Finding<Verdict> | undefined
  /** What raises the scores, by the name that scores and stored visits use. */
  readonly weights?: { readonly [Each in Weights]: Weight<Verdict> }
  readonly report?: ReportField<Verdict, Field, FieldRule>
  readonly secureInfo?: SecureInfoField<Verdict, Paths>
}

/** Returns the record as it is; its type follows from what it says. */
export function signal<
  const Name extends string,
  Verdict,
  const Weights extends string = never,
  const Field extends keyof DeviceReport = never,
  FieldRule extends TSchema = never,
  Paths extends Readonly<Record<string, TSchema>> = Record<never, never>,
>(
  record: Signal<Name, Verdict, Weights, Field, FieldRule, Paths>,
): Signal<Name, Verdict, Weights, Field, FieldRule, Paths> {
  return record
}

/** For verdicts of one flag. */
export const resultOf = ({ result }: { readonly result: boolean }) => result

/** The verdicts of a list of signals, by name; one that the evidence did not answer is absent. */
export type VerdictsOf<Each extends Signal> = {
  [One in Each as One['name']]?: NonNullable<ReturnType<One['judge']>>['verdict']
}

/** The report fields that a list of signals feeds. */
export type ReportFieldOf<Each extends Signal> = Each extends unknown ? NonNullable<Each['report']>['field'] : never

/** Every name that weighs in the scores. */
export type WeightNameOf<Each extends Signal> = Each extends { readonly weights?: infer Weights }
  ? keyof NonNullable<Weights> & string
  : never
