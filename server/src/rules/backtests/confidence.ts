// How sure is a share? Its 95 % confidence interval, which is wide when it rests on few observations.

/** Standard deviations of 95 % confidence; and of 99.5 %, so that of ten intervals all are right with 95 %. */
export const deviations = { of95: 1.96, ofTen95: 2.81 } as const

/** The interval of a share (0–1) of this many observations, as Wilson (1927) defines it. */
export function intervalOf(
  share: number,
  observations: number,
  z: number = deviations.of95,
): readonly [low: number, high: number] {
  if (observations === 0) return [0, 1]
  const n = observations
  const spread = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))
  const middle = share + (z * z) / (2 * n)
  const scale = 1 + (z * z) / n
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)]
}
