import { vi } from "@effect/vitest"

/** Makes a value and all in it unchangeable: whoever writes into it throws. */
export const frozen = <A>(value: A): A => {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const inner of Object.values(value)) frozen(inner)
  return value
}

/** What a value is when it has been written down and read again: nothing beside its data is left of it. */
export const reread = <A>(value: A): A => structuredClone(value)

/**
 * Runs something with a clock that is so far off, and with its own chance and ids. What asks the world for the time or
 * for luck answers differently in two of them.
 */
export const inWorld = <A>(off: number, run: () => A): A => {
  const RealDate = globalThis.Date
  const elapsed = performance.now.bind(performance)
  const chance = Math.random.bind(Math)
  const now = () => RealDate.now() + off
  class OtherDate extends RealDate {
    static override now = now
    constructor(...args: ReadonlyArray<number>) {
      if (args.length === 0) super(now())
      else super(...(args as [number]))
    }
  }
  const others = [
    vi.spyOn(performance, "now").mockImplementation(() => elapsed() + off),
    vi.spyOn(Math, "random").mockImplementation(() => (chance() + Math.abs(off % 997) / 997) % 1),
    vi
      .spyOn(crypto, "randomUUID")
      .mockImplementation(() => `00000000-0000-4000-8000-${String(Math.abs(off)).padStart(12, "0")}`)
  ]
  globalThis.Date = OtherDate as DateConstructor
  try {
    return run()
  } finally {
    globalThis.Date = RealDate
    for (const other of others) other.mockRestore()
  }
}
