import { type Clock, Effect } from "effect"

/**
 * A clock that never goes back. When the system time is set back, it continues by the monotonic clock, ahead of the
 * system time; when the system time jumps forward (the machine slept), it jumps too, so that no wait is longer than
 * intended.
 */
export const from = (clock: Clock.Clock, wall: () => number, monotonic: () => number): Clock.Clock => {
  let now = wall()
  let lastWall = now
  let lastMonotonic = monotonic()
  const read = (): number => {
    const [w, m] = [wall(), monotonic()]
    const passed = Math.max(0, m - lastMonotonic)
    now += w < lastWall ? passed : Math.max(passed, w - lastWall)
    lastWall = w
    lastMonotonic = m
    return Math.floor(now)
  }
  return {
    currentTimeMillisUnsafe: read,
    currentTimeMillis: Effect.sync(read),
    currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
    currentTimeNanos: clock.currentTimeNanos,
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }
}
