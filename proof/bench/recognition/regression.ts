// Which weights make the observations most likely, within bounds? Logistic regression over binary features.

import { randomOf } from './random.ts'

export interface Example {
  /** Indices of the features that are present. */
  readonly features: readonly number[]
  readonly isSame: boolean
}

const rounds = 20
const batch = 256

/**
 * Bias and one weight per feature, in nats; `keep` pulls weights with little effect towards zero (L2). Adam (Kingma 2015).
 * @param sides on which side of 0 each weight stays: 1 above, -1 below, 0 on either
 */
export function logisticRegression(
  examples: readonly Example[],
  sides: Int8Array,
  keep = 1e-5,
): { bias: number; weights: Float64Array } {
  const features = sides.length
  const random = randomOf(1)
  const weights = new Float64Array(features + 1)
  const [mean, spread] = [new Float64Array(features + 1), new Float64Array(features + 1)]
  const gradient = new Float64Array(features + 1)
  const steps = Math.ceil((rounds * examples.length) / batch)
  for (let step = 1; step <= steps; step++) {
    gradient.fill(0)
    for (let i = 0; i < batch; i++) {
      const { features: its, isSame } = examples[random.below(examples.length)]!
      let sum = weights[features]!
      for (const feature of its) sum += weights[feature]!
      const error = 1 / (1 + Math.exp(-sum)) - (isSame ? 1 : 0)
      gradient[features]! += error
      for (const feature of its) gradient[feature]! += error
    }
    const rate = 0.05 * (1 - step / (steps + 1))
    for (let index = 0; index <= features; index++) {
      const slope = gradient[index]! / batch + keep * weights[index]!
      mean[index] = 0.9 * mean[index]! + 0.1 * slope
      spread[index] = 0.999 * spread[index]! + 0.001 * slope * slope
      const corrected = mean[index]! / (1 - 0.9 ** step)
      weights[index]! -= (rate * corrected) / (Math.sqrt(spread[index]! / (1 - 0.999 ** step)) + 1e-8)
      if (weights[index]! * (sides[index] ?? 0) < 0) weights[index] = 0
    }
  }
  return { bias: weights[features]!, weights: weights.subarray(0, features) }
}
