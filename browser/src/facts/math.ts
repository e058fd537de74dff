// How does this engine calculate? The last digits differ by engine, system and processor.

import { hashOf } from '../collect/hash.ts'

export function math(): string {
  const { acosh, asinh, atanh, cosh, sinh, tanh, expm1, log1p, sin, cos, tan, exp, pow, cbrt, PI } = Math
  return hashOf(
    [
      acosh(1e154),
      acosh(1.0001),
      asinh(1.3),
      atanh(0.51),
      cosh(1.7),
      sinh(1.23),
      tanh(0.9),
      expm1(1.1),
      log1p(10.3),
      sin(-1e300),
      cos(10.000000000123),
      tan(-1e300),
      exp(1.37),
      pow(PI, -100),
      cbrt(100.7),
    ].map(String),
  )
}
